// The package as a stranger gets it: packed by npm, unpacked or installed in another folder.
import assert from 'node:assert/strict';
import { execFile, type ExecFileException } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { shellEnv } from './shell.ts';

const root = dirname(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), 'podrail-package-'));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, as in a person's shell. */
function run(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const ended = (error: ExecFileException | null, stdout: string, stderr: string): void => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    };
    execFile(command, args, { cwd, env: shellEnv(), maxBuffer: 1 << 26 }, ended);
  });
}

/** What the installed command has to do, wherever it lies. */
async function assertWorks(podrail: string): Promise<void> {
  assert.deepEqual(await run(podrail, ['--version'], folder), { code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  const [list, page, unknown] = await Promise.all([
    run(podrail, ['rules'], folder),
    run(podrail, ['rules', 'quantity-plausible'], folder),
    run(podrail, ['rules', 'quantity-plausibel'], folder),
  ]);
  assert.deepEqual([list.code, list.stderr], [0, '']);
  assert.match(list.stdout, /^quantity-plausible /m);
  assert.deepEqual([page.code, page.stderr], [0, '']);
  assert.match(page.stdout, /200Mi/);
  assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
  assert.match(unknown.stderr, /quantity-plausible/);
}

describe('the package', () => {
  before(async () => {
    const packed = await run('npm', ['pack', '--pack-destination', folder], root);
    assert.equal(packed.code, 0, packed.stderr);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    const unpacked = await run('tar', ['-xzf', tarball ?? 'nothing was packed'], folder);
    assert.equal(unpacked.code, 0, unpacked.stderr);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('holds the command, its licences, the examples, the manifests, the schemas and the pages of the rules, and no source', () => {
    assert.deepEqual(readdirSync(join(folder, 'package')).sort(), [
      'LICENSE',
      'README.md',
      'dist',
      'docs',
      'examples',
      'manifests',
      'package.json',
      'schemas',
    ]);
    assert.deepEqual(readdirSync(join(folder, 'package/dist')).sort(), ['LICENSES.txt', 'podrail.js']);
    assert.deepEqual(readdirSync(join(folder, 'package/docs')), ['rules']);
  });

  test('works with nothing but Node beside it', () => assertWorks(join(folder, 'package/dist/podrail.js')));

  test('decides a review of its examples', async () => {
    const review = join(folder, 'package/examples/reviews/resize-200Mi.json');
    const { code, stdout } = await run(join(folder, 'package/dist/podrail.js'), ['replay', review], folder);
    assert.equal(code, 1);
    assert.match(stdout, /\[quantity-plausible\] container /);
  });

  test('gives a working command where it is installed', async (t) => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    const args = [
      'install',
      '--prefix',
      elsewhere,
      '--ignore-scripts',
      '--prefer-offline',
      '--fetch-retries=0',
      tarball,
    ];
    const installed = await run('npm', args, elsewhere);
    if (/code (ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ENOTCACHED|ETIMEDOUT)/.test(installed.stderr)) {
      t.skip('no package registry can be reached from here');
      return;
    }
    assert.equal(installed.code, 0, installed.stderr);
    await assertWorks(join(elsewhere, 'node_modules/.bin/podrail'));
  });
});

test('in a clone the script podrail takes paths from where one stands', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'podrail-elsewhere-'));
  copyFileSync(join(root, 'examples/pods/nginx.yaml'), join(elsewhere, 'mine.yaml'));
  const checked = { code: 0, stdout: 'checked 1 pod in 1 file: 0 errors, 0 warnings\n', stderr: '' };
  const command = ['run', '--silent', 'podrail', '--', 'check'];
  assert.deepEqual(await run('npm', [...command, 'examples/pods/nginx.yaml'], root), checked);
  assert.deepEqual(await run('npm', [...command, '../examples/pods/nginx.yaml'], join(root, 'docs')), checked);
  assert.deepEqual(await run('npm', ['--prefix', root, ...command, 'mine.yaml'], elsewhere), checked);
  rmSync(elsewhere, { recursive: true });
});
