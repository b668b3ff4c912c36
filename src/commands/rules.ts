// `podrail rules`: the list of rules, or one rule explained by its own page.
import { Argument, type Command, Option } from 'commander';
import { BASELINE_MODES } from '../guardrails/baseline.ts';
import { suggestion } from '../guardrails/mistake.ts';
import { RULES } from '../rules/index.ts';
import type { Rule } from '../rules/rule.ts';
import { toPlainText } from './plain-text.ts';
import { readRulePage } from './rule-page.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface RulesFlags {
  readonly output: 'text' | 'json';
}

export function addRules(program: Command, terminal: Terminal): void {
  program
    .command('rules')
    .summary('the list of rules, or one rule explained')
    .description(
      'Without an id: every rule with what it is asked about and what it does by default. With one: that rule, and how to fix what it finds.',
    )
    .addArgument(new Argument('[id]', 'a rule, as named in a denial: quantity-plausible'))
    .addOption(new Option('-o, --output <form>', 'how to print it').choices(['text', 'json']).default('text'))
    .addHelpText('after', () => helpText(terminal.self))
    .action((id: string | undefined, flags: RulesFlags) => {
      terminal.out(id === undefined ? toList(flags) : toPage(id, flags));
      terminal.exit(0);
    });
}

function toList(flags: RulesFlags): string {
  if (flags.output === 'json') return toJson(RULES.map(toSummary));
  const rows = [['RULE', 'ASKED ON', 'DEFAULT', 'SUMMARY'], ...RULES.map(toRow)];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`).join('');
}

function toRow(rule: Rule): readonly string[] {
  return [rule.id, rule.scopes.join(', '), defaultMode(rule), rule.summary];
}

function toPage(id: string, flags: RulesFlags): string {
  const rule = RULES.find((known) => known.id === id);
  if (rule === undefined) {
    const near = suggestion(
      id,
      RULES.map((known) => known.id),
    );
    throw new UsageError(`podrail: unknown rule ${id}${near === '' ? '; podrail rules lists them' : near}`);
  }
  const page = readRulePage(id);
  return flags.output === 'json' ? toJson({ ...toSummary(rule), page }) : toPlainText(page);
}

function toSummary(rule: Rule): object {
  return { id: rule.id, scopes: rule.scopes, defaultMode: defaultMode(rule), summary: rule.summary };
}

function defaultMode(rule: Rule): string {
  return BASELINE_MODES[rule.id] ?? 'off';
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function helpText(self: string): string {
  return `
Examples:
  ${self} rules
  ${self} rules quantity-plausible
  ${self} rules --output json

Exit codes:
  0  printed
  2  bad usage: there is no such rule
`;
}
