// The amounts by which podrail's findings are judged, worked out apart from podrail and known to Kubernetes' own code.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QuantityAnswer } from './answers.ts';
import { readGoldenLines } from './golden-lines.ts';
import { amountOf, isMore, isUncountable, isUncountableSum, isUnbounded } from './written-amounts.ts';

const LINES = readGoldenLines('quantities.jsonl').flatMap(({ question, answers }) => {
  const { quantity } = question as { readonly quantity?: string };
  const [first] = answers;
  return quantity === undefined || first === undefined ? [] : [{ quantity, ...(first.answer as QuantityAnswer) }];
});

/** As far as one nano. */
function roundedUp({ over, under }: { readonly over: bigint; readonly under: bigint }): bigint {
  const nanos = over * 10n ** 9n;
  const away = nanos % under === 0n ? 0n : nanos < 0n ? -1n : 1n;
  return nanos / under + away;
}

describe('the amount of a text', () => {
  it('is what it is to Kubernetes, and is counted where Kubernetes counts it', () => {
    const known = LINES.filter(({ problem, quantity }) => problem === undefined && !isUnbounded(quantity));
    assert.ok(known.length > 500, `${known.length}`);
    for (const { quantity, nanos = '', value, milliValue } of known) {
      const amount = amountOf(quantity);
      assert.ok(amount, quantity);
      assert.equal(String(roundedUp(amount)), nanos, quantity);
      if (isMore({ ...amount, over: -amount.over }, 0n)) continue;
      const up = (unit: bigint): string => String((BigInt(nanos) + unit - 1n) / unit);
      assert.equal(isUncountable('memory', amount), up(10n ** 9n) !== value, quantity);
      assert.equal(isUncountable('cpu', amount), up(10n ** 6n) !== milliValue, quantity);
    }
  });

  it('is none of what is no quantity', () => {
    for (const text of ['one', '1O', '1 Gi', '1e', '1Kib', '--1', '1e2Ki'])
      assert.equal(amountOf(text), undefined, text);
  });

  it('is counted in thousandths of a sum only of cpu', () => {
    const amount = amountOf('1e16');
    assert.ok(amount);
    assert.deepEqual(
      ['cpu', 'example.com/gpu', 'memory'].map((name) => [isUncountable(name, amount), isUncountableSum(name, amount)]),
      [
        [true, true],
        [true, false],
        [false, false],
      ],
    );
  });
});
