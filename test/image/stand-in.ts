// An image that stands in for node:24-slim where no registry can be reached: what the Dockerfile needs of it, from the files of this
// machine. It has Node, npm, a shell, and nothing else.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Buildah } from './buildah.ts';

/** Where npm finds the certificates that it is to trust, where this machine has some of its own. */
export const CA_FILE = '/etc/ssl/certs/ca-certificates.crt';

/** Builds it in a folder of its own; gives its name. Throws where this machine has no npm. */
export function buildStandIn(buildah: Buildah, folder: string): string {
  const name = 'localhost/stand-in/node:24';
  const files = join(folder, 'stand-in');
  // Node is that of the tests, which is the one that is locked or newer.
  const programs = { '/usr/local/bin/node': process.execPath, '/bin/sh': found('sh'), '/usr/bin/env': found('env') };
  for (const [path, source] of Object.entries(programs)) copy(source, join(files, path));
  for (const library of Object.values(programs).flatMap(librariesOf)) copy(library, join(files, library));
  cpSync(dirname(dirname(found('npm'))), join(files, 'usr/local/lib/npm'), { recursive: true });
  symlinkSync('../lib/npm/bin/npm-cli.js', join(files, 'usr/local/bin/npm'));
  for (const empty of ['tmp', 'root', 'proc']) mkdirSync(join(files, empty));
  mkdirSync(join(files, dirname(CA_FILE)), { recursive: true });
  // npm looks for its settings at the home of the user.
  writeFileSync(join(files, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  const own = process.env['NODE_EXTRA_CA_CERTS'] ?? CA_FILE;
  if (existsSync(own)) copy(own, join(files, CA_FILE));
  writeFileSync(join(folder, 'Dockerfile.stand-in'), 'FROM scratch\nCOPY stand-in /\n');
  buildah('build', '--tag', name, '--file', join(folder, 'Dockerfile.stand-in'), folder);
  return name;
}

function found(program: string): string {
  return realpathSync(execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).trim());
}

/** The shared libraries of a program and the loader, by the paths at which it will look for them. */
function librariesOf(program: string): readonly string[] {
  return execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+(?= \(0x)/g) ?? [];
}

function copy(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(realpathSync(source), target);
}
