// Real-world cases, each a full AdmissionReview with what is right to answer. `verdicts.yaml` holds for each of them the whole
// text a person gets, and the guardrail that its words describe is a document in `guardrails/`.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import jsonpatch from 'jsonpatch';
import { parse } from 'yaml';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
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
    readonly horizontalPodAutoscalers?: readonly object[];
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

// The cases leave out what kind of object these are.
const AUTOSCALER = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' };

const OWN_NAMESPACE = 'resize-guard';

const HERE = new URL('./', import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, HERE), 'utf8');
const VERDICTS = (parse(text('verdicts.yaml')) as { readonly judged: Record<string, Answer | null> }).judged;
const FILES = readdirSync(HERE).filter((name) => name.endsWith('.json'));

describe('a case that people really had', () => {
  it('has a verdict, and each guardrail of a case is used by one', () => {
    assert.deepEqual(Object.keys(VERDICTS).sort(), FILES.map((name) => name.slice(0, -'.json'.length)).sort());
    const used = Object.values(VERDICTS).flatMap((answer) => answer?.guardrail ?? []);
    assert.deepEqual([...new Set(used)].sort(), readdirSync(new URL('guardrails/', HERE)).sort());
  });

  for (const [name, answer] of Object.entries(VERDICTS)) {
    const { title, review, context, expect } = JSON.parse(text(`${name}.json`)) as Case;
    it(`${name} (${title}) is ${expect.allowed ? 'allowed' : 'refused'}`, () => {
      const guardrails = answer?.guardrail ? readOwn(answer.guardrail) : [];
      const { nodes = [], pods = [], horizontalPodAutoscalers = [] } = context;
      const autoscalers = horizontalPodAutoscalers.map((own) => ({ ...AUTOSCALER, ...own }));
      const cluster = createClusterView([...nodes, ...pods, ...autoscalers]);
      const setting = { version: context.kubernetesVersion, now: context.now, cluster, guardrails };
      const { response, patch } = post(review, context.phase, { ...contextOf(setting), ownNamespace: OWN_NAMESPACE });
      assert.equal(response.allowed, expect.allowed);
      assertOnlyPatched(review, patch);
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

function readOwn(name: string): readonly Guardrail[] {
  const { guardrails, mistakes } = readGuardrails(text(`guardrails/${name}`), name);
  assert.deepEqual(mistakes, []);
  return guardrails;
}

/** A patch can be applied as it is, and changes nothing but resizePolicy and resources: no annotation, no label, no status. */
function assertOnlyPatched(review: unknown, patch: unknown): void {
  const { object } = (review as { readonly request: { readonly object: { readonly spec?: unknown } } }).request;
  const applied: unknown = jsonpatch.apply_patch(structuredClone(object), (patch ?? []) as never[]);
  assert.deepEqual(withoutPatched(applied), withoutPatched(object));
}

function withoutPatched(json: unknown): unknown {
  const rest = (key: string, value: unknown): unknown =>
    ['resizePolicy', 'resources'].includes(key) ? undefined : value;
  return JSON.parse(JSON.stringify(json, rest)) as unknown;
}
