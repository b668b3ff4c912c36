// The report as workflow commands of GitHub Actions, which show each finding beside its line of a pull request.
import {
  type Level,
  type Report,
  type ReportedFinding,
  type ReportedMistake,
  type ReportedPod,
  toPrintableLines,
  toSubject,
} from './report.ts';
import { toSummary } from './text.ts';

const COMMANDS: Readonly<Record<Level, string>> = {
  error: 'error',
  warning: 'warning',
  fixed: 'warning',
  audit: 'notice',
};

export function createGithubReport(): Report {
  return {
    begin: () => '',
    add: ({ file, pods, mistakes }) =>
      [
        ...mistakes.map(toMistakeCommand),
        ...pods.flatMap((pod) => pod.findings.map((finding) => toFindingCommand(file, pod, finding))),
      ].join(''),
    // A line that is no command is printed as it is.
    end: (totals) => `${toSummary(totals)}\n`,
  };
}

function toFindingCommand(file: string, pod: ReportedPod, finding: ReportedFinding): string {
  const { line, column, endLine, endColumn, rule, message, level } = finding;
  return toCommand(
    COMMANDS[level],
    { file, line, col: column, endLine, endColumn, title: `podrail ${rule}` },
    `${message} (${toSubject(pod)})`,
  );
}

function toMistakeCommand({ file, line, column, message }: ReportedMistake): string {
  const place = line === 0 ? {} : { line, col: column };
  return toCommand('error', { file, ...place, title: 'podrail' }, message);
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions: `::error file=a.yaml,line=1::message`. */
function toCommand(command: string, properties: Readonly<Record<string, string | number>>, message: string): string {
  const shown = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${command} ${shown.join(',')}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return toPrintableLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
