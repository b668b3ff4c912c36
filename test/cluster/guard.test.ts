// However a test process ends, nothing that it started outlives it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const ENDINGS = {
  'closes its guard': 'await guard.close();',
  'forgets to': '',
  throws: "throw new Error('a test failed');",
  'is interrupted': "process.kill(process.pid, 'SIGINT');",
  'is killed': "process.kill(process.pid, 'SIGKILL');",
};

// Starts two programs that start another each, stops one, says the pid of what the other has started, and ends.
const script = (folder: string, ending: string): string => `
  import { readFileSync } from 'node:fs';
  import { createGuard } from '${join(import.meta.dirname, 'guard.ts')}';
  import { startProgram, untilReady } from '${join(import.meta.dirname, 'running.ts')}';
  const folder = '${folder}';
  const guard = createGuard(folder);
  const [lives, stopped] = ['lives', 'stopped'].map((name) =>
    startProgram(name, 'sh', ['-c', 'sleep 600 & echo $!; wait'], { folder, guard }));
  const pid = () => readFileSync(lives.out, 'utf8').trim();
  await untilReady(lives, async () => pid() !== '');
  await stopped.stop();
  console.log(pid());
  ${ending}
`;

describe('when a test process', () => {
  for (const [title, ending] of Object.entries(ENDINGS)) {
    it(`${title}, its programs end, and its folder goes`, async (context) => {
      const folder = mkdtempSync(join(tmpdir(), 'podrail-guard-'));
      context.after(() => rmSync(folder, { recursive: true, force: true }));
      const code = script(folder, ending);
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
      const pid = Number(stdout);
      assert.ok(pid > 0, 'the process did not come to its end');
      // The guard acts after the process; the test's own time limit ends a wait that has no end.
      const remains = (): readonly boolean[] => [existsSync(folder), isAlive(pid)];
      while (remains().includes(true)) await sleep(20);
      assert.deepEqual(remains(), [false, false]);
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
