// The report of a run of policy tests: text for a person, JSON for a program, JUnit XML for a CI server.
import { toMistakeText } from '../guardrails/mistake.ts';
import type { Mistake } from '../guardrails/mistake.ts';
import { escape, tag, toMistakeCase } from '../report/junit.ts';
import type { RanCase } from './policy-tests.ts';

export interface TestReport {
  readonly cases: readonly RanCase[];
  /** Of no case: tests and files that cannot be read, and what all cases of a test share. */
  readonly mistakes: readonly Mistake[];
}

type Status = 'passed' | 'failed' | 'error' | 'skipped';

/** `error` has mistakes of its own, `skipped` is in a test that has. */
function statusOf({ result, mistakes }: RanCase): Status {
  if (result !== undefined) return result.problems.length === 0 ? 'passed' : 'failed';
  return mistakes.length > 0 ? 'error' : 'skipped';
}

export function hasFailed(ran: RanCase): boolean {
  return statusOf(ran) === 'failed';
}

const LABELS: Readonly<Record<Status, string>> = {
  passed: 'ok     ',
  failed: 'FAILED ',
  error: 'ERROR  ',
  skipped: 'not run',
};

/** A line for each case, what is wrong under it, and a last line that counts. */
export function toTestText({ cases }: TestReport): string {
  const lines: string[] = [];
  let last: string | undefined;
  for (const one of cases) {
    const title = `${one.test} (${one.file})`;
    if (title !== last) lines.push(...(last === undefined ? [] : ['']), title);
    last = title;
    lines.push(`  ${LABELS[statusOf(one)]} ${one.name}`, ...detailsOf(one).map((line) => `          ${line}`));
  }
  return `${[...lines, ...(lines.length === 0 ? [] : ['']), toSummary(cases)].join('\n')}\n`;
}

function detailsOf(one: RanCase): readonly string[] {
  if (one.result === undefined) return one.mistakes.map(toMistakeText);
  if (!hasFailed(one)) return [];
  const { problems, said } = one.result;
  return [`${one.file}:${one.line}:${one.column}`, ...problems, ...said.map((words) => `said: ${words}`)];
}

function toSummary(cases: readonly RanCase[]): string {
  const counts = countsOf(cases);
  const unrun = counts.error + counts.skipped;
  if (counts.failed + unrun === 0) return `${count(cases.length)} passed`;
  const failed = counts.failed === 0 && unrun > 0 ? [] : [`${counts.failed} of ${count(cases.length)} failed`];
  const open = unrun === 0 ? [] : [`${unrun} of ${count(cases.length)} could not be run`];
  return [...failed, ...open].join(', ');
}

function countsOf(cases: readonly RanCase[]): Readonly<Record<Status, number>> {
  const counts = { passed: 0, failed: 0, error: 0, skipped: 0 };
  for (const one of cases) counts[statusOf(one)]++;
  return counts;
}

function count(cases: number): string {
  return cases === 1 ? '1 case' : `${cases} cases`;
}

const NO_RESULT = { verdict: null, rules: [], said: [], problems: [] };

export function toTestJson({ cases, mistakes }: TestReport): string {
  const { passed, failed, error, skipped } = countsOf(cases);
  const shown = cases.map((one) => {
    const { test, name, file, line, column, result, mistakes: own } = one;
    const status = statusOf(one);
    return {
      test,
      name,
      file,
      line,
      column,
      status,
      passed: status === 'passed',
      ...(result ?? NO_RESULT),
      mistakes: own,
    };
  });
  return `${JSON.stringify({ passed, failed, errors: error, skipped, mistakes, cases: shown }, undefined, 2)}\n`;
}

/** A suite for each test, and before them one for what belongs to none. */
export function toTestJunit({ cases, mistakes }: TestReport): string {
  const suites = Map.groupBy(cases, ({ test, file }) => `${file} ${test}`);
  const xml = [...suites.values()].map(toSuite).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="podrail">\n${toMistakeSuite(mistakes)}${xml}</testsuites>\n`;
}

function toMistakeSuite(mistakes: readonly Mistake[]): string {
  if (mistakes.length === 0) return '';
  const attributes = { name: 'podrail', tests: mistakes.length, failures: 0, errors: mistakes.length };
  return `  ${tag('testsuite', attributes)}\n${mistakes.map(toMistakeCase).join('')}  </testsuite>\n`;
}

function toSuite(cases: readonly RanCase[]): string {
  const { failed, error, skipped } = countsOf(cases);
  const attributes = { name: cases[0]?.test ?? '', tests: cases.length, failures: failed, errors: error, skipped };
  return `  ${tag('testsuite', attributes)}\n${cases.map(toJunitCase).join('')}  </testsuite>\n`;
}

function toJunitCase(one: RanCase): string {
  const { test, name, file } = one;
  const attributes = { classname: test, name, file };
  const outcome = toJunitOutcome(one);
  if (outcome === undefined) return `    ${tag('testcase', attributes, true)}\n`;
  return `    ${tag('testcase', attributes)}\n      ${outcome}\n    </testcase>\n`;
}

function toJunitOutcome(one: RanCase): string | undefined {
  const text = escape(detailsOf(one).join('\n'));
  switch (statusOf(one)) {
    case 'passed':
      return undefined;
    case 'failed':
      return `${tag('failure', { type: 'verdict', message: one.result?.problems[0] ?? '' })}${text}</failure>`;
    case 'error':
      return `${tag('error', { type: 'mistake', message: one.mistakes[0]?.message ?? '' })}${text}</error>`;
    case 'skipped':
      return tag('skipped', { message: 'its test has mistakes' }, true);
  }
}
