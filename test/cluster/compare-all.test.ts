// What differs is said as it was found, before anybody looks for something smaller, and looking ends.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { agree, compareAll, compareEach, type Comparison, type Judged } from './compare-all.ts';

const differs = (what: string): Comparison => ({ kind: 'difference', sort: 'large', what });
// 10 and more differ.
const judge = (one: number): Promise<Judged> =>
  Promise.resolve([one < 10 ? { kind: 'same' } : differs(`${one} is large`)]);

describe('what is compared', () => {
  it('is counted by what came of it', async () => {
    const comparisons: Judged = [
      { kind: 'same' },
      { kind: 'exception', names: ['a', 'b'] },
      { kind: 'uncompared', name: 'c' },
      differs('d'),
    ];
    const { smaller, ...tally } = await compareEach([1, 2], () => Promise.resolve(comparisons), 2);
    assert.deepEqual(tally, {
      compared: 6,
      exceptions: new Map([
        ['a', 2],
        ['b', 2],
      ]),
      uncompared: new Map([['c', 2]]),
      count: 2,
      differences: ['large: 2 of them, the first\nd\ncase 0: 1'],
    });
    assert.deepEqual(await smaller(), tally.differences);
  });

  it('agrees where nothing differs', async () => {
    const said: string[] = [];
    await agree(await compareEach([1, 2], judge, 2), (text) => said.push(text));
    assert.deepEqual(said, []);
  });

  it('is said as it was found, and then thrown as small as it becomes', async () => {
    const said: string[] = [];
    const tally = await compareAll(fc.nat(1000), judge, { seed: 1, cases: 50, lanes: 3 });
    assert.ok(tally.count > 0);
    await assert.rejects(
      agree(tally, (text) => said.push(text)),
      ({ message }: Error) =>
        message.startsWith(`${tally.count} of 50 differ\n\nlarge: ${tally.count} of them, the smallest\n10 is large`) &&
        message.endsWith(':\n10'),
    );
    assert.deepEqual(said, [`${tally.count} of 50 differ\n\n${tally.differences.join('\n\n')}\n`]);
    assert.match(tally.differences.join(), /^large: \d+ of them, the first\n(\d+) is large\ncase \d+: \1$/);
  });

  it('is as it was found when there is no time to make it smaller', async () => {
    const tally = await compareAll(fc.nat(1000), judge, { seed: 1, cases: 50, lanes: 3, shrinkMs: -1 });
    assert.match((await tally.smaller()).join(), /did not differ again in time: \d+ is large$/);
  });
});
