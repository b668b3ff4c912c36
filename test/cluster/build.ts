// Builds the programs of one Kubernetes release, those that are not built yet.
import { existsSync, globSync, statSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
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
    if (isBuilt(program, file)) continue;
    process.stderr.write(`building ${program} ${release} (once; minutes, when Go has not compiled it before)\n`);
    // A build that is interrupted leaves no file of that name.
    const unfinished = `${file}.${process.pid}`;
    const flags = ['-ldflags', linkerFlags(release), '-o', unfinished];
    if (program === 'kubelet') await buildKubelet(minor, flags);
    else await goBuild(join(modulesFolder, minor), [...flags, PACKAGES[program]]);
    await rename(unfinished, file);
  }
  return folder;
}

// Ours is built again when its source has changed.
function isBuilt(program: Program, file: string): boolean {
  if (!existsSync(file)) return false;
  const built = statSync(file).mtimeMs;
  return (
    program !== 'kubelet' || globSync(join(kubeletFolder, '*.go')).every((source) => statSync(source).mtimeMs < built)
  );
}

// A folder of ours, with the requirements of the minor in place of its own.
async function buildKubelet(minor: string, flags: readonly string[]): Promise<void> {
  const modfile = `-modfile=${join(modulesFolder, minor, 'go.mod')}`;
  await goBuild(kubeletFolder, [modfile, `-tags=minor${minor.slice(2)}`, ...flags, '.']);
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
