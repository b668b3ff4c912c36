// The pages about commands show what the commands really print, and the test on a page is one that passes.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { run } from './commands/running.ts';

const docs = join(dirname(import.meta.dirname), 'docs');
const folder = mkdtempSync(join(tmpdir(), 'podrail-docs-'));
after(() => rmSync(folder, { recursive: true }));

/** The words of a command line; single quotes keep theirs together. */
function wordsOf(line: string): readonly string[] {
  return (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));
}

for (const page of ['resizing.md', 'policy-tests.md']) {
  describe(`docs/${page}`, () => {
    const blocks = readFileSync(join(docs, page), 'utf8').matchAll(/```console\n\$ podrail (.*)\n([\s\S]*?)```/g);
    for (const [, line = '', output = ''] of blocks) {
      it(`shows what podrail ${line.slice(0, 60)} prints`, () => assert.equal(run(wordsOf(line)).out, output));
    }
  });
}

it('the test in docs/policy-tests.md passes', () => {
  const text = /<!-- policy test -->\n```yaml\n([\s\S]*?)```/.exec(readFileSync(join(docs, 'policy-tests.md'), 'utf8'));
  const file = join(folder, 'test.yaml');
  writeFileSync(file, text?.[1] ?? assert.fail());
  const { code, out } = run(['test', file]);
  assert.equal(code, 0, out);
});
