// Starting writing-process.ts and talking with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AuditRecord } from '../../src/admission/record.ts';
import { RECORD, until } from './writing.ts';

/** What the process tells its parent. */
export interface Report {
  readonly done?: 'start' | 'write' | 'reopen' | 'close';
  /** A line of its process log. */
  readonly said?: string;
  /** Dropped records by sink, in Prometheus' words; when it closed. */
  readonly dropped?: string;
}

export interface Child {
  readonly process: ChildProcess;
  readonly reports: readonly Report[];
  /** Sends a number of records to write, or `close`, and waits until that is done. */
  readonly order: (order: number | 'close') => Promise<void>;
  readonly reopen: () => Promise<void>;
  readonly exitCode: () => Promise<number | null>;
}

/** The nth record: its uid is n. */
export function toNumbered(number: number): AuditRecord {
  return { ...RECORD, uid: String(number) };
}

/** Starts the process, with its files limited to `maxFileBlocks` of 512 bytes where that is given. */
export async function startChild(
  t: TestContext,
  { path, stdout = 'pipe', maxFileBlocks }: { path?: string; stdout?: 'pipe' | number; maxFileBlocks?: number },
): Promise<Child> {
  const node = [
    process.execPath,
    join(import.meta.dirname, 'writing-process.ts'),
    ...(path === undefined ? [] : [path]),
  ];
  const limited = ['sh', '-c', 'ulimit -f "$0" && exec "$@"', String(maxFileBlocks), ...node];
  const [command = '', ...args] = maxFileBlocks === undefined ? node : limited;
  // A coverage report that the limit cuts off would spoil the report of the whole run.
  const env = maxFileBlocks === undefined ? process.env : { ...process.env, NODE_V8_COVERAGE: '' };
  const child = spawn(command, args, { env, stdio: ['ignore', stdout, 'inherit', 'ipc'] });
  t.after(() => child.kill('SIGKILL'));
  const reports: Report[] = [];
  child.on('message', (report) => void reports.push(report as Report));
  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const countOf = (done: Report['done']): number => reports.filter((report) => report.done === done).length;
  const wait = async (done: Report['done'], act: () => void): Promise<void> => {
    const before = countOf(done);
    act();
    await until(() => countOf(done) > before, `the child has done its ${done}`);
  };
  await wait('start', () => undefined);
  return {
    process: child,
    reports,
    order: (order) => wait(order === 'close' ? 'close' : 'write', () => void child.send(order)),
    reopen: () => wait('reopen', () => void child.kill('SIGHUP')),
    exitCode: () => exit,
  };
}
