import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LabelOperator, type LabelSelector, matchesLabels } from '../../src/model/label-selector.ts';

test('an empty selector matches everything', () => {
  for (const selector of [{}, { matchLabels: {}, matchExpressions: [] }]) {
    assert.equal(matchesLabels(selector, {}), true);
    assert.equal(matchesLabels(selector, { a: 'b' }), true);
  }
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
    assert.equal(matchesLabels({ matchExpressions: [{ key: 'k', operator, values }] }, labels), expected);
  });
}

test('an expression without values is one with none', () => {
  assert.equal(matchesLabels({ matchExpressions: [{ key: 'k', operator: 'Exists' }] }, { k: 'x' }), true);
});

test('all labels and all expressions must match', () => {
  const json: LabelSelector = { matchLabels: { a: '1', b: '2' }, matchExpressions: [{ key: 'c', operator: 'Exists' }] };
  assert.equal(matchesLabels(json, { a: '1', b: '2', c: '' }), true);
  assert.equal(matchesLabels(json, { a: '1', b: '3', c: '' }), false);
  assert.equal(matchesLabels(json, { a: '1', c: '' }), false);
  assert.equal(matchesLabels(json, { a: '1', b: '2' }), false);
});

test('names that every object inherits are no labels', () => {
  assert.equal(matchesLabels({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, {}), false);
  assert.equal(matchesLabels({ matchExpressions: [{ key: 'toString', operator: 'DoesNotExist' }] }, {}), true);
  assert.equal(matchesLabels(JSON.parse('{"matchLabels":{"__proto__":"x"}}') as LabelSelector, {}), false);
});

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
