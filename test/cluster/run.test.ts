// However a run of these tests is interrupted, nothing that it started outlives it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

// A file of tests in the middle of one: it has a program in a folder, and has said the program's pid.
const inTheMiddle = (folder: string, pidFile: string): string => `
  import { writeFileSync } from 'node:fs';
  import { test } from 'node:test';
  import { createGuard } from '${join(import.meta.dirname, 'guard.ts')}';
  import { startProgram } from '${join(import.meta.dirname, 'running.ts')}';
  test('never ends', async () => {
    const { pid } = startProgram('lives', 'sleep', ['600'], { folder: '${folder}', guard: createGuard('${folder}') });
    writeFileSync('${pidFile}', String(pid));
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });
`;

describe('when a run is interrupted', () => {
  for (const { signal, to, code } of [
    { signal: 'SIGINT', to: 'the whole group, as Ctrl-C does', code: 130 },
    { signal: 'SIGINT', to: 'the runner', code: 130 },
    { signal: 'SIGTERM', to: 'the runner', code: 143 },
    { signal: 'SIGKILL', to: 'the whole group', code: null },
  ] as const) {
    it(`by ${signal} to ${to}, its programs end and its folder goes`, async (context) => {
      const folder = mkdtempSync(join(tmpdir(), 'podrail-run-'));
      const [pidFile, file] = [`${folder}.pid`, `${folder}.test.ts`];
      context.after(() => {
        for (const path of [folder, pidFile, file]) rmSync(path, { recursive: true, force: true });
      });
      writeFileSync(file, inTheMiddle(folder, pidFile));
      const run = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), file], {
        // With this variable nothing is built; without the other a test runner runs no tests inside a test.
        env: { ...process.env, KUBEBUILDER_ASSETS: folder, NODE_TEST_CONTEXT: undefined },
        stdio: 'ignore',
        detached: true,
      });
      const closed = once(run, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
      while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') {
        assert.equal(run.exitCode, null, 'the run ended before it was interrupted');
        await sleep(50);
      }
      const pid = Number(readFileSync(pidFile, 'utf8'));
      assert.ok(run.pid !== undefined && isAlive(pid));
      process.kill(to === 'the runner' ? run.pid : -run.pid, signal);
      assert.deepEqual(await closed, [code, code === null ? signal : null]);
      while (existsSync(folder) || isAlive(pid)) await sleep(20);
      assert.deepEqual([existsSync(folder), isAlive(pid)], [false, false]);
    });
  }
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
