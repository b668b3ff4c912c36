// The README says nothing that is not true: its table is the rules', its guardrail is one, its commands do what they say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { BASELINE_MODES } from '../src/guardrails/baseline.ts';
import { toMistakeText } from '../src/guardrails/mistake.ts';
import { readGuardrails } from '../src/guardrails/read-guardrails.ts';
import { RULES } from '../src/rules/index.ts';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'README.md');
const README = readFileSync(FILE, 'utf8');

const TABLE = [
  '| rule | asked on | default | |',
  '|---|---|---|---|',
  ...RULES.map(({ id, scopes, summary }) => {
    return `| [${id}](docs/rules/${id}.md) | ${scopes.join(', ')} | ${BASELINE_MODES[id] ?? 'off'} | ${summary} |`;
  }),
].join('\n');

const MARKED = /(<!-- rules: [^>]*-->\n\n)([\s\S]*?)(\n\n<!-- \/rules -->)/;

function podrail(args: readonly string[]): { readonly status: number | null; readonly out: string } {
  const run = spawnSync(process.execPath, ['src/main.ts', ...args], { cwd: ROOT, encoding: 'utf8' });
  return { status: run.status, out: run.stdout };
}

describe('the README', () => {
  it('has the table of the rules as they are (UPDATE=1 writes it)', () => {
    if (process.env['UPDATE'] === '1')
      writeFileSync(
        FILE,
        README.replace(MARKED, (_, open: string, __, close: string) => `${open}${TABLE}${close}`),
      );
    else assert.equal(MARKED.exec(README)?.[2], TABLE);
  });

  it('shows a guardrail that is one', () => {
    const text = /```yaml guardrail\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
    const { guardrails, mistakes } = readGuardrails(text, 'README.md');
    assert.deepEqual([mistakes, guardrails.map(({ name }) => name)], [[], ['tenants']]);
  });

  it('shows what is said of a mistake in it', () => {
    const text = /```yaml guardrail\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
    const { mistakes } = readGuardrails(text.replace('grow:', 'grwo:'), 'tenants.yaml');
    assert.ok(README.includes(`--guardrails tenants.yaml\n${mistakes.map(toMistakeText).join('\n')}\n\`\`\``));
  });

  it('shows the denial that its first command gives', () => {
    const { status, out } = podrail(['replay', 'examples/reviews/resize-200Mi.json']);
    const { response } = JSON.parse(out) as { response: { status: { message: string } } };
    const [first, second] = response.status.message.split('\n');
    assert.equal(status, 1);
    assert.ok(README.includes(`denied the request: ${first}\n${second}\npodrail recorded this as `));
  });

  it('shows commands that work', () => {
    const block = /<!-- tried -->\n```sh\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
    const ends = block
      .trim()
      .split('\n')
      .map((line) => line.replace(/ +#.*$/, ''))
      .map((line) => line.replace('npm run -s podrail -- ', '').split(' '))
      .map((args) => [args.slice(0, 2).join(' '), podrail(args).status]);
    assert.deepEqual(ends, [
      ['replay examples/reviews/resize-200Mi.json', 1],
      ['check examples/pods/nginx.yaml', 0],
      ['resize examples/pods/nginx.yaml', 0],
      ['test examples/guardrails/tests', 0],
      ['replay examples/reviews/create.json', 0],
      ['replay examples/reviews/resize-infeasible.json', 1],
      ['replay examples/reviews/resize-restarts.json', 0],
      ['rules', 0],
      ['rules quantity-plausible', 0],
    ]);
  });
});
