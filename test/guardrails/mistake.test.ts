import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest, suggestion, toMistakeText } from '../../src/guardrails/mistake.ts';

describe('a mistake', () => {
  it('is told with its place', () => {
    const mistake = { file: 'podrail.yaml', line: 12, column: 5, message: 'unknown setting maxFactr' };
    assert.equal(toMistakeText(mistake), 'podrail.yaml:12:5 unknown setting maxFactr');
  });

  it('that is in the file as a whole is told without a line', () => {
    assert.equal(
      toMistakeText({ file: 'a.yaml', line: 0, column: 0, message: 'cannot be read' }),
      'a.yaml cannot be read',
    );
  });

  const slips: readonly (readonly [string, string | undefined])[] = [
    ['enforced', 'enforce'],
    ['Warn', 'warn'],
    ['fxi', 'fix'],
    ['audti', 'audit'],
    ['quantity-plausable', 'quantity-plausible'],
    ['nothing-like-it', undefined],
    ['', undefined],
  ];
  const known = ['enforce', 'warn', 'audit', 'fix', 'quantity-plausible'];
  for (const [word, near] of slips) {
    it(`of writing "${word}" ${near === undefined ? 'suggests nothing' : `suggests ${near}`}`, () => {
      assert.equal(nearest(word, known), near);
      assert.equal(suggestion(word, known), near === undefined ? '' : `; did you mean ${near}?`);
    });
  }
});
