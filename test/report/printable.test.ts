// What is in names and messages cannot steer a terminal or a CI log, in whatever form of report a person reads.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGithubReport } from '../../src/report/github.ts';
import { createJunitReport } from '../../src/report/junit.ts';
import type { Report, ReportedFile, ReportedFinding } from '../../src/report/report.ts';
import { createTextReport } from '../../src/report/text.ts';

// ESC, CSI in one character, BEL, backspace, a carriage return, and a change of the writing direction.
const ODD = 'a\u001B[31mb\u009B2Jc\u0007d\be\rf\u202Eg';

const FINDING: ReportedFinding = {
  level: 'error',
  rule: 'container-size',
  guardrail: ODD,
  message: ODD,
  path: `spec[${ODD}]`,
  actual: ODD,
  bound: ODD,
  source: ODD,
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 2,
};
const FILE: ReportedFile = {
  file: ODD,
  pods: [{ kind: ODD, namespace: ODD, name: ODD, findings: [FINDING], unlisted: 1 }],
  mistakes: [{ file: ODD, line: 1, column: 1, message: ODD }],
};
const FORMS: readonly (readonly [string, () => Report])[] = [
  ['text', () => createTextReport(false)],
  ['GitHub', createGithubReport],
  ['JUnit', createJunitReport],
];

describe('a report for people', () => {
  for (const [form, create] of FORMS) {
    it(`as ${form} has no character that steers what shows it`, () => {
      const shown = create().add(FILE);
      assert.match(shown, /a \[31mb/);
      assert.deepEqual(shown.match(/[^\P{C}\n]|%0D/gu), null);
    });
  }
});
