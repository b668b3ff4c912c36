// Lines and columns of offsets, held against counting them one by one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createLines, type Place } from '../../src/guardrails/places.ts';

function counted(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

// Longer than any piece in which a text may be counted, with long lines, short ones and none.
const text = fc
  .array(
    fc.record({ piece: fc.constantFrom('\n', '\r\n', 'a', 'ab\n', '€'), times: fc.integer({ min: 0, max: 5_000 }) }),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.map(({ piece, times }) => piece.repeat(times)).join(''));

describe('the line and column of an offset', () => {
  it('are what counting line ends gives', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), (written, numbers) => {
        const toPlace = createLines(written);
        const offsets = [0, written.length, ...numbers.map((number) => number % (written.length + 1))];
        assert.deepEqual(
          offsets.map(toPlace),
          offsets.map((offset) => counted(written, offset)),
        );
      }),
    );
  });

  it('are known of a text that is nothing but line ends, in no more memory than the text', () => {
    const written = '\n'.repeat(8 * 1024 * 1024);
    const before = process.memoryUsage().heapUsed;
    const toPlace = createLines(written);
    assert.deepEqual(toPlace(written.length), { line: written.length + 1, column: 1 });
    assert.ok(process.memoryUsage().heapUsed - before < 4 * written.length);
  });
});
