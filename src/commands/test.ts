// `podrail test`: an operator's own policy tests, through the same decision as serve.
import { Argument, type Command, Option } from 'commander';
import { readTextFiles } from '../cluster/text-files.ts';
import { type Mistake, toMistakeText } from '../guardrails/mistake.ts';
import { type PolicyTest, readPolicyTests } from '../trial/policy-test.ts';
import { type RunnableCase, toRunnable } from './policy-tests.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { hasFailed, toTestJson, toTestJunit, toTestText } from './test-report.ts';
import { UsageError } from './usage-error.ts';

const REPORTS = { text: toTestText, json: toTestJson, junit: toTestJunit };

interface TestFlags {
  readonly output: keyof typeof REPORTS;
}

export function addTest(program: Command, terminal: Terminal): void {
  program
    .command('test')
    .summary("an operator's own tests of guardrails")
    .description(
      'Runs PolicyTests: documents that name guardrails, pods and resizes, and the verdict that is expected of each. What they hold is in docs/policy-tests.md.',
    )
    .addArgument(new Argument('<file|dir...>', 'files with PolicyTests, or folders of them'))
    .addOption(
      new Option('-o, --output <form>', 'how to print the report').choices(Object.keys(REPORTS)).default('text'),
    )
    .addHelpText('after', () => helpText(terminal.self))
    .action((paths: readonly string[], flags: TestFlags) => terminal.exit(test(paths, flags, terminal)));
}

/** Prints the report; 0 when every case is as expected, else 1. Throws UsageError with every mistake in the tests. */
export function test(paths: readonly string[], flags: TestFlags, terminal: Terminal): ExitCode {
  const ran = readCases(paths, terminal.now()).map((one) => ({ of: one, result: one.run() }));
  terminal.out(REPORTS[flags.output](ran));
  return ran.some(hasFailed) ? 1 : 0;
}

function readCases(paths: readonly string[], now: Date): readonly RunnableCase[] {
  const mistakes: Mistake[] = [];
  const cases = readTests(paths, mistakes).flatMap((one) => toRunnable(one, now, mistakes));
  if (mistakes.length > 0) throw new UsageError(...new Set(mistakes.map(toMistakeText)));
  return cases;
}

function readTests(paths: readonly string[], mistakes: Mistake[]): readonly PolicyTest[] {
  return paths.flatMap((path) => {
    const { files, mistakes: unread } = readTextFiles([path]);
    const read = files.map(({ file, text }) => readPolicyTests(text, file));
    const found = [...unread, ...read.flatMap((one) => one.mistakes)];
    const tests = read.flatMap((one) => one.tests);
    if (found.length === 0 && tests.length === 0)
      found.push({ file: path, line: 0, column: 0, message: 'holds no PolicyTest' });
    mistakes.push(...found);
    return tests;
  });
}

function helpText(self: string): string {
  return `
Examples:
  ${self} test examples/guardrails/tests
  ${self} test policy/multi-tenant.yaml --output junit

Exit codes:
  0  every case is as expected
  1  a case is not
  2  bad usage, or a test that has mistakes or names what cannot be read
`;
}
