import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvalidObject } from '../../src/model/invalid-object.ts';
import { type LabelOperator, matchesLabels, readLabelSelector } from '../../src/model/label-selector.ts';

function matches(json: unknown, labels: Record<string, string>): boolean {
  return matchesLabels(readLabelSelector(json, 'selector'), labels);
}

test('a selector is read with its labels and expressions', () => {
  const json = {
    matchLabels: { tier: 'tenant' },
    matchExpressions: [
      { key: 'env', operator: 'In', values: ['dev', 'test'] },
      { key: 'legacy', operator: 'DoesNotExist' },
    ],
  };
  assert.deepEqual(readLabelSelector(json, 'selector'), {
    matchLabels: { tier: 'tenant' },
    matchExpressions: [
      { key: 'env', operator: 'In', values: ['dev', 'test'] },
      { key: 'legacy', operator: 'DoesNotExist', values: [] },
    ],
  });
});

test('an absent and an empty selector match everything', () => {
  for (const json of [undefined, null, {}, { matchLabels: null, matchExpressions: [] }]) {
    assert.equal(matches(json, {}), true);
    assert.equal(matches(json, { a: 'b' }), true);
  }
  assert.equal(matchesLabels({}, { a: 'b' }), true);
});

const expressions: readonly (readonly [LabelOperator, readonly string[], Record<string, string>, boolean])[] = [
  ['In', ['a', 'b'], { k: 'b' }, true],
  ['In', ['a', 'b'], { k: 'c' }, false],
  ['In', ['a', 'b'], {}, false],
  ['NotIn', ['a', 'b'], { k: 'c' }, true],
  ['NotIn', ['a', 'b'], { k: 'a' }, false],
  ['NotIn', ['a', 'b'], {}, true],
  ['Exists', [], { k: '' }, true],
  ['Exists', [], { other: 'x' }, false],
  ['DoesNotExist', [], {}, true],
  ['DoesNotExist', [], { k: 'a' }, false],
];

for (const [operator, values, labels, expected] of expressions) {
  test(`k ${operator} [${values.join(', ')}] ${expected ? 'matches' : 'does not match'} ${JSON.stringify(labels)}`, () => {
    assert.equal(matches({ matchExpressions: [{ key: 'k', operator, values }] }, labels), expected);
  });
}

test('an expression without values is one with none', () => {
  assert.equal(matchesLabels({ matchExpressions: [{ key: 'k', operator: 'Exists' }] }, { k: 'x' }), true);
});

test('all labels and all expressions must match', () => {
  const json = { matchLabels: { a: '1', b: '2' }, matchExpressions: [{ key: 'c', operator: 'Exists' }] };
  assert.equal(matches(json, { a: '1', b: '2', c: '' }), true);
  assert.equal(matches(json, { a: '1', b: '3', c: '' }), false);
  assert.equal(matches(json, { a: '1', c: '' }), false);
  assert.equal(matches(json, { a: '1', b: '2' }), false);
});

test('names that every object inherits are no labels', () => {
  assert.equal(matches({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, {}), false);
  assert.equal(matches({ matchExpressions: [{ key: 'toString', operator: 'DoesNotExist' }] }, {}), true);
  assert.equal(matches(JSON.parse('{"matchLabels":{"__proto__":"x"}}'), {}), false);
});

const invalid: readonly (readonly [unknown, string])[] = [
  ['x', 'selector must be a map, not a string'],
  [{ matchLables: {} }, 'selector.matchLables is no field of a label selector'],
  [{ matchLabels: [] }, 'selector.matchLabels must be a map, not a list'],
  [{ matchLabels: { a: 1 } }, 'selector.matchLabels[a] must be a string, not a number'],
  [{ matchExpressions: {} }, 'selector.matchExpressions must be a list, not a map'],
  [{ matchExpressions: [null] }, 'selector.matchExpressions[0] must be a map, not null'],
  [{ matchExpressions: [{ operator: 'Exists' }] }, 'selector.matchExpressions[0].key must be set'],
  [
    { matchExpressions: [{ key: 'a', operator: 'in', values: ['b'] }] },
    'selector.matchExpressions[0].operator must be one of In, NotIn, Exists, DoesNotExist, not "in"',
  ],
  [
    { matchExpressions: [{ key: 'a', operator: 'NotIn' }] },
    'selector.matchExpressions[0].values must have at least one value for NotIn',
  ],
  [
    { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
    'selector.matchExpressions[0].values must be left out for Exists',
  ],
  [
    { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 3] }] },
    'selector.matchExpressions[0].values[1] must be a string, not a number',
  ],
];

for (const [json, message] of invalid) {
  test(`a selector is refused: ${message}`, () => {
    assert.throws(
      () => readLabelSelector(json, 'selector'),
      (error) => error instanceof InvalidObject && error.message === message,
    );
  });
}

test('law: NotIn is the opposite of In, DoesNotExist of Exists', () => {
  const text = fc.constantFrom('a', 'b', 'c', 'constructor');
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1 }), fc.dictionary(text, text), (key, values, labels) => {
      const one = (operator: LabelOperator): boolean =>
        matchesLabels({ matchExpressions: [{ key, operator, values }] }, labels);
      assert.equal(one('NotIn'), !one('In'));
      assert.equal(one('DoesNotExist'), !one('Exists'));
    }),
  );
});
