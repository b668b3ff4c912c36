import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type AuditFileOptions, openAuditFile } from '../../src/audit/file.ts';
import { createLineWriter } from '../../src/audit/line-writer.ts';
import { markerSchema } from './record-schema.ts';
import {
  createDropCount,
  createFolder,
  createMemoryLog,
  messagesOf,
  readFolder,
  until,
  withoutPrivilege,
} from './writing.ts';

describe('the audit file', () => {
  test('is made for its owner only, and appended to when it is there', async (t) => {
    const folder = createFolder(t);
    await writeAll(folder, ['one\n', 'two\n']);
    await writeAll(folder, ['three\n']);
    assert.deepEqual(readFolder(folder), { 'audit.log': 'one\ntwo\nthree\n' });
    assert.equal(statSync(join(folder, 'audit.log')).mode & 0o777, 0o600);
  });

  test('keeps the mode that someone gave it', async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, 'audit.log'), '');
    chmodSync(join(folder, 'audit.log'), 0o640);
    await writeAll(folder, ['one\n']);
    assert.equal(statSync(join(folder, 'audit.log')).mode & 0o777, 0o640);
  });

  test('ends the line that a crash left torn, once there is a line to write', async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, 'audit.log'), 'one\n{"schema":"podrail.d');
    await writeAll(folder, []);
    assert.deepEqual(readFolder(folder), { 'audit.log': 'one\n{"schema":"podrail.d' });
    await writeAll(folder, ['two\n', 'three\n']);
    assert.deepEqual(readFolder(folder), { 'audit.log': 'one\n{"schema":"podrail.d\ntwo\nthree\n' });
  });

  test('ends a torn line also when it rotates at once', async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, 'audit.log'), 'one\ntorn');
    await writeAll(folder, ['two\n'], { maxBytes: 10 });
    assert.deepEqual(readFolder(folder), { 'audit.log': 'two\n', 'audit.log.1': 'one\ntorn\n' });
  });
});

