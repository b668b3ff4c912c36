import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { createSparseWrite } from '../../src/http/log.ts';
import type { ProcessLog } from '../../src/admission/process-log.ts';

describe('the log of the HTTP side', () => {
  it('may be a pino logger', () => {
    const written: string[] = [];
    const log: ProcessLog = pino({ base: null, timestamp: false }, { write: (line) => written.push(line) });
    log.warn({ status: 400 }, 'a request was refused');
    assert.deepEqual(written, ['{"level":40,"status":400,"msg":"a request was refused"}\n']);
  });

  it('takes 20 lines in ten seconds, and then says how many it left out', () => {
    let time = 1000;
    const lines: unknown[] = [];
    const write = createSparseWrite(
      (fields, message) => lines.push([fields, message]),
      () => time,
    );
    for (let line = 1; line <= 25; line += 1) write({ line }, 'refused');
    time += 9999;
    write({ line: 26 }, 'refused');
    assert.deepEqual(
      lines,
      Array.from({ length: 20 }, (_, index) => [{ line: index + 1 }, 'refused']),
    );
    lines.length = 0;
    time += 1;
    write({ line: 27 }, 'refused');
    write({ line: 28 }, 'refused');
    assert.deepEqual(lines, [
      [{ line: 27, linesOmittedBefore: 6 }, 'refused'],
      [{ line: 28 }, 'refused'],
    ]);
  });
});
