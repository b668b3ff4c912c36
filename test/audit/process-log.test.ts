import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toQuietLog } from '../../src/audit/quiet-log.ts';
import { createMemoryLog } from './writing.ts';

describe('a quiet process log', () => {
  test('says what it is told', () => {
    const log = createMemoryLog();
    const quiet = toQuietLog(log);
    quiet.info({ a: 1 }, 'one');
    quiet.warn({ a: 2 }, 'two');
    quiet.error({ a: 3 }, 'three');
    assert.deepEqual(log.told, [
      { level: 'info', fields: { a: 1 }, message: 'one' },
      { level: 'warn', fields: { a: 2 }, message: 'two' },
      { level: 'error', fields: { a: 3 }, message: 'three' },
    ]);
  });

  test('does not throw where the process log does', () => {
    const throwing = (): never => {
      throw new Error('ENOSPC: no space left on device');
    };
    const quiet = toQuietLog({ info: throwing, warn: throwing, error: throwing });
    quiet.info({}, 'one');
    quiet.warn({}, 'two');
    quiet.error({}, 'three');
  });
});
