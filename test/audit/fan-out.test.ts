import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditSink } from '../../src/admission/record.ts';
import { createFanOut } from '../../src/audit/fan-out.ts';
import { createDropCount, createMemoryLog, RECORD } from './writing.ts';

const FAILURE = new Error('no such luck');

const failing: AuditSink = {
  write: () => {
    throw FAILURE;
  },
  close: () => Promise.reject(FAILURE),
};

describe('the fan-out', () => {
  test('hands every sink the same record, and closes every sink', async () => {
    const happened: unknown[] = [];
    const keeping: AuditSink = {
      write: (record) => void happened.push(record),
      close: () => Promise.resolve(void happened.push('closed')),
    };
    const log = createMemoryLog();
    const { countDropped, dropped } = createDropCount();
    const sinks = createFanOut({ one: keeping, two: keeping }, { log, countDropped });
    sinks.write(RECORD);
    await sinks.close();
    assert.deepEqual(happened, [RECORD, RECORD, 'closed', 'closed']);
    assert.deepEqual([log.told, dropped], [[], {}]);
  });

  test('lets a sink that fails hurt neither the others nor the caller, counts it and says so', async () => {
    const happened: unknown[] = [];
    const keeping: AuditSink = {
      write: (record) => void happened.push(record),
      close: () => Promise.resolve(void happened.push('closed')),
    };
    const log = createMemoryLog();
    const { countDropped, dropped } = createDropCount();
    const sinks = createFanOut({ bad: failing, good: keeping }, { log, countDropped });
    sinks.write(RECORD);
    await sinks.close();
    assert.deepEqual(happened, [RECORD, 'closed']);
    assert.deepEqual(dropped, { bad: 1 });
    assert.deepEqual(log.told, [
      {
        level: 'error',
        fields: { sink: 'bad', record: RECORD.id, err: FAILURE },
        message: 'audit bad did not take a record',
      },
      { level: 'error', fields: { sink: 'bad', err: FAILURE }, message: 'audit bad could not be closed' },
    ]);
  });

  test('outlives a sink that throws where it should reject', async () => {
    const log = createMemoryLog();
    const throwing: AuditSink = { ...failing, close: failing.write as unknown as AuditSink['close'] };
    await createFanOut({ bad: throwing }, { log, countDropped: () => undefined }).close();
    assert.deepEqual(log.told, [
      { level: 'error', fields: { sink: 'bad', err: FAILURE }, message: 'audit bad could not be closed' },
    ]);
  });
});
