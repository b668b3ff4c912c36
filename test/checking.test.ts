// docs/checking.md: every command in it prints what the page says.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/checking.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'podrail-checking-'));
after(() => rmSync(folder, { recursive: true }));

const blocksOf = (language: string): readonly (readonly [string, string])[] =>
  [...page.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)]
    .filter(([, own]) => own === language)
    .map(([, , name = '', text = '']) => [name, text]);

describe('docs/checking.md', { timeout: 120_000 }, () => {
  for (const [name, text] of blocksOf('yaml')) writeFileSync(join(folder, name), text);

  for (const [, text] of blocksOf('console')) {
    const [first = '', ...lines] = text.split('\n');
    it(`is right about ${first}`, () => {
      const [command = '', input] = first.replace('$ podrail ', '').split(' < ');
      const { stdout, status } = spawnSync(process.execPath, [join(root, 'src/main.ts'), ...command.split(' ')], {
        cwd: folder,
        encoding: 'utf8',
        ...(input === undefined ? {} : { input: readFileSync(join(folder, input)) }),
      });
      assert.equal(stdout, lines.join('\n'));
      assert.equal(status, stdout.includes(': 0 errors, ') ? 0 : 1);
    });
  }

  it('has commands to run', () => assert.equal(blocksOf('console').length, 4));
});
