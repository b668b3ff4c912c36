import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decodeTime, isValid } from 'ulid';
import { createRecordIds } from '../../src/audit/record-id.ts';

describe('the id of a record', () => {
  test('is a ULID of the time it is made for', () => {
    const id = createRecordIds()(Date.parse('2026-11-30T09:00:00.123Z'));
    assert.ok(isValid(id), id);
    assert.equal(decodeTime(id), Date.parse('2026-11-30T09:00:00.123Z'));
  });

  test('sorts by time, whichever process made it', () => {
    const earlier = createRecordIds()(1_000_000);
    const later = createRecordIds()(1_000_001);
    assert.deepEqual([later, earlier].sort(), [earlier, later]);
  });

  test('sorts after every earlier one of its process, whatever the clock does', () => {
    const anyTime = fc.double({ min: -1e12, max: 2e14, noNaN: true });
    fc.assert(
      fc.property(fc.array(anyTime), (times) => {
        const ids = times.map(createRecordIds());
        assert.deepEqual(ids, [...new Set(ids)].sort());
        assert.ok(ids.every(isValid));
      }),
    );
  });

  test('is not shared by two processes that make ten thousand in the same millisecond', () => {
    const one = createRecordIds();
    const other = createRecordIds();
    const ids = Array.from({ length: 10_000 }, () => [one(5), other(5)]).flat();
    assert.equal(new Set(ids).size, 20_000);
  });
});
