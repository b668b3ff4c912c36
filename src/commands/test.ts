// `podrail test`: an operator's own policy tests, through the same decision as serve.
import { Argument, type Command, Option } from 'commander';
import { readTextFiles } from '../cluster/text-files.ts';
import { inOrder, type Mistake, toMistakeText } from '../guardrails/mistake.ts';
import { type PolicyTests, readPolicyTests } from '../trial/policy-test.ts';
import { runTest } from './policy-tests.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { hasFailed, type TestReport, toTestJson, toTestJunit, toTestText } from './test-report.ts';

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

/** Prints the report: 0 when every case is as expected, 1 when one is not, 2 when one could not be run. */
export function test(paths: readonly string[], flags: TestFlags, terminal: Terminal): ExitCode {
  const now = terminal.now();
  const { tests, mistakes: unread } = readTests(paths);
  const ran = tests.map((one) => runTest(one, now));
  const report: TestReport = {
    cases: ran.flatMap(({ cases }) => cases),
    mistakes: inOrderOfFiles([...unread, ...ran.flatMap(({ mistakes }) => mistakes)]),
  };
  const ofCases = report.cases.flatMap(({ mistakes }) => mistakes);
  // The report for a person has those of a case beside it.
  const aside = flags.output === 'text' ? report.mistakes : inOrderOfFiles([...report.mistakes, ...ofCases]);
  const lines = [...ran.flatMap(({ warnings }) => warnings), ...aside].map(toMistakeText);
  for (const line of new Set(lines)) terminal.err(`${line}\n`);
  terminal.out(REPORTS[flags.output](report));
  if (report.mistakes.length + ofCases.length > 0) return 2;
  return report.cases.some(hasFailed) ? 1 : 0;
}

/** Those of one file together, from its top. */
function inOrderOfFiles(mistakes: readonly Mistake[]): readonly Mistake[] {
  return [...Map.groupBy(mistakes, ({ file }) => file).values()].flatMap(inOrder);
}

function readTests(paths: readonly string[]): PolicyTests {
  const all = paths.map(readTestsAt);
  return { tests: all.flatMap(({ tests }) => tests), mistakes: all.flatMap(({ mistakes }) => mistakes) };
}

function readTestsAt(path: string): PolicyTests {
  const { files, mistakes: unread } = readTextFiles([path]);
  const read = files.map(({ file, text }) => readPolicyTests(text, file));
  const tests = read.flatMap((one) => one.tests);
  const mistakes = [...unread, ...read.flatMap((one) => one.mistakes)];
  if (mistakes.length + tests.length > 0) return { tests, mistakes };
  return { tests, mistakes: [{ file: path, line: 0, column: 0, message: 'holds no PolicyTest' }] };
}

function helpText(self: string): string {
  return `
Examples:
  ${self} test examples/guardrails/tests
  ${self} test policy/multi-tenant.yaml --output junit

Exit codes:
  0  every case is as expected
  1  a case is not
  2  bad usage, or a test that has mistakes or names what cannot be read; every other case was run
`;
}