describe('the audit file, rotated by size,', () => {
  test('gives its name to a new file before a line would pass the size; the oldest file goes', async (t) => {
    const folder = createFolder(t);
    const lines = ['1111\n', '2222\n', '3333\n', '4444\n', '5555\n', '6666\n', '7777\n'];
    await writeAll(folder, lines, { maxBytes: 10, maxFiles: 3 });
    assert.deepEqual(readFolder(folder), {
      'audit.log': '7777\n',
      'audit.log.1': '5555\n6666\n',
      'audit.log.2': '3333\n4444\n',
    });
  });

  test('counts what was in the file before', async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, 'audit.log'), '1111\n');
    await writeAll(folder, ['2222\n', '3333\n'], { maxBytes: 10 });
    assert.deepEqual(readFolder(folder), { 'audit.log': '3333\n', 'audit.log.1': '1111\n2222\n' });
  });

  test('gives a line that is longer than a file a file of its own', async (t) => {
    const folder = createFolder(t);
    await writeAll(folder, ['1\n', '22222222222222\n', '3\n'], { maxBytes: 10 });
    assert.deepEqual(readFolder(folder), {
      'audit.log': '3\n',
      'audit.log.1': '22222222222222\n',
      'audit.log.2': '1\n',
    });
  });

  test('uses a number that is free, and leaves older files where they are', async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, 'audit.log'), '3333\n');
    writeFileSync(join(folder, 'audit.log.2'), '1111\n');
    await writeAll(folder, ['4444\n'], { maxBytes: 5 });
    assert.deepEqual(readFolder(folder), {
      'audit.log': '4444\n',
      'audit.log.1': '3333\n',
      'audit.log.2': '1111\n',
    });
  });

  test('loses no line, doubles none and tears none, whatever the lengths and the size', async (t) => {
    const folder = createFolder(t);
    let run = 0;
    const anyLine = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => `${text.replaceAll('\n', '')}\n`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyLine, { maxLength: 40 }),
        fc.integer({ min: 1, max: 200 }),
        async (lines, maxBytes) => {
          run += 1;
          const path = join(folder, `${run}.log`);
          await writeAll(folder, lines, { path, maxBytes, maxFiles: 100 });
          const files = oldestFirst(path);
          assert.equal(files.join(''), lines.join(''));
          for (const file of files) {
            assert.ok(file === '' || file.endsWith('\n'));
            assert.ok(Buffer.byteLength(file) <= maxBytes || file.indexOf('\n') === file.length - 1);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test('keeps each of a hundred thousand lines exactly once', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    const lines = Array.from(
      { length: 100_000 },
      (_, number) => `{"id":${number},"pad":"${'x'.repeat(number % 97)}"}\n`,
    );
    const log = await writeAll(folder, lines, { path, maxBytes: 500_000, maxFiles: 50 });
    const files = oldestFirst(path);
    assert.ok(files.length > 10);
    assert.ok(files.every((file) => file.endsWith('\n') && file.length <= 500_000));
    assert.ok(files.join('') === lines.join(''), 'the files together are the lines');
    assert.deepEqual(log.told, []);
  });

  test('starts anew when someone emptied the file', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    const { file } = await opened(t, { path, maxBytes: 10 });
    await file.append(Buffer.from('1111\n2222\n'));
    truncateSync(path);
    await file.append(Buffer.from('3333\n'));
    assert.deepEqual(readFolder(folder), { 'audit.log': '3333\n' });
  });

  test('starts anew when someone deleted the file', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    const { file, log } = await opened(t, { path, maxBytes: 10 });
    await file.append(Buffer.from('1111\n2222\n'));
    unlinkSync(path);
    await file.append(Buffer.from('3333\n'));
    assert.deepEqual(readFolder(folder), { 'audit.log': '3333\n' });
    assert.deepEqual(log.told, []);
  });

  test('outgrows its size rather than lose a record when it cannot be renamed, and says so', async (t) => {
    const folder = createFolder(t);
    mkdirSync(join(folder, 'audit.log.1'));
    const path = join(folder, 'audit.log');
    const { file, log } = await opened(t, { path, maxBytes: 50, maxFiles: 2 });
    for (let number = 10; number < 22; number += 1) await file.append(Buffer.from(`line ${number}\n`));
    const expected = Array.from({ length: 12 }, (_, index) => `line ${index + 10}\n`).join('');
    assert.equal(readFileSync(path, 'utf8'), expected);
    assert.deepEqual(
      [...new Set(messagesOf(log.told))],
      ['error: audit file could not be rotated; it grows past its size'],
    );
  });
});

describe('the audit file, opened again,', () => {
  test('goes on in a new file of its name, and in the renamed one until then', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    const { file, log } = await opened(t, { path });
    await file.append(Buffer.from('1\n'));
    renameSync(path, join(folder, 'moved.log'));
    await file.append(Buffer.from('2\n'));
    await file.reopen();
    assert.deepEqual(readFolder(folder), { 'audit.log': '', 'moved.log': '1\n2\n' });
    await file.append(Buffer.from('3\n'));
    assert.deepEqual(readFolder(folder), { 'audit.log': '3\n', 'moved.log': '1\n2\n' });
    assert.deepEqual(log.told, []);
  });

  test('loses no line and doubles none while thousands are on their way', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    const { file, writer } = await opened(t, { path });
    const lines = Array.from({ length: 20_000 }, (_, number) => `line ${number}\n`);
    const moved: string[] = [];
    for (let start = 0; start < lines.length; start += 1000) {
      for (const line of lines.slice(start, start + 1000)) writer.write(line);
      const name = join(folder, `moved-${start}.log`);
      renameSync(path, name);
      moved.push(name);
      await file.reopen();
    }
    await writer.close();
    assert.equal([...moved, path].map((name) => readFileSync(name, 'utf8')).join(''), lines.join(''));
  });

  test('says when that fails, and tries with the next line', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    const { file, writer, log } = await opened(t, { path });
    renameSync(path, join(folder, 'moved.log'));
    mkdirSync(path);
    await file.reopen();
    assert.deepEqual(messagesOf(log.told), ['error: audit file could not be opened again; that is retried']);
    writer.write('1\n');
    await until(() => log.told.length === 2, 'writing has failed');
    renameSync(path, join(folder, 'folder'));
    await writer.close();
    assert.equal(readFileSync(path, 'utf8'), '1\n');
  });
});

