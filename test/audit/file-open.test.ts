import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type AuditFileOptions, openAuditFile } from '../../src/audit/file.ts';
import { AuditFileError } from '../../src/audit/file-open.ts';
import { createFolder, createMemoryLog, withoutPrivilege } from './writing.ts';

describe('an audit file that cannot be used', () => {
  test('has no directory', async (t) => {
    const folder = createFolder(t);
    assert.equal(
      await problemOf(join(folder, 'logs/audit.log')),
      `audit file "${folder}/logs/audit.log" has no directory; make "${folder}/logs" or name another file`,
    );
  });

  test('is inside a file', async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, 'logs'), '');
    assert.equal(
      await problemOf(join(folder, 'logs/audit.log')),
      `audit file "${folder}/logs/audit.log" is inside something that is no directory; ` +
        `name another file than one in "${folder}/logs"`,
    );
  });

  test('is a directory', async (t) => {
    const folder = createFolder(t);
    mkdirSync(join(folder, 'logs'));
    assert.equal(
      await problemOf(join(folder, 'logs')),
      `audit file "${folder}/logs" is a directory; name a file in it, like "${folder}/logs/audit.log"`,
    );
  });

  test('is a pipe', async (t) => {
    const path = join(createFolder(t), 'pipe');
    execFileSync('mkfifo', [path]);
    assert.equal(
      await problemOf(path),
      `audit file "${path}" is a pipe; name a file (standard output has every record already)`,
    );
  });

  test('belongs to someone else, or is in a directory that does', async (t) => {
    for (const make of [makeForeignFile, makeForeignFolder]) {
      const folder = createFolder(t);
      const path = make(folder);
      await withoutPrivilege(folder, async () => {
        assert.equal(
          await problemOf(path),
          `audit file "${path}" may not be written by user ${process.geteuid?.()}; ` +
            `let it write to the file and to "${folder}"`,
        );
      });
      chmodSync(folder, 0o755);
    }
  });

  test('has a name that no file can have', async () => {
    const path = `/${'x'.repeat(300)}`;
    assert.equal(
      await problemOf(path),
      `audit file "${path}" cannot be opened: Error: ENAMETOOLONG: name too long, open '${path}'`,
    );
  });

  for (const [what, options, problem] of [
    ['no size', { maxBytes: 0 }, 'must have a size of at least 1 byte; it has 0'],
    ['a size that is no number of bytes', { maxBytes: 1.5 }, 'must have a size of at least 1 byte; it has 1.5'],
    ['nowhere to rotate to', { maxFiles: 1 }, 'must keep at least 2 files; it keeps 1'],
  ] as const) {
    test(`has ${what}`, async (t) => {
      const path = join(createFolder(t), 'audit.log');
      assert.equal(await problemOf(path, options), `audit file "${path}" ${problem}`);
    });
  }
});

test('an audit file may be a device, which is not rotated', async (t: TestContext) => {
  const file = await openAuditFile({ path: '/dev/null', maxBytes: 1, log: createMemoryLog() });
  t.after(() => file.close());
  assert.equal(await file.append(Buffer.from('1\n2\n')), 4);
});

async function problemOf(path: string, options: Partial<AuditFileOptions> = {}): Promise<string> {
  const opening = openAuditFile({ path, ...options, log: createMemoryLog() });
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AuditFileError);
  return error.message;
}

function makeForeignFile(folder: string): string {
  const path = join(folder, 'audit.log');
  writeFileSync(path, '');
  chmodSync(path, 0o400);
  return path;
}

function makeForeignFolder(folder: string): string {
  chmodSync(folder, 0o555);
  return join(folder, 'audit.log');
}
