// Builds the oracle, Kubernetes' own code behind lines of JSON, for one minor, unless that is done already.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runInForeground } from '../cluster/foreground.ts';
import { builtFolder, modulesFolder, releaseOf } from '../cluster/programs.ts';

const folder = join(import.meta.dirname, 'oracle');

/** Gives the program of a minor, such as `1.37`. Says on standard error what it builds, which may take minutes the first time. */
export async function buildOracle(minor: string): Promise<string> {
  const release = await releaseOf(minor);
  const into = builtFolder(release);
  const file = join(into, `oracle-${versionOfSource()}`);
  if (existsSync(file)) return file;
  await mkdir(into, { recursive: true });
  process.stderr.write(`building the oracle ${release} (once; minutes, when Go has not compiled Kubernetes before)\n`);
  // A build that is interrupted leaves no file of that name.
  const unfinished = join(into, `unfinished-oracle.${process.pid}`);
  const modfile = `-modfile=${join(modulesFolder, minor, 'go.mod')}`;
  const code = await runInForeground('go', ['build', modfile, '-ldflags', '-s -w', '-o', unfinished, '.'], {
    cwd: folder,
    env: { CGO_ENABLED: '0', GOWORK: 'off' },
    isPatient: true,
  }).catch((error: unknown) => {
    throw new Error('Go is needed to ask Kubernetes itself', { cause: error });
  });
  if (code !== 0) throw new Error(`go build of the oracle ended with code ${code}`);
  for (const old of globSync('oracle-*', { cwd: into })) await rm(join(into, old));
  await rename(unfinished, file);
  return file;
}

/** A changed source is another program. */
function versionOfSource(): string {
  const hash = createHash('sha256');
  for (const name of globSync('*.go', { cwd: folder }).sort()) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}
