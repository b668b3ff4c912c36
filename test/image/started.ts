// Starts an image as Kubernetes does by manifests/base: not as root, on a root file system that is read-only, without privileges.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Guard } from '../cluster/guard.ts';

export interface Start {
  /** The folder that holds the file system of the image. */
  readonly root: string;
  readonly user: string;
  readonly command: readonly string[];
  /** Folders that are mounted read-only, by their paths in the image. */
  readonly mounts: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

// In namespaces of its own for mounts and processes, so that all of it ends with the program, which is process 1.
const SCRIPT = `
set -e
root=$1 user=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mkdir -p "$root/proc"
mount -t proc proc "$root/proc"
while [ "$1" != -- ]; do
  mkdir -p "$root$2"
  mount --bind "$1" "$root$2"
  mount -o remount,bind,ro "$root$2"
  shift 2
done
shift
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs chroot --userspec="$user" --groups='' "$root" "$@"
`;

/** Starts it. The guard ends it when nobody else does: a program that changes its user outlives the one that started it. */
export function start(
  guard: Guard,
  { root, user, command, mounts, env }: Start,
): ChildProcessByStdio<null, Readable, Readable> {
  const folders = Object.entries(mounts).flatMap(([path, folder]) => [folder, path]);
  const args = [...'--mount --pid --fork sh -c'.split(' '), SCRIPT, 'start', root, user, ...folders, '--'];
  const started = spawn('unshare', [...args, ...command], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = started;
  if (pid !== undefined) {
    guard.started(pid);
    started.once('exit', () => guard.ended(pid));
  }
  return started;
}

/** The process of the program itself, whose parent is the one that was started. */
export function programOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}

/** What the kernel says that a process may do. */
export function rightsOf(pid: number): Readonly<Record<string, string>> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const names = ['Uid', 'Gid', 'Groups', 'CapPrm', 'CapEff', 'NoNewPrivs'];
  return Object.fromEntries(
    names.map((name) => [name, new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, 'm').exec(status)?.[1] ?? '']),
  );
}

/** The mounts that a process may write to, by their paths, without those that hold no files. */
export function writableMountsOf(pid: number): readonly string[] {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n');
  const mounts = lines.map((line) => line.split(' '));
  return mounts.flatMap(([, , , , path = '', options = '']) =>
    path !== '/proc' && !options.split(',').includes('ro') ? [path] : [],
  );
}
