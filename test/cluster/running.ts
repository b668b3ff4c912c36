// One program that runs beside the tests: what it says goes to files, and it is stopped by its pid.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard } from './guard.ts';

export interface Running {
  readonly name: string;
  /** The files that hold its standard output and its standard error. */
  readonly out: string;
  readonly err: string;
  /** undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly hasEnded: () => boolean;
  /** Sends the signal and waits until the process is gone. Throws when it had to be killed, since it was not done by then. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

/** Where a program runs: its folder, for what it says, and who ends it if we cannot. */
export interface Place {
  readonly folder: string;
  readonly guard: Guard;
}

// podrail answers its clients for 5 s more, waits for at most 10 s for what is under way, and then writes out its records.
const GRACE_MS = 40_000;
const POLL_MS = 100;

export function startProgram(name: string, command: string, args: readonly string[], place: Place): Running {
  const out = join(place.folder, `${name}.out.log`);
  const err = join(place.folder, `${name}.err.log`);
  const files = [openSync(out, 'a'), openSync(err, 'a')] as const;
  const child = spawn(command, args, { cwd: place.folder, stdio: ['ignore', ...files], detached: true });
  for (const file of files) closeSync(file);
  child.unref();
  const { pid } = child;
  if (pid !== undefined) place.guard.started(pid);
  let isOver = false;
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]).finally(() => {
    isOver = true;
    if (pid !== undefined) place.guard.ended(pid);
  });
  // Who waits for readiness says why it ended; a rejection with nobody waiting would end the tests without a word.
  ended.catch(() => undefined);
  return {
    name,
    out,
    err,
    pid,
    hasEnded: () => isOver,
    async stop(signal = 'SIGTERM') {
      if (isOver || pid === undefined) return;
      // The group: what it has started ends with it.
      signalGroup(pid, signal);
      let isKilled = false;
      const timer = setTimeout(() => {
        isKilled = true;
        signalGroup(pid, 'SIGKILL');
      }, GRACE_MS);
      await ended;
      clearTimeout(timer);
      if (isKilled) throw new Error(`${name} was killed, ${GRACE_MS / 1000} s after ${signal}`);
    },
  };
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Asks until the answer is yes. Throws, with the last lines of its log, when the program ends first or takes too long. */
export async function untilReady(program: Running, isReady: () => Promise<boolean>, limitMs = 180_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isReady())) {
    if (program.hasEnded()) throw new Error(`${program.name} ended before it was ready:\n${lastLines(program)}`);
    if (performance.now() > deadline) {
      throw new Error(`${program.name} was not ready within ${limitMs / 1000} s:\n${lastLines(program)}`);
    }
    await sleep(POLL_MS);
  }
}

function lastLines({ err }: Running): string {
  return readFileSync(err, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
}
