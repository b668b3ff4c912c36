// The forms in which `podrail check` can report.
import { cwd } from 'node:process';
import { createGithubReport } from '../report/github.ts';
import { createJsonReport } from '../report/json.ts';
import { createJunitReport } from '../report/junit.ts';
import type { Report } from '../report/report.ts';
import { createSarifReport, type SarifContext } from '../report/sarif.ts';
import { createTextReport } from '../report/text.ts';
import { RULES } from '../rules/index.ts';
import { packageVersion } from './package-folder.ts';
import { toPlainText } from './plain-text.ts';
import { readRulePage } from './rule-page.ts';

export const CHECK_OUTPUTS = ['text', 'json', 'sarif', 'junit', 'github'] as const;

export type CheckOutput = (typeof CHECK_OUTPUTS)[number];

export function createReport(output: CheckOutput, hasColor: boolean): Report {
  switch (output) {
    case 'text':
      return createTextReport(hasColor);
    case 'json':
      return createJsonReport();
    case 'junit':
      return createJunitReport();
    case 'github':
      return createGithubReport();
    case 'sarif':
      return createSarifReport({ version: packageVersion(), folder: cwd(), describe });
  }
}

function describe(id: string): ReturnType<SarifContext['describe']> {
  const rule = RULES.find((known) => known.id === id);
  if (rule === undefined) return { summary: 'A pod must be one that podrail can read.', page: undefined };
  const markdown = readRulePage(id);
  return { summary: rule.summary, page: { markdown, text: toPlainText(markdown) } };
}
