// `podrail rules`: the list, and one rule explained.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { addRules } from '../../src/commands/rules.ts';
import { UsageError } from '../../src/commands/usage-error.ts';
import { RULES } from '../../src/rules/index.ts';
import { recordedTerminal } from './recorded-terminal.ts';

const run = (...args: readonly string[]): { readonly out: string; readonly code: number | undefined } => {
  const recorded = recordedTerminal();
  const program = new Command().exitOverride();
  addRules(program, recorded.terminal);
  program.parse(['rules', ...args], { from: 'user' });
  return { out: recorded.out(), code: recorded.code() };
};

describe('podrail rules', () => {
  it('lists every rule in order, with what it is asked on, its default and its summary', () => {
    const { out, code } = run();
    const [head, ...rows] = out
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/ {2,}/));
    assert.equal(code, 0);
    assert.deepEqual(head, ['RULE', 'ASKED ON', 'DEFAULT', 'SUMMARY']);
    assert.deepEqual(
      rows.map(([id, scopes, , summary]) => [id, scopes, summary]),
      RULES.map((rule) => [rule.id, rule.scopes.join(', '), rule.summary]),
    );
    assert.deepEqual(rows.find(([id]) => id === 'resize-policy-declared')?.[2], 'fix');
    assert.deepEqual(rows.find(([id]) => id === 'resize-restarts')?.[2], 'off');
  });

  it('lists them as JSON for machines', () => {
    const list = JSON.parse(run('--output', 'json').out) as readonly object[];
    assert.equal(list.length, RULES.length);
    assert.deepEqual(list[0], {
      id: RULES[0]?.id,
      scopes: RULES[0]?.scopes,
      defaultMode: 'enforce',
      summary: RULES[0]?.summary,
    });
  });

  for (const { id, summary } of RULES) {
    it(`explains ${id} with the words of its page, its summary among them`, () => {
      const { out, code } = run(id);
      assert.equal(code, 0);
      assert.ok(out.includes(summary), out);
      assert.doesNotMatch(out, /^(#|```)/m);
    });
  }

  it('gives the page as it is written, but for the marks around its tables, as JSON', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/rules/quantity-plausible.md'), 'utf8');
    const { summary, ...rest } = JSON.parse(run('quantity-plausible', '-o', 'json').out) as {
      readonly summary: string;
    };
    assert.deepEqual(rest, {
      id: 'quantity-plausible',
      scopes: ['create', 'resize'],
      defaultMode: 'enforce',
      page: page.replaceAll(/<!-- .* -->\n\n/g, ''),
    });
    assert.ok(page.includes(summary));
  });

  const mistakes: readonly (readonly [string, string])[] = [
    ['quantity-plausble', 'podrail: unknown rule quantity-plausble; did you mean quantity-plausible?'],
    ['../../README', 'podrail: unknown rule ../../README; podrail rules lists them'],
  ];
  for (const [id, message] of mistakes) {
    it(`knows no rule ${id}`, () => {
      assert.throws(
        () => run(id),
        (error) => error instanceof UsageError && error.message === message,
      );
    });
  }
});
