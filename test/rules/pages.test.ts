// Every rule's page: it is there, says what the rule says, and its examples are true.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { RULES } from '../../src/rules/index.ts';
import type { Finding, Rule } from '../../src/rules/rule.ts';
import { factsOf, readFixture } from './read-fixture.ts';

const FOLDER = join(import.meta.dirname, '../../docs/rules');
const SECTIONS = ['Why', 'Allowed and not', 'Settings', 'How to fix', 'When to turn it off'];

test('every page in docs/rules belongs to a rule', () => {
  const pages = RULES.map((rule) => `${rule.id}.md`);
  assert.deepEqual(
    readdirSync(FOLDER).filter((file) => !pages.includes(file)),
    [],
  );
});

for (const rule of RULES) {
  describe(`docs/rules/${rule.id}.md`, () => {
    const file = join(FOLDER, `${rule.id}.md`);
    const page = existsSync(file) ? readFileSync(file, 'utf8') : '';

    test('exists', () => assert.notEqual(page, '', `docs/rules/${rule.id}.md is missing`));
    if (page === '') return;

    test('has the rule as its title, and first the summary word for word', () => {
      assert.deepEqual(page.split('\n').slice(0, 4), [`# ${rule.id}`, '', rule.summary, '']);
    });

    test('has its sections, in order', () => {
      assert.deepEqual(
        [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title),
        SECTIONS,
      );
    });

    test('names every setting', () => {
      const settings = sectionOf(page, 'Settings');
      assert.deepEqual(
        settingsOf(rule).filter((setting) => !settings.includes(`\`${setting}\``)),
        [],
      );
    });

    const examples = examplesOf(page);
    test('shows what is allowed and what is refused', () => {
      assert.deepEqual([...new Set(examples.map(({ kind }) => kind))].sort(), ['allowed', 'refused']);
    });

    for (const { kind, yaml, line } of examples) {
      test(`is right that its example in line ${line} is ${kind}`, () => {
        const findings = ask(rule, yaml);
        assert.equal(findings.length > 0, kind === 'refused', JSON.stringify(findings));
      });
    }

    test('quotes only messages that its examples give', () => {
      const given = examples.flatMap(({ yaml }) => ask(rule, yaml)).map(({ message }) => `[${rule.id}] ${message}`);
      const quoted = page.split('\n').filter((text) => text.startsWith(`[${rule.id}] `));
      assert.deepEqual(
        quoted.filter((text) => !given.includes(text)),
        [],
      );
    });
  });
}

interface Example {
  readonly kind: 'allowed' | 'refused';
  readonly yaml: string;
  readonly line: number;
}

function examplesOf(page: string): readonly Example[] {
  return [...page.matchAll(/^```yaml (allowed|refused)\n([\s\S]*?)^```$/gm)].map(({ 1: kind, 2: yaml, index }) => ({
    kind: kind === 'allowed' ? 'allowed' : 'refused',
    yaml: yaml ?? '',
    line: page.slice(0, index).split('\n').length,
  }));
}

function ask(rule: Rule, yaml: string): readonly Finding[] {
  const fixture = readFixture(yaml);
  return rule.check(factsOf(fixture), rule.settings.parse(fixture.settings));
}

function sectionOf(page: string, title: string): string {
  const start = page.indexOf(`\n## ${title}\n`);
  const end = page.indexOf('\n## ', start + 1);
  return page.slice(start, end === -1 ? undefined : end);
}

function settingsOf(rule: Rule): readonly string[] {
  return rule.settings instanceof z.ZodObject ? Object.keys(rule.settings.shape) : [];
}
