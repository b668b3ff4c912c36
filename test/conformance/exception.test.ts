// No exception may be much more of what is compared than it is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Result } from '../fidelity/results.ts';
import { tooMany } from './exception.ts';
import * as purposes from './purposes.ts';

describe('an exception', () => {
  const of = (count: number, compared: number): readonly string[] =>
    tooMany(new Map([['odd', count]]), compared, () => 0.01);

  it('is no larger a share than it may be, give or take a few', () => {
    assert.deepEqual(of(1_010, 100_000), []);
    assert.deepEqual(of(1_011, 100_000), ['odd: 1011 of 100000, where 1010 are the most']);
    assert.deepEqual(of(10, 0), []);
    assert.deepEqual(of(11, 0), ['odd: 11 of 0, where 10 are the most']);
  });

  it('must be known', () => {
    assert.throws(() => purposes.tooMany(new Map([['odd', 1]]), 1), /no reason is written for the exception "odd"/);
  });

  it('fails a run when it jumps to five times what docs/fidelity.md shows', () => {
    const committed = JSON.parse(
      readFileSync(new URL('../fidelity/results.json', import.meta.url), 'utf8'),
    ) as readonly Result[];
    const jumped = committed
      .filter(({ suite }) => suite === 'create validation')
      .map(({ compared, exceptions }) => {
        const counts = new Map(exceptions.map(({ name, count }) => [name, 5 * count + 1000]));
        assert.deepEqual(purposes.tooMany(new Map(exceptions.map(({ name, count }) => [name, count])), compared), []);
        return [purposes.tooMany(counts, compared).length, counts.size];
      });
    assert.deepEqual(
      jumped.map(([found]) => found),
      jumped.map(([, all]) => all),
    );
  });
});
