// The setting `nodes` of resize-within-node: what an operator may write, and what is a mistake.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { declaredNode } from '../../src/rules/declared-node.ts';

const mistakes: readonly (readonly [title: string, entry: unknown, place: string])[] = [
  ['without a selector', { cpuManager: 'static' }, 'selector'],
  ['with a policy that no CPU manager has', { selector: {}, cpuManager: 'Static' }, 'cpuManager'],
  [
    'with an unknown operator',
    withRequirement({ key: 'pool', operator: 'Is' }),
    'selector.matchExpressions.0.operator',
  ],
  ['with In and no values', withRequirement({ key: 'pool', operator: 'In' }), 'selector.matchExpressions.0.values'],
  [
    'with Exists and a value',
    withRequirement({ key: 'pool', operator: 'Exists', values: ['a'] }),
    'selector.matchExpressions.0.values',
  ],
];

describe('a declared node', () => {
  test('may say what it knows of the kubelet, and leave the rest out', () => {
    const entry = {
      selector: { matchLabels: { pool: 'pinned' }, matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] },
      memoryManager: 'Static',
    };
    assert.deepEqual(declaredNode.parse(entry), entry);
  });

  for (const [title, entry, place] of mistakes) {
    test(`${title} is a mistake at ${place}`, () => {
      const { error } = declaredNode.safeParse(entry);
      assert.deepEqual(
        error?.issues.map(({ path }) => path.join('.')),
        [place],
      );
    });
  }
});

function withRequirement(requirement: unknown): unknown {
  return { selector: { matchExpressions: [requirement] } };
}
