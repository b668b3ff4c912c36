// The report of a run of policy tests: text for a person, JSON for a program, JUnit XML for a CI server.
import { escape, tag } from '../report/junit.ts';
import type { CaseResult } from '../trial/case-result.ts';
import type { RunnableCase } from './policy-tests.ts';

export interface RanCase {
  readonly of: RunnableCase;
  readonly result: CaseResult;
}

export function hasFailed({ result }: RanCase): boolean {
  return result.problems.length > 0;
}

/** A line for each case, what is wrong under it, and a last line that counts. */
export function toTestText(ran: readonly RanCase[]): string {
  const lines: string[] = [];
  let last: string | undefined;
  for (const one of ran) {
    const { test, name, file, line, column } = one.of;
    const title = `${test} (${file})`;
    if (title !== last) lines.push(...(last === undefined ? [] : ['']), title);
    last = title;
    if (!hasFailed(one)) {
      lines.push(`  ok      ${name}`);
      continue;
    }
    lines.push(`  FAILED  ${name}`, `          ${file}:${line}:${column}`);
    lines.push(...one.result.problems.map((problem) => `          ${problem}`));
    lines.push(...one.result.said.map((said) => `          said: ${said}`));
  }
  const failed = ran.filter(hasFailed).length;
  lines.push('', failed === 0 ? `${count(ran.length)} passed` : `${failed} of ${count(ran.length)} failed`);
  return `${lines.join('\n')}\n`;
}

function count(cases: number): string {
  return cases === 1 ? '1 case' : `${cases} cases`;
}

export function toTestJson(ran: readonly RanCase[]): string {
  const cases = ran.map(({ of: { test, name, file, line, column }, result }) => ({
    test,
    name,
    file,
    line,
    column,
    passed: result.problems.length === 0,
    ...result,
  }));
  const failed = ran.filter(hasFailed).length;
  return `${JSON.stringify({ passed: ran.length - failed, failed, cases }, undefined, 2)}\n`;
}

/** A suite for each test. */
export function toTestJunit(ran: readonly RanCase[]): string {
  const suites = Map.groupBy(ran, ({ of: { test, file } }) => `${file} ${test}`);
  const xml = [...suites.values()].map(toSuite).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="podrail">\n${xml}</testsuites>\n`;
}

function toSuite(ran: readonly RanCase[]): string {
  const [first] = ran;
  const attributes = { name: first?.of.test ?? '', tests: ran.length, failures: ran.filter(hasFailed).length };
  return `  ${tag('testsuite', attributes)}\n${ran.map(toJunitCase).join('')}  </testsuite>\n`;
}

function toJunitCase(one: RanCase): string {
  const { test, name, file, line, column } = one.of;
  const attributes = { classname: test, name, file };
  if (!hasFailed(one)) return `    ${tag('testcase', attributes, true)}\n`;
  const { problems, said } = one.result;
  const text = [`${file}:${line}:${column}`, ...problems, ...said.map((words) => `said: ${words}`)].join('\n');
  const failure = `${tag('failure', { type: 'verdict', message: problems[0] ?? '' })}${escape(text)}</failure>`;
  return `    ${tag('testcase', attributes)}\n      ${failure}\n    </testcase>\n`;
}
