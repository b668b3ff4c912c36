// Both servers as processes of their own on one core, and one load against one of them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLUSTER } from './bodies.ts';

export interface Server {
  readonly name: string;
  readonly port: number;
  readonly caFile: string;
  readonly process: ChildProcess;
}

export interface Measured {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU microseconds of the server process for one request: the steadiest figure on a shared machine. */
  readonly cpu: number;
}

const hasTaskset = spawnSync('taskset', ['-V']).status === 0;

function node(core: number, args: readonly string[]): readonly [string, readonly string[]] {
  return hasTaskset ? ['taskset', ['-c', String(core), process.execPath, ...args]] : [process.execPath, args];
}

/** Starts a script and waits for the line that says where it listens. */
function start(name: string, args: readonly string[]): Promise<Server> {
  const [command, all] = node(0, args);
  const child = spawn(command, all, { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let log = '';
    child.on('exit', (code) => reject(new Error(`${name} ended with ${code}: ${log}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const line = log.split('\n').find((text) => text.includes('"caFile"') && text.endsWith('}'));
      if (line === undefined) return;
      const { listen, caFile } = JSON.parse(line) as { readonly listen: string; readonly caFile: string };
      resolve({ name, port: Number(listen.split(':').at(-1)), caFile, process: child });
    });
  });
}

export function startBare(folder: string): Promise<Server> {
  return start('bare', [join(import.meta.dirname, 'bare-server.ts'), folder]);
}

/** podrail as people run it: `serve`, every rule of the baseline, a node that is known. */
export function startPodrail(folder: string): Promise<Server> {
  const cluster = join(folder, 'cluster.json');
  writeFileSync(cluster, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: CLUSTER }));
  const main = join(import.meta.dirname, '../../src/main.ts');
  const flags = [
    '--listen',
    '127.0.0.1:0',
    '--admin-listen',
    '127.0.0.1:0',
    '--ca-out',
    join(folder, 'podrail'),
    '--cluster',
    cluster,
    '--kubernetes-version',
    '1.35',
  ];
  return start('podrail', [main, 'serve', ...flags]);
}

export async function measure(server: Server, path: string, bodyFile: string, seconds: number): Promise<Measured> {
  const load = { port: server.port, caFile: server.caFile, path, bodyFile, connections: 10, seconds };
  const before = cpuMicroseconds(server.process.pid);
  const { rate, p50, p99, requests } = await runLoad(JSON.stringify(load));
  return { rate, p50, p99, cpu: (cpuMicroseconds(server.process.pid) - before) / requests };
}

interface Seen {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

function runLoad(load: string): Promise<Seen> {
  const [command, args] = node(1, [join(import.meta.dirname, 'load.ts'), load]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(out) as Seen) : reject(new Error(`the load ended with ${code}`)),
    );
  });
}

// utime and stime of /proc/PID/stat, in ticks of 10 ms; 0 where there is no such file.
function cpuMicroseconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return 0;
  }
}