describe('the audit file, on a disk that fails,', () => {
  test('keeps what is queued, marks what was dropped, and goes on when there is room', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    symlinkSync('/dev/full', path);
    const { writer, log, dropped } = await opened(t, { path }, 1000);
    for (let number = 100; number < 200; number += 1) writer.write(`line ${number}\n`);
    writer.write(`${'x'.repeat(100)}\n`);
    await until(() => log.told.length === 2, 'writing has failed');
    unlinkSync(path);
    await until(() => existsSync(path) && statSync(path).size > 1000, 'the marker is written');
    writer.write('the next\n');
    await writer.close();
    const lines = readFileSync(path, 'utf8').split('\n');
    assert.deepEqual(
      lines.slice(0, 100),
      Array.from({ length: 100 }, (_, index) => `line ${index + 100}`),
    );
    assert.equal(markerSchema.parse(JSON.parse(lines[100]!)).dropped, 1);
    assert.deepEqual(lines.slice(101), ['the next', '']);
    assert.deepEqual(dropped, { file: 1 });
    assert.deepEqual(messagesOf(log.told), [
      'error: audit file does not keep up; records are dropped and counted',
      'error: audit file cannot be written; records wait in memory and it is tried again',
      'info: audit file is written again',
      'warn: audit file keeps up again; 1 records were dropped',
    ]);
  });

  test('rejects what it could not keep at all', async (t) => {
    const path = join(createFolder(t), 'audit.log');
    symlinkSync('/dev/full', path);
    const { file } = await opened(t, { path });
    await assert.rejects(file.append(Buffer.from('1\n')), { code: 'ENOSPC' });
  });

  test('keeps what is queued while it may not make its file', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    await withoutPrivilege(folder, async () => {
      const { file, writer, log } = await opened(t, { path });
      renameSync(path, `${path}.1`);
      chmodSync(folder, 0o555);
      await file.reopen();
      writer.write('1111\n');
      await until(() => log.told.length === 2, 'writing has failed');
      chmodSync(folder, 0o755);
      await writer.close();
      assert.deepEqual(messagesOf(log.told), [
        'error: audit file could not be opened again; that is retried',
        'error: audit file cannot be written; records wait in memory and it is tried again',
        'info: audit file is written again',
      ]);
    });
    assert.deepEqual(readFolder(folder), { 'audit.log': '1111\n', 'audit.log.1': '' });
  });
});

/** Opens the file with a writer before it. */
async function opened(t: TestContext, options: Omit<AuditFileOptions, 'log'>, maxQueuedBytes = 100_000_000) {
  const log = createMemoryLog();
  const { countDropped, dropped } = createDropCount();
  const file = await openAuditFile({ ...options, log });
  const writer = createLineWriter({ sink: 'file', target: file, log, countDropped, maxQueuedBytes, closeMs: 20_000 });
  t.after(() => writer.close());
  return { file, writer, log, dropped };
}

/** Writes the lines to `audit.log` and closes it. */
async function writeAll(folder: string, lines: readonly string[], options: Partial<AuditFileOptions> = {}) {
  const log = createMemoryLog();
  const target = await openAuditFile({ path: join(folder, 'audit.log'), ...options, log });
  const limits = { maxQueuedBytes: 100_000_000, closeMs: 20_000 };
  const writer = createLineWriter({ sink: 'file', target, log, countDropped: () => undefined, ...limits });
  for (const line of lines) writer.write(line);
  await writer.close();
  return log;
}

/** What the rotated files hold, in the order in which it was written. */
function oldestFirst(path: string): readonly string[] {
  const names = [path];
  while (existsSync(`${path}.${names.length}`)) names.push(`${path}.${names.length}`);
  return names.reverse().map((name) => readFileSync(name, 'utf8'));
}
