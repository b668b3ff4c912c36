import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { createLineWriter } from '../../src/audit/line-writer.ts';
import { createOutput } from '../../src/audit/output.ts';
import { createDropCount, createFolder, createMemoryLog, messagesOf, until } from './writing.ts';

const LINE = `${'x'.repeat(999)}\n`;

describe('the output', () => {
  test('writes to a stream', async () => {
    const stream = new PassThrough();
    const output = createOutput(stream);
    assert.equal(await output.append(Buffer.from('one\ntwo\n')), 8);
    await output.close();
    assert.equal(String(stream.read()), 'one\ntwo\n');
  });

  test('writes to a file, and leaves it open', async (t) => {
    const path = join(createFolder(t), 'out');
    const output = createOutput(Object.assign(new PassThrough(), { fd: openSync(path, 'a') }));
    assert.equal(await output.append(Buffer.from('one\n')), 4);
    await output.close();
    assert.equal(await output.append(Buffer.from('two\n')), 4);
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
  });

  test('rejects when the disk is full', async () => {
    const output = createOutput(Object.assign(new PassThrough(), { fd: openSync('/dev/full', 'w') }));
    await assert.rejects(output.append(Buffer.from('one\n')), { code: 'ENOSPC' });
  });

  test('waits for a reader that reads nothing, within a bounded queue', async (t) => {
    const reader = spawn('sleep', ['60'], { stdio: ['pipe', 'ignore', 'ignore'] });
    t.after(() => reader.kill());
    const log = createMemoryLog();
    const { countDropped, dropped } = createDropCount();
    const target = createOutput(reader.stdin);
    const limits = { maxQueuedBytes: 1_000_000, closeMs: 50 };
    const writer = createLineWriter({ sink: 'log', target, log, countDropped, ...limits });
    for (let turn = 0; turn < 50; turn += 1) {
      for (let number = 0; number < 100; number += 1) writer.write(LINE);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    assert.ok((dropped['log'] ?? 0) > 3000, 'most lines are dropped');
    assert.deepEqual(messagesOf(log.told), ['error: audit log does not keep up; records are dropped and counted']);
    await writer.close();
    assert.ok((dropped['log'] ?? 0) > 4000, 'the queued lines are counted as lost');
    assert.equal(log.told.length, 2);
  });

  test('outlives a reader that goes away', async () => {
    const reader = spawn('true', [], { stdio: ['pipe', 'ignore', 'ignore'] });
    await new Promise((resolve) => {
      reader.once('exit', resolve);
    });
    const log = createMemoryLog();
    const { countDropped, dropped } = createDropCount();
    const target = createOutput(reader.stdin);
    const writer = createLineWriter({ sink: 'log', target, log, countDropped, retryMs: 1, closeMs: 50 });
    for (let number = 0; number < 1000; number += 1) writer.write(LINE);
    await until(() => log.told.length === 1, 'writing has failed');
    await writer.close();
    assert.deepEqual(dropped, { log: 1000 });
    assert.deepEqual(messagesOf(log.told), [
      'error: audit log cannot be written; records wait in memory and it is tried again',
      'error: audit log was not written out in time; 1000 records are lost',
    ]);
  });
});
