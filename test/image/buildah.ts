// buildah, with everything that it keeps in one folder; it needs no daemon, and with isolation by chroot no container runtime.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs one command of it and gives what it says on standard output. Throws with all that it said when it fails. */
export type Buildah = (command: string, ...args: readonly string[]) => string;

/** Why the image cannot be built and started here, or false: as `describe` takes it. */
export function reasonToSkip(): string | false {
  if (process.platform !== 'linux') return 'an image of Linux is built on Linux';
  if (process.getuid?.() !== 0) return 'only root may mount what a started image sees';
  if (spawnSync('buildah', ['--version']).status !== 0) return 'buildah is not installed; Debian has it as a package';
  return false;
}

export function openBuildah(folder: string): Buildah {
  const places = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  return (command, ...args) =>
    execFileSync('buildah', [...places, command, ...args], {
      encoding: 'utf8',
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
}
