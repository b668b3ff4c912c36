// src/main.ts and every package it uses → dist/podrail.js, one file that needs nothing but Node: `npm run build`.
import { chmod, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const root = dirname(import.meta.dirname);
const outfile = join(root, 'dist/podrail.js');

// Says in one line that this Node is too old, before anything in the bundle can crash on it. Then: CommonJS packages
// inside an ES module still call require for Node's own modules.
const banner = `import { createRequire as podrailCreateRequire } from 'node:module';
{
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (!((major === 24 && minor >= 11) || major >= 26)) {
    console.error('podrail needs Node 24.11 or newer (not 25); this is ' + process.version);
    process.exit(1);
  }
}
const require = podrailCreateRequire(import.meta.url);`;

/** Folders of the packages that are in the bundle: `node_modules/express`, `node_modules/a/node_modules/@b/c`. */
function packageFolders(inputs: readonly string[]): readonly string[] {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** Name, version and licence of one package as a title, and under it the licence text that it ships. */
async function licenceOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const file = (await readdir(join(root, folder))).find((name) => /^licen[cs]e/i.test(name));
  const text = file === undefined ? '(it ships no licence text)' : await readFile(join(root, folder, file), 'utf8');
  return `${String(manifest['name'])} ${String(manifest['version'])}, ${String(manifest['license'])}\n\n${text.trim()}\n`;
}

await rm(dirname(outfile), { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  banner: { js: banner },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
await chmod(outfile, 0o755);

const folders = packageFolders(Object.keys(metafile.inputs));
const licences = await Promise.all(folders.map(licenceOf));
await writeFile(join(root, 'dist/LICENSES.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`));

const megabytes = ((await stat(outfile)).size / 1e6).toFixed(1);
process.stdout.write(`dist/podrail.js: ${megabytes} MB, ${folders.length} packages inside (dist/LICENSES.txt)\n`);
