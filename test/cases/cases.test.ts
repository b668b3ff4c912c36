// Real-world cases, each a full AdmissionReview with what is right to answer. `verdicts.yaml` holds, for every case that
// podrail can judge today, the whole text a person gets; the others wait for rules of tenants' guardrails and are listed.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { contextOf, post } from '../admission/reviewing.ts';

interface Case {
  readonly id: string;
  readonly title: string;
  readonly review: unknown;
  readonly context: {
    readonly kubernetesVersion: string;
    readonly phase: 'mutate' | 'validate';
    readonly now: string;
    readonly nodes?: readonly unknown[];
    readonly pods?: readonly unknown[];
  };
  readonly expect: { readonly allowed: boolean };
}

/** What podrail answers: nothing set means allowed without a word. */
interface Answer {
  /** A file in `guardrails/`, applied before the baseline. */
  readonly guardrail?: string;
  readonly denial?: readonly string[];
  readonly causes?: readonly string[];
  readonly warnings?: readonly string[];
  readonly patch?: readonly unknown[];
}

const HERE = new URL('./', import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, HERE), 'utf8');
const VERDICTS = parse(text('verdicts.yaml')) as {
  readonly judged: Record<string, Answer | null>;
  readonly waiting: Record<string, string>;
};
const FILES = readdirSync(HERE).filter((name) => name.endsWith('.json'));

describe('a case that people really had', () => {
  it('is either judged or waits for a rule that is named', () => {
    const known = [...Object.keys(VERDICTS.judged), ...Object.keys(VERDICTS.waiting)].sort();
    assert.deepEqual(known, FILES.map((name) => name.slice(0, -'.json'.length)).sort());
  });

  for (const [name, answer] of Object.entries(VERDICTS.judged)) {
    const { title, review, context, expect } = JSON.parse(text(`${name}.json`)) as Case;
    it(`${name} (${title}) is ${expect.allowed ? 'allowed' : 'refused'}`, () => {
      const guardrails = answer?.guardrail
        ? readGuardrails(text(`guardrails/${answer.guardrail}`), answer.guardrail).guardrails
        : [];
      const cluster = createClusterView([...(context.nodes ?? []), ...(context.pods ?? [])]);
      const setting = { version: context.kubernetesVersion, now: context.now, cluster, guardrails };
      const { response, patch } = post(review, context.phase, contextOf(setting));
      assert.equal(response.allowed, expect.allowed);
      assert.deepEqual(
        {
          denial: response.status?.message.split('\n').slice(0, -1),
          causes: response.status?.details.causes.map(({ reason, field }) => `${reason} ${field}`),
          warnings: response.warnings,
          patch,
        },
        { denial: answer?.denial, causes: answer?.causes, warnings: answer?.warnings, patch: answer?.patch },
      );
    });
  }
});
