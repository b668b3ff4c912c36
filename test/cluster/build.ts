// Builds the programs of one Kubernetes release, those that are not built yet.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInForeground } from './foreground.ts';
import { builtFolder, kubeletFolder, modulesFolder, PACKAGES, type Program, releaseOf } from './programs.ts';

/** Builds what is missing of a minor and gives the folder. Says on standard error what it builds, which takes minutes. */
export async function buildPrograms(minor: string, programs: readonly Program[]): Promise<string> {
  const release = await releaseOf(minor);
  const folder = builtFolder(release);
  await mkdir(folder, { recursive: true });
  for (const program of programs) {
    const file = join(folder, program);
    if (program === 'kubelet') await buildOwn(minor, program, kubeletFolder);
    else if (!existsSync(file)) await build(program, release, join(modulesFolder, minor), [PACKAGES[program]]);
  }
  return folder;
}

/**
 * Builds a program of ours against a minor, again when its source has changed: a folder of Go files, with the requirements of the
 * minor in place of its own, and the build tag `minor37` for 1.37. Gives the program.
 */
export async function buildOwn(minor: string, program: string, source: string): Promise<string> {
  const release = await releaseOf(minor);
  const file = join(builtFolder(release), program);
  const modfile = join(modulesFolder, minor, 'go.mod');
  const version = versionOf([
    ...globSync('*.go', { cwd: source })
      .sort()
      .map((name) => join(source, name)),
    modfile,
  ]);
  const noted = `${file}.source`;
  if (existsSync(file) && existsSync(noted) && readFileSync(noted, 'utf8') === version) return file;
  await mkdir(builtFolder(release), { recursive: true });
  await build(program, release, source, [`-modfile=${modfile}`, `-tags=minor${minor.slice(2)}`, '.']);
  await writeFile(noted, version);
  return file;
}

function versionOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}

async function build(program: string, release: string, cwd: string, what: readonly string[]): Promise<void> {
  process.stderr.write(`building ${program} ${release} (once; minutes, when Go has not compiled it before)\n`);
  const file = join(builtFolder(release), program);
  // A build that is interrupted leaves no file of that name.
  const unfinished = `${file}.${process.pid}`;
  await goBuild(cwd, ['-ldflags', linkerFlags(release), '-o', unfinished, ...what]);
  await rename(unfinished, file);
}

// Without these the server says that it is v0.0.0-master, and every client that reads its version fails.
function linkerFlags(release: string): string {
  const [major, minor] = release.slice(1).split('.');
  const stamps = { gitVersion: release, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const named = Object.entries(stamps).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ['-s', '-w', ...named].join(' ');
}

/** `go build` in the folder of a Go module. Throws when it fails. */
export async function goBuild(cwd: string, args: readonly string[]): Promise<void> {
  const code = await runInForeground('go', ['build', ...args], {
    cwd,
    env: { CGO_ENABLED: '0', GOWORK: 'off' },
    isPatient: true,
  }).catch((error: unknown) => {
    throw new Error('Go is needed to build programs; or set KUBEBUILDER_ASSETS to what envtest has', {
      cause: error,
    });
  });
  if (code !== 0) throw new Error(`go build ended with code ${code}`);
}
