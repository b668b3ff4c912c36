// The real `podrail`, as a process, for tests: what it says, how it ends.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';

const root = dirname(dirname(import.meta.dirname));
const MAIN = join(root, 'src', 'main.ts');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command to its end. */
export function run(args: readonly string[], input = ''): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: root,
    input,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

export interface Running {
  readonly process: ChildProcess;
  readonly out: () => string;
  /** Lines of the process log. */
  readonly log: () => readonly LogLine[];
  /** Waits until the log has a line with this message; throws when the process ends first. */
  readonly logged: (message: string) => Promise<LogLine>;
  /** Waits until standard error has this text; gives all of it. */
  readonly said: (text: string) => Promise<string>;
  /** Waits until standard output has this many lines. */
  readonly printed: (lines: number) => Promise<readonly string[]>;
  readonly ended: Promise<number | null>;
}

export interface LogLine {
  readonly msg: string;
  readonly level: string;
  readonly listen?: string;
  readonly adminListen?: string;
  readonly caFile?: string;
}

/** Starts `podrail serve` on free ports of this machine. */
export function serve(...args: readonly string[]): Running {
  return start('serve', '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', ...args);
}

/** Starts podrail. */
export function start(...args: readonly string[]): Running {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  let isOver = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(child, 'close').then(([code]) => {
    isOver = true;
    return code as number | null;
  });
  const log = () =>
    err
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogLine);
  const until = async <Value>(look: () => Value | undefined): Promise<Value> => {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (isOver) throw new Error(`podrail ended:\n${err}`);
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended]);
    }
  };
  return {
    process: child,
    out: () => out,
    log,
    logged: (message) => until(() => log().find(({ msg }) => msg === message)),
    said: (text) => until(() => (err.includes(text) ? err : undefined)),
    printed: (lines) =>
      until(() => {
        const whole = out.split('\n').slice(0, -1);
        return whole.length >= lines ? whole : undefined;
      }),
    ended,
  };
}
