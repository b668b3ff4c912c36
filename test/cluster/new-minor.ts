// Writes the Go module from which the programs of one Kubernetes minor are built: `node test/cluster/new-minor.ts 1.38`.
//
// `k8s.io/kubernetes` is not made to be required by other modules: it requires its own staging modules (k8s.io/api and so
// on) at v0.0.0 and replaces them by folders that are not in the published module. They are published one by one as well,
// as v0.<minor>.<patch>, so the module written here replaces each by that.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { modulesFolder, PACKAGES } from './programs.ts';

const run = promisify(execFile);

/** What `go mod edit -json` says of a go.mod, as far as it is needed here. */
interface GoMod {
  readonly Go: string;
  readonly Godebug?: readonly { readonly Key: string; readonly Value: string }[];
  readonly Replace: readonly { readonly Old: { readonly Path: string }; readonly New: { readonly Path: string } }[];
}

/** The newest released patch of a minor, `1.37` → `v1.37.2`, by what the Go module proxy lists. */
async function newestPatch(minor: string): Promise<string> {
  const { stdout } = await run('go', [
    'list',
    '-m',
    '-f',
    '{{join .Versions " "}}',
    '-versions',
    'k8s.io/kubernetes@latest',
  ]);
  const patches = stdout
    .trim()
    .split(' ')
    .filter((version) => version.startsWith(`v${minor}.`) && !version.includes('-'))
    .map((version) => Number(version.slice(minor.length + 2)));
  if (patches.length === 0) throw new Error(`no release of Kubernetes ${minor} is served as a Go module`);
  return `v${minor}.${Math.max(...patches)}`;
}

/** The go.mod that Kubernetes itself was released with. */
async function releasedGoMod(version: string): Promise<GoMod> {
  const { stdout } = await run('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${version}`]);
  const { GoMod: path } = JSON.parse(stdout) as { readonly GoMod: string };
  return JSON.parse((await run('go', ['mod', 'edit', '-json', path])).stdout) as GoMod;
}

function goModOf(minor: string, version: string, released: GoMod): string {
  const staging = released.Replace.filter(({ New }) => New.Path.startsWith('./staging/')).map(({ Old }) => Old.Path);
  const stagingVersion = version.replace(/^v1\./, 'v0.');
  const block = (word: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `\n${word} (\n${lines.map((line) => `\t${line}\n`).join('')})\n`;
  return [
    `// The programs of Kubernetes ${minor} that test/cluster runs. Written by test/cluster/new-minor.ts; do not edit.\n`,
    `module podrail.dev/test/cluster/kubernetes/${minor}\n`,
    `\ngo ${released.Go}\n`,
    block(
      'godebug',
      (released.Godebug ?? []).map(({ Key, Value }) => `${Key}=${Value}`),
    ),
    block('tool', Object.values(PACKAGES).sort()),
    `\nrequire k8s.io/kubernetes ${version}\n`,
    block(
      'replace',
      staging.map((path) => `${path} => ${path} ${stagingVersion}`),
    ),
  ].join('');
}

const minor = process.argv[2] ?? '';
if (!/^1\.\d+$/.test(minor)) {
  process.stderr.write('usage: node test/cluster/new-minor.ts MINOR, for example 1.38\n');
  process.exit(2);
}
const version = await newestPatch(minor);
const goMod = goModOf(minor, version, await releasedGoMod(version));
const folder = join(modulesFolder, minor);
// Beside the modules, whose newest is what everything is tested with: it becomes one of them when it is whole.
const unfinished = await mkdtemp(join(import.meta.dirname, '.new-minor-'));
try {
  await writeFile(join(unfinished, 'go.mod'), goMod);
  await run('go', ['mod', 'tidy'], { cwd: unfinished });
  await chmod(unfinished, 0o755);
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
} finally {
  await rm(unfinished, { recursive: true, force: true });
}
process.stdout.write(`${folder}: Kubernetes ${version}\n`);
