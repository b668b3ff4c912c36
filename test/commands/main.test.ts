// The command line as a whole: help, mistakes in a person's words, exit codes.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run } from './running.ts';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

describe('podrail', () => {
  it('tells its version', () => {
    assert.deepEqual(run(['--version']), { code: 0, out: `${manifest.version}\n`, err: '' });
  });

  for (const command of ['serve', 'check', 'resize', 'test', 'replay', 'rules']) {
    it(`shows examples and exit codes in the help of ${command}`, () => {
      const { code, out, err } = run([command, '--help']);
      assert.deepEqual({ code, err }, { code: 0, err: '' });
      assert.match(out, new RegExp(String.raw`\nExamples:\n(  .*npm run -s podrail -- ${command}.*\n)+`));
      assert.match(out, /\nExit codes:\n( {2}[012] {2}.*\n)+/);
    });
  }

  it('says what it can do when it is told nothing, with code 2', () => {
    const { code, out, err } = run([]);
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.match(
      err,
      /^Usage: podrail .*Commands:\n {2}serve .*\n {2}check .*\n {2}resize .*\n {2}test .*\n {2}replay .*\n {2}rules /s,
    );
  });

  const mistakes: readonly (readonly [readonly string[], string])[] = [
    [['relpay'], "podrail: unknown command 'relpay' (Did you mean replay?)\n"],
    [['--verison'], "podrail: unknown option '--verison' (Did you mean --version?)\n"],
    [['replay'], "podrail: missing required argument 'review.json'\n"],
    [['rules', 'resize-restart'], 'podrail: unknown rule resize-restart; did you mean resize-restarts?\n'],
  ];
  for (const [args, err] of mistakes) {
    it(`answers "podrail ${args.join(' ')}" with one line and code 2`, () => {
      assert.deepEqual(run(args), { code: 2, out: '', err });
    });
  }

  it('ends with 1 when a review is denied, and with 2 when it is none', () => {
    const denied = readFileSync(join(root, 'examples/reviews/resize-200Mi.json'), 'utf8');
    assert.deepEqual([run(['replay', '-'], denied).code, run(['replay', '-'], '[]').code], [1, 2]);
  });

  it('says in one line that its output cannot be written, with code 2', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, ['src/main.ts', 'rules'], {
      cwd: root,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    assert.deepEqual(
      [status, stderr],
      [2, 'podrail: standard output cannot be written: it does not fit on the disk\n'],
    );
  });

  it('ends with 2 where it cannot even say that something is wrong', () => {
    const full = openSync('/dev/full', 'w');
    const { status } = spawnSync(process.execPath, ['src/main.ts', 'relpay'], {
      cwd: root,
      stdio: ['ignore', 'pipe', full],
    });
    closeSync(full);
    assert.equal(status, 2);
  });

  it('ends quietly when its reader has seen enough', async () => {
    const child = spawn(process.execPath, ['src/main.ts', 'rules'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdout.destroy();
    await once(child, 'close');
    assert.equal(err, '');
  });
});
