// Ends the programs of a cluster and removes its folder, however the test process ends: done, thrown, interrupted, killed.
//
// A handler of signals would not run on SIGKILL, nor when a test runner gives up on a file. So a small shell in a session
// of its own reads from a pipe that only the test process holds: when that process is gone, whatever the reason, the pipe
// is closed, and the shell kills what is still alive.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const SHELL = `
alive=' '
while read -r word it; do
  case $word in
    started) alive="$alive$it " ;;
    ended) alive="\${alive%% $it *} \${alive#* $it }" ;;
  esac
done
for pid in $alive; do kill -KILL -"$pid"; done
for attempt in 1 2 3 4 5; do rm -rf "$@" && break; sleep 0.2; done
`;

export interface Guard {
  /** A process that leads a group of its own (`detached`), so that what it started goes with it. */
  readonly started: (pid: number) => void;
  readonly ended: (pid: number) => void;
  /** Kills what has not ended, removes the folder, and resolves when both are done. */
  readonly close: () => Promise<void>;
}

export function createGuard(folder: string): Guard {
  const shell = spawn('sh', ['-c', SHELL, 'guard', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const closed = once(shell, 'close');
  // A test that threw before it stopped its cluster ends all the same.
  shell.unref();
  shell.stdin.on('error', () => undefined);
  return {
    started: (pid) => void shell.stdin.write(`started ${pid}\n`),
    ended: (pid) => void shell.stdin.write(`ended ${pid}\n`),
    async close() {
      shell.ref();
      shell.stdin.end();
      await closed;
    },
  };
}
