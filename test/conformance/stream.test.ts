// A run goes on until so many questions were compared as were wanted, and counts the differences of each kind.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { differs, type Outcome, SAME } from './answers.ts';
import { startOracle } from './oracle.ts';
import { askAll, type Tally } from './stream.ts';
import type { Stream, SuiteName } from './suites.ts';

interface Question {
  readonly n: number;
}

const EXCUSED: Outcome = { differences: [], exceptions: ['odd'] };

function streamOf(compare: (n: number) => Outcome | undefined): Stream<Question> {
  return {
    name: 'resizes',
    suites: ['resize validation'],
    questions: fc.record({ n: fc.nat(99) }),
    compare({ n }, answer) {
      assert.deepEqual(answer, { n });
      const outcome = compare(n);
      return outcome === undefined ? {} : { 'resize validation': outcome };
    },
  };
}

/** What came of it; the oracle says again what it is asked. */
async function run(stream: Stream<Question>, wanted: number): Promise<{ asked: number; tally: Tally | undefined }> {
  const oracle = startOracle('cat');
  const suites = new Map<SuiteName, Tally>();
  try {
    const asked = await askAll(stream, wanted, 1, [{ minor: '1.37', oracle }], new Map([['1.37', suites]]));
    return { asked, tally: suites.get('resize validation') };
  } finally {
    await oracle.close();
  }
}

describe('a stream of questions', () => {
  it('asks on for what cannot be compared and for what differs on purpose', async () => {
    const { asked, tally } = await run(
      streamOf((n) => (n % 3 === 0 ? undefined : n % 2 === 0 ? SAME : EXCUSED)),
      5_000,
    );
    assert.ok(tally);
    const plain = tally.compared - tally.excused;
    assert.ok(plain >= 5_000 && plain < 6_000, `${plain}`);
    assert.ok(asked > tally.compared && tally.excused > 4_000, JSON.stringify({ asked, tally }));
    assert.equal(tally.exceptions.get('odd'), tally.excused);
  });

  it('asks no batch more than it needs where everything can be compared', async () => {
    assert.equal(
      (
        await run(
          streamOf(() => SAME),
          3_000,
        )
      ).asked,
      3_000,
    );
    assert.equal(
      (
        await run(
          streamOf(() => SAME),
          7,
        )
      ).asked,
      7,
    );
  });

  it('gives up where nothing can be compared', async () => {
    await assert.rejects(
      run(
        streamOf(() => undefined),
        2_000,
      ),
      /^Error: resizes: too few can be compared$/,
    );
  });

  it('counts the differences of each kind, and keeps an example of each', async () => {
    const { tally } = await run(
      streamOf((n) => differs(n % 2 === 0 ? 'even' : 'odd', n, '')),
      2_000,
    );
    const found = [...(tally?.found.values() ?? [])];
    assert.deepEqual(new Set(found.map(({ first }) => first.kind)), new Set(['even', 'odd']));
    assert.equal(
      found.reduce((sum, { count }) => sum + count, 0),
      tally?.differences,
    );
  });
});
