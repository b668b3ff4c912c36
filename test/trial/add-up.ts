// Rows added up as on paper: each `=` must be what stands above it.
import assert from 'node:assert/strict';
import { MILLI, parseQuantity, UNIT } from '../../src/model/quantity.ts';
import { amountText, type SumRow } from '../../src/rules/sum.ts';

const nanosOf = (amount: SumRow['amount']): bigint => parseQuantity(amountText(amount).replace('none', '0')).nanos;

/** Times are left aside. */
export function addUp(rows: readonly SumRow[]): void {
  let running = 0n;
  let isRounded = false;
  const sums: bigint[] = [];
  for (const { sign, label, amount } of rows) {
    if (typeof amount === 'string') continue;
    const nanos = nanosOf(amount);
    if (sign === ' ') running = nanos;
    else if (sign === '+') running += nanos;
    else if (sign === '-') running -= nanos;
    else if (sign === '×') running = (running * nanos) / UNIT;
    else if (sign === '÷') running = (running * UNIT) / nanos;
    else if (label === 'the largest of these') running = sums.reduce((a, b) => (a > b ? a : b), 0n);
    if (sign === '×' || sign === '÷') isRounded = true;
    if (sign !== '=') continue;
    // What is stored is a whole millicore, or a whole byte.
    const grade = amountText(amount).endsWith('m') || nanos < UNIT * 1024n ? MILLI : UNIT;
    if (isRounded) assert.ok(nanos - running <= grade && running - nanos <= grade, `${label}: ${nanos}, ${running}`);
    else assert.equal(nanos, running, label);
    sums.push(nanos);
    isRounded = false;
  }
}
