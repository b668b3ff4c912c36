import assert from 'node:assert/strict';
import { openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { Registry } from 'prom-client';
import { openAudit } from '../../src/audit/audit.ts';
import { AuditFileError } from '../../src/audit/file-open.ts';
import { type Child, startChild, toNumbered } from './child-process.ts';
import { markerSchema, recordSchema } from './record-schema.ts';
import { createFolder, createMemoryLog, RECORD, readFolder, until } from './writing.ts';

describe('the audit', () => {
  test('puts a record on the output, in the file and in the counters', async (t) => {
    const path = join(createFolder(t), 'audit.log');
    const output = new PassThrough();
    const registry = new Registry();
    const log = createMemoryLog();
    const audit = await openAudit({ output, file: { path }, registry, log });
    audit.write(RECORD);
    await audit.close();
    assert.deepEqual(recordSchema.parse(JSON.parse(String(output.read()))), RECORD);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), RECORD);
    assert.match(await registry.metrics(), /^podrail_decisions_total\{.*decision="deny".*\} 1$/m);
    assert.deepEqual(log.told, []);
  });

  test('needs no file, and then has nothing to open again', async () => {
    const output = new PassThrough();
    const registry = new Registry();
    const audit = await openAudit({ output, registry, log: createMemoryLog() });
    await audit.reopen();
    audit.write(RECORD);
    await audit.close();
    assert.deepEqual(JSON.parse(String(output.read())), RECORD);
    assert.doesNotMatch(await registry.metrics(), /sink="file"/);
  });

  test('does not open with a file that cannot be used', async (t) => {
    const path = createFolder(t);
    const opening = openAudit({
      output: new PassThrough(),
      file: { path },
      registry: new Registry(),
      log: createMemoryLog(),
    });
    await assert.rejects(opening, AuditFileError);
  });
});

describe('a process that audits', () => {
  test('writes each record once on standard output and once in its file, and ends', async (t) => {
    const path = join(createFolder(t), 'audit.log');
    const child = await startChild(t, { path });
    const output = text(child.process.stdout!);
    await child.order(1000);
    await child.order('close');
    assert.equal(await child.exitCode(), 0);
    assert.equal(numbersIn(await output), '0-999');
    assert.equal(numbersIn(readFileSync(path, 'utf8')), '0-999');
    assert.deepEqual(droppedOf(child), { log: 0, file: 0 });
  });

  test('writes the same where standard output is a file', async (t) => {
    const folder = createFolder(t);
    const child = await startChild(t, { stdout: openSync(join(folder, 'out'), 'a') });
    await child.order(1000);
    await child.order('close');
    assert.equal(await child.exitCode(), 0);
    assert.equal(numbersIn(readFileSync(join(folder, 'out'), 'utf8')), '0-999');
  });

  test('goes on, fills its file, counts and ends when nobody reads its standard output', async (t) => {
    const path = join(createFolder(t), 'audit.log');
    const child = await startChild(t, { path });
    for (let turn = 1; turn <= 20; turn += 1) {
      await child.order(1000);
      await until(() => statSync(path).size >= turn * 800_000, 'the file has kept up');
    }
    await child.order('close');
    assert.equal(await child.exitCode(), 0);
    assert.equal(numbersIn(readFileSync(path, 'utf8')), '0-19999');
    const { log, file } = droppedOf(child);
    assert.equal(file, 0);
    assert.ok(log !== undefined && log > 15_000, `${log} of 20000 are dropped`);
    assert.deepEqual(saidBy(child).map(withoutNumbers), [
      'audit log does not keep up; records are dropped and counted',
      'audit log was not written out in time; N records are lost',
    ]);
  });

  test('shows a reader that comes late what it missed', async (t) => {
    const child = await startChild(t, {});
    await child.order(20_000);
    const output = text(child.process.stdout!);
    await until(() => saidBy(child).length === 2, 'the hole has ended');
    await child.order(1);
    await child.order('close');
    const lines = (await output).trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('"dropped"'));
    const { dropped } = markerSchema.parse(JSON.parse(lines[at]!));
    assert.equal(numbersIn(`${lines.slice(0, at).join('\n')}\n`), `0-${20_000 - dropped - 1}`);
    assert.deepEqual(lines.slice(at + 1), [JSON.stringify(toNumbered(20_000))]);
    assert.deepEqual(droppedOf(child), { log: dropped });
  });

  test('goes on when the reader of its standard output goes away', async (t) => {
    const path = join(createFolder(t), 'audit.log');
    const child = await startChild(t, { path });
    await child.order(10);
    child.process.stdout!.destroy();
    for (let turn = 0; turn < 3; turn += 1) await child.order(1000);
    await until(() => saidBy(child).length === 1, 'writing has failed');
    await child.order('close');
    assert.equal(await child.exitCode(), 0);
    assert.equal(numbersIn(readFileSync(path, 'utf8')), '0-3009');
    assert.equal(saidBy(child)[0], 'audit log cannot be written; records wait in memory and it is tried again');
  });

  test('tears no line and loses none when its file may not grow in the middle of one', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    const child = await startChild(t, { path, maxFileBlocks: 200 });
    child.process.stdout!.resume();
    await child.order(150);
    await until(() => saidBy(child).length === 1, 'writing has failed');
    renameSync(path, `${path}.moved`);
    await child.reopen();
    await child.order('close');
    assert.equal(await child.exitCode(), 0);
    const { 'audit.log.moved': first = '', 'audit.log': second = '' } = readFolder(folder);
    assert.ok(first.endsWith('\n') && second.length > 0);
    assert.equal(numbersIn(first + second), '0-149');
    assert.deepEqual(droppedOf(child), { log: 0, file: 0 });
  });

  test('goes on in a new file after SIGHUP', async (t) => {
    const folder = createFolder(t);
    const path = join(folder, 'audit.log');
    const child = await startChild(t, { path });
    child.process.stdout!.resume();
    await child.order(10);
    renameSync(path, `${path}.moved`);
    await child.reopen();
    await child.order(10);
    await child.order('close');
    const files = readFolder(folder);
    assert.deepEqual(Object.values(files).map(numbersIn), ['10-19', '0-9']);
  });
});

/** The numbers of the records in a text, in their order: `0-99` where none is missing and each is there once. */
function numbersIn(lines: string): string {
  assert.ok(lines === '' || lines.endsWith('\n'), 'the last line is whole');
  const runs: { first: number; last: number }[] = [];
  for (const line of lines.split('\n').slice(0, -1)) {
    const number = Number((JSON.parse(line) as { readonly uid: string }).uid);
    assert.equal(line, JSON.stringify(toNumbered(number)));
    const run = runs.at(-1);
    if (run && run.last + 1 === number) run.last = number;
    else runs.push({ first: number, last: number });
  }
  return runs.map(({ first, last }) => `${first}-${last}`).join(' ');
}

function saidBy(child: Child): readonly string[] {
  return child.reports.flatMap(({ said }) => (said === undefined ? [] : [said]));
}

function withoutNumbers(message: string): string {
  return message.replaceAll(/\d+/g, 'N');
}

function droppedOf(child: Child): Record<string, number> {
  const series = child.reports.find(({ dropped }) => dropped !== undefined)?.dropped ?? '';
  const found = [...series.matchAll(/sink="(\w+)"\} (\d+)/g)];
  return Object.fromEntries(found.map(([, sink = '', count]) => [sink, Number(count)]));
}
