// A rule for the containers that are not left out: what it sees of the request beside their changes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDocument } from 'yaml';
import { boundExpansion } from '../../src/guardrails/alias-expansion.ts';
import { withoutContainers } from '../../src/guardrails/containers.ts';
import { toMistakeText } from '../../src/guardrails/mistake.ts';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import type { Facts } from '../../src/rules/facts.ts';
import { RULES } from '../../src/rules/index.ts';
import type { Rule } from '../../src/rules/rule.ts';
import { factsOf, fixturesOf } from '../rules/read-fixture.ts';

const PER_CONTAINER = RULES.find(({ perContainer }) => perContainer) as Rule;

describe('a rule from which containers are left out', () => {
  it('sees all of the request but their changes', () => {
    for (const { fixture } of fixturesOf('resize-autoscaled')) {
      const facts = factsOf(fixture);
      const seen: Facts[] = [];
      const rule: Rule = {
        ...PER_CONTAINER,
        check(given: Facts) {
          seen.push(given);
          return [];
        },
      };
      withoutContainers(rule, () => true).check(facts, {});
      const [given] = seen;
      assert.ok(given);
      const { scope, pod, before, requester, version, now, node, namespace, autoscalers } = facts;
      assert.deepEqual(
        {
          scope: given.scope,
          pod: given.pod,
          before: given.before,
          requester: given.requester,
          version: given.version,
          now: given.now,
          node: given.node.state,
          namespace: given.namespace.name,
          autoscalers: given.autoscalers,
        },
        { scope, pod, before, requester, version, now, node: node.state, namespace: namespace.name, autoscalers },
      );
      assert.deepEqual(
        given.changes,
        facts.changes.filter(({ container }) => container === undefined),
      );
    }
  });
});

describe('a guardrail with aliases', () => {
  it('has the mistake of a missing field in the map that lacks it, also below a merge that does not bring it', () => {
    const text = [
      'apiVersion: podrail.dev/v1alpha1',
      'kind: Guardrail',
      'metadata: { name: ours }',
      'spec: { <<: { mode: warn } }',
      '',
    ].join('\n');
    assert.deepEqual(
      readGuardrails(text, 'g.yaml')
        .mistakes.map(toMistakeText)
        .map((line) => line.split(' ')[0]),
      ['g.yaml:4:7'],
    );
  });

  it('may come from aliases to less of it the larger it is, as kubectl allows', () => {
    const withAliases = (written: number, aliases: number): unknown =>
      parseDocument(`a: &a [${'0,'.repeat(1_000)}]\nb: [${'0,'.repeat(written)}${'*a,'.repeat(aliases)}]\n`).contents;
    assert.doesNotThrow(() => boundExpansion(withAliases(150_000, 400)));
    assert.throws(() => boundExpansion(withAliases(0, 600)), /more than kubectl reads/);
  });
});
