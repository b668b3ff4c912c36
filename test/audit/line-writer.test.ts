import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LineTarget } from '../../src/audit/line-target.ts';
import { createLineWriter } from '../../src/audit/line-writer.ts';
import { markerSchema } from './record-schema.ts';
import { createDropCount, createMemoryLog, createMemoryTarget, messagesOf, until } from './writing.ts';

const LINE = `${'x'.repeat(99)}\n`;
const FULL = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

describe('a line writer', () => {
  test('writes every line once and in order', async () => {
    const { writer, target, log, dropped } = writerTo(createMemoryTarget());
    const lines = Array.from({ length: 10_000 }, (_, number) => `line ${number}\n`);
    for (const line of lines) writer.write(line);
    await writer.close();
    assert.equal(target.text(), lines.join(''));
    assert.deepEqual([log.told, dropped], [[], {}]);
  });

  test('asks its target for nothing before the caller is done, then for all lines at once', async () => {
    const asked: string[] = [];
    const { writer } = writerTo({
      append: (lines) => Promise.resolve(asked.push(lines.toString())).then(() => lines.length),
      close: () => Promise.resolve(),
    });
    writer.write('a\n');
    writer.write('b\n');
    await Promise.resolve();
    assert.deepEqual(asked, []);
    await writer.close();
    assert.deepEqual(asked, ['a\nb\n']);
  });

  test('hands out at most 64 KiB at a time, and a longer line whole', async () => {
    const asked: number[] = [];
    const { writer } = writerTo({
      append: (lines) => Promise.resolve(asked.push(lines.length)).then(() => lines.length),
      close: () => Promise.resolve(),
    });
    const long = `${'y'.repeat(100_000)}\n`;
    for (const line of [...Array.from({ length: 1000 }, () => LINE), long, LINE]) writer.write(line);
    await writer.close();
    assert.deepEqual(asked, [65_500, 34_500, 100_001, 100]);
  });

  test('goes on where its target left off', async () => {
    let text = '';
    const { writer } = writerTo({
      append: (lines) => {
        text += lines.subarray(0, 7).toString();
        return Promise.resolve(Math.min(7, lines.length));
      },
      close: () => Promise.resolve(),
    });
    for (let number = 0; number < 10; number += 1) writer.write(`line ${number}\n`);
    await writer.close();
    assert.equal(text, Array.from({ length: 10 }, (_, number) => `line ${number}\n`).join(''));
  });

  test('drops what does not fit, counts it, says when that begins and ends, and marks the hole', async () => {
    const { target, release } = createStuckTarget();
    const { writer, log, dropped } = writerTo(target, { maxQueuedBytes: 1000 });
    for (let number = 0; number < 10; number += 1) writer.write(LINE);
    for (let number = 0; number < 5; number += 1) writer.write(LINE);
    assert.deepEqual(dropped, { file: 5 });
    assert.deepEqual(log.told, [
      {
        level: 'error',
        fields: { sink: 'file' },
        message: 'audit file does not keep up; records are dropped and counted',
      },
    ]);
    release();
    await until(() => log.told.length === 2, 'the hole ends');
    writer.write('next\n');
    await writer.close();
    const written = target.text().split('\n');
    assert.deepEqual(written.slice(0, 10), Array(10).fill(LINE.trimEnd()));
    const marker = markerSchema.parse(JSON.parse(written[10]!));
    assert.deepEqual(written.slice(11), ['next', '']);
    assert.equal(marker.dropped, 5);
    assert.ok(marker.since <= marker.time);
    assert.deepEqual(log.told[1], {
      level: 'warn',
      fields: { sink: 'file', dropped: 5, since: marker.since },
      message: 'audit file keeps up again; 5 records were dropped',
    });
    assert.deepEqual(dropped, { file: 5 });
  });

  test('ends a hole once, when half of its queue is free, however the lines come', async () => {
    const { target, release } = createStuckTarget();
    const { writer, log, dropped } = writerTo(target, { maxQueuedBytes: 1000 });
    for (let number = 0; number < 11; number += 1) writer.write(LINE);
    release(1);
    await until(() => target.text() !== '', 'a part is written');
    writer.write(LINE);
    assert.deepEqual(messagesOf(log.told), ['error: audit file does not keep up; records are dropped and counted']);
    release();
    await writer.close();
    assert.deepEqual(dropped, { file: 2 });
    assert.equal(log.told.length, 2);
    assert.equal(target.text().match(/"dropped":2,/g)?.length, 1);
  });

  test('drops a short line that would fit after a long one that did not, so that a hole is a hole', async () => {
    const { target, release } = createStuckTarget();
    const { writer, dropped } = writerTo(target, { maxQueuedBytes: 1000 });
    for (let number = 0; number < 9; number += 1) writer.write(LINE);
    writer.write(`${'y'.repeat(200)}\n`);
    writer.write('short\n');
    release();
    await writer.close();
    assert.deepEqual(dropped, { file: 2 });
    assert.doesNotMatch(target.text(), /short/);
  });

  test('marks a hole when the line was longer than the whole queue', async () => {
    const { writer, target, dropped } = writerTo(createMemoryTarget(), { maxQueuedBytes: 50 });
    writer.write(LINE);
    await writer.close();
    assert.deepEqual(dropped, { file: 1 });
    assert.equal(markerSchema.parse(JSON.parse(target.text())).dropped, 1);
  });

  test('counts the bytes of its lines, not their characters', () => {
    const { writer, dropped } = writerTo(createStuckTarget().target, { maxQueuedBytes: 100 });
    writer.write(`${'é'.repeat(49)}\n`);
    writer.write('é\n');
    assert.deepEqual(dropped, { file: 1 });
  });

  test('keeps trying while its target fails, says so once, and loses nothing', async () => {
    let failures = 3;
    const memory = createMemoryTarget();
    const target = {
      ...memory,
      append: (lines: Buffer) => (failures-- > 0 ? Promise.reject(FULL) : memory.append(lines)),
    };
    const { writer, log, dropped } = writerTo(target, { retryMs: 1 });
    writer.write('a\n');
    await until(() => target.text() !== '', 'it is written');
    writer.write('b\n');
    await writer.close();
    assert.equal(target.text(), 'a\nb\n');
    assert.deepEqual(log.told, [
      {
        level: 'error',
        fields: { sink: 'file', err: FULL },
        message: 'audit file cannot be written; records wait in memory and it is tried again',
      },
      { level: 'info', fields: { sink: 'file' }, message: 'audit file is written again' },
    ]);
    assert.deepEqual(dropped, {});
  });

  test('does not wait out a pause when it is closed', async () => {
    let failures = 1;
    const memory = createMemoryTarget();
    const target = {
      ...memory,
      append: (lines: Buffer) => (failures-- > 0 ? Promise.reject(FULL) : memory.append(lines)),
    };
    const { writer, log } = writerTo(target, { retryMs: 1000, closeMs: 20_000 });
    writer.write('a\n');
    await until(() => log.told.length === 1, 'it has failed');
    await writer.close();
    assert.equal(target.text(), 'a\n');
  });

  for (const [what, append] of [
    ['fails', () => Promise.reject(FULL)],
    ['is stuck', () => new Promise<number>(() => undefined)],
  ] as const) {
    test(`ends in time when its target ${what}, and counts what is lost`, async () => {
      const { writer, log, dropped } = writerTo({ append, close: () => Promise.resolve() }, { closeMs: 50 });
      for (let number = 0; number < 1000; number += 1) writer.write(LINE);
      await writer.close();
      assert.deepEqual(dropped, { file: 1000 });
      assert.deepEqual(log.told.at(-1), {
        level: 'error',
        fields: { sink: 'file', dropped: 1000 },
        message: 'audit file was not written out in time; 1000 records are lost',
      });
    });
  }

  test('counts as lost only the lines that are not out when its time is over', async () => {
    const { target, release } = createStuckTarget();
    release(250);
    const { writer, dropped } = writerTo(target, { closeMs: 50 });
    for (let number = 0; number < 10; number += 1) writer.write(LINE);
    await writer.close();
    assert.equal(target.text().length, 250);
    assert.deepEqual(dropped, { file: 8 });
  });

  test('ends in time when its target does not close, and says when closing fails', async () => {
    const stuck = { ...createMemoryTarget(), close: () => new Promise<void>(() => undefined) };
    await writerTo(stuck, { closeMs: 50 }).writer.close();
    const { writer, log } = writerTo({ ...createMemoryTarget(), close: () => Promise.reject(FULL) });
    await writer.close();
    assert.deepEqual(log.told, [
      { level: 'error', fields: { sink: 'file', err: FULL }, message: 'audit file could not be closed' },
    ]);
  });

  test('closes its target once, after the last line; what comes later is counted', async () => {
    const happened: string[] = [];
    const { writer, dropped } = writerTo({
      append: (lines) => Promise.resolve(happened.push(lines.toString())).then(() => lines.length),
      close: () => Promise.resolve(void happened.push('closed')),
    });
    writer.write('a\n');
    await Promise.all([writer.close(), writer.close()]);
    writer.write('late\n');
    await writer.close();
    assert.deepEqual(happened, ['a\n', 'closed']);
    assert.deepEqual(dropped, { file: 1 });
  });
});

function writerTo<Target extends LineTarget>(
  target: Target,
  limits: { maxQueuedBytes?: number; retryMs?: number; closeMs?: number } = {},
) {
  const log = createMemoryLog();
  const { countDropped, dropped } = createDropCount();
  return { target, log, dropped, writer: createLineWriter({ sink: 'file', target, log, countDropped, ...limits }) };
}

/** A target that takes nothing until it is released, for all bytes or for so many. */
function createStuckTarget() {
  let text = '';
  let room = 0;
  let wake: () => void = () => undefined;
  const append = async (lines: Buffer): Promise<number> => {
    while (room === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const part = lines.subarray(0, room);
    room -= part.length;
    text += part.toString();
    return part.length;
  };
  const release = (bytes = Number.POSITIVE_INFINITY): void => {
    room = bytes;
    wake();
  };
  return { target: { append, close: () => Promise.resolve(), text: () => text }, release };
}
