// The report as SARIF 2.1.0, which code hosts show beside the lines it names.
import { createHash } from 'node:crypto';
import { isAbsolute, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Level,
  type Report,
  type ReportedFile,
  type ReportedFinding,
  type ReportedMistake,
  type ReportedPod,
  toSubject,
  type Totals,
} from './report.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const LEVELS: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', fixed: 'note', audit: 'note' };

export interface RulePage {
  readonly text: string;
  readonly markdown: string;
}

export interface SarifContext {
  readonly version: string;
  /** Paths in the report are relative to this folder, where they are in it. */
  readonly folder: string;
  /** What a rule looks for, in one sentence, and its page. */
  readonly describe: (rule: string) => { readonly summary: string; readonly page: RulePage | undefined };
}

/** Results are written as they come; the rules that they name stand behind them. */
export function createSarifReport(context: SarifContext): Report {
  const rules: string[] = [];
  const mistakes: ReportedMistake[] = [];
  let separator = '\n';
  return {
    begin: () =>
      `{"$schema":${JSON.stringify(SCHEMA)},"version":"2.1.0","runs":[{"columnKind":"utf16CodeUnits","results":[`,
    add(file) {
      mistakes.push(...file.mistakes);
      let text = '';
      for (const [pod, finding] of file.pods.flatMap((pod) => pod.findings.map((finding) => [pod, finding] as const))) {
        if (!rules.includes(finding.rule)) rules.push(finding.rule);
        text += separator + JSON.stringify(toResult(file, pod, finding, rules, context));
        separator = ',\n';
      }
      return text;
    },
    end: (totals) =>
      `\n],"tool":${JSON.stringify(toTool(rules, context))},"invocations":[${JSON.stringify(toInvocation(mistakes, totals, context))}]}]}\n`,
  };
}

function toResult(
  { file }: ReportedFile,
  pod: ReportedPod,
  finding: ReportedFinding,
  rules: readonly string[],
  context: SarifContext,
): object {
  const { rule, level, message, path, guardrail, actual, bound } = finding;
  const name = [toSubject(pod), path].filter((part) => part !== '').join(', ');
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: LEVELS[level],
    message: { text: message },
    locations: [
      {
        physicalLocation: { artifactLocation: toArtifact(file, context), region: toRegion(finding) },
        logicalLocations: [{ fullyQualifiedName: name, kind: 'object' }],
      },
    ],
    // The same finding keeps its name when lines move.
    partialFingerprints: { 'podrail/v1': fingerprint(rule, file, name, message) },
    properties: { mode: level, guardrail, actual, bound },
  };
}

function toRegion({ line, column, endLine, endColumn, source }: ReportedFinding): object {
  return { startLine: line, startColumn: column, endLine, endColumn, snippet: { text: source } };
}

// A code host wants paths relative to the repository that it has checked out.
function toArtifact(file: string, { folder }: SarifContext): object {
  if (file === '-') return { uri: 'stdin' };
  const near = isAbsolute(file) ? relative(folder, file) : file;
  if (isAbsolute(near) || near.startsWith('..')) return { uri: pathToFileURL(file).href };
  const uri = near
    .split(sep)
    .filter((part) => part !== '.')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
  return { uri, uriBaseId: '%SRCROOT%' };
}

function fingerprint(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

function toTool(rules: readonly string[], context: SarifContext): object {
  return {
    driver: {
      name: 'podrail',
      semanticVersion: context.version,
      rules: rules.map((id) => {
        const { summary, page } = context.describe(id);
        const help = page === undefined ? {} : { help: page };
        return { id, name: id, shortDescription: { text: summary }, ...help };
      }),
    },
  };
}

function toInvocation(mistakes: readonly ReportedMistake[], totals: Totals, context: SarifContext): object {
  return {
    executionSuccessful: mistakes.length === 0,
    toolExecutionNotifications: mistakes.map(({ file, line, column, message }) => ({
      level: 'error',
      message: { text: message },
      locations: [
        {
          physicalLocation: {
            artifactLocation: toArtifact(file, context),
            ...(line === 0 ? {} : { region: { startLine: line, startColumn: column } }),
          },
        },
      ],
    })),
    properties: { totals },
  };
}
