// The report for a person: each finding with its line, the part that is meant underlined, and a closing line with the sums.
import {
  type Level,
  type Report,
  type ReportedFile,
  type ReportedFinding,
  type ReportedPod,
  toPrintable,
  toSubject,
  type Totals,
} from './report.ts';

/** With `hasColor`, in the sixteen colours that every terminal has. */
export function createTextReport(hasColor: boolean): Report {
  const paint = hasColor ? painted : (text: string): string => text;
  return {
    begin: () => '',
    add: (file) => file.pods.map((pod) => toPodText(file, pod, paint)).join(''),
    end: (totals) => `${toSummary(totals)}\n`,
  };
}

type Style = Level | 'place' | 'quiet';
type Paint = (text: string, style: Style) => string;

const CODES: Readonly<Record<Style, string>> = {
  error: '1;31',
  warning: '1;33',
  fixed: '1;36',
  audit: '1;34',
  place: '1',
  quiet: '2',
};

function painted(text: string, style: Style): string {
  return `\u001B[${CODES[style]}m${text}\u001B[0m`;
}

function toPodText({ file }: ReportedFile, pod: ReportedPod, paint: Paint): string {
  const texts = pod.findings.map((finding) => toFindingText(file, pod, finding, paint));
  const more = pod.unlisted === 0 ? '' : `${toPrintable(toSubject(pod))} has ${pod.unlisted} more findings\n\n`;
  return texts.join('') + more;
}

function toFindingText(file: string, pod: ReportedPod, finding: ReportedFinding, paint: Paint): string {
  const { level, rule, message, line, column } = finding;
  const place = paint(toPrintable(`${file}:${line}:${column}`), 'place');
  const about = toPrintable(finding.path === '' ? toSubject(pod) : `${toSubject(pod)}, ${finding.path}`);
  const number = String(line);
  const margin = ' '.repeat(number.length);
  const { shown, mark } = underlined(finding);
  return [
    `${place} ${paint(level, level)} [${rule}] ${toPrintable(message)}`,
    `${paint(`${number} |`, 'quiet')} ${shown}`,
    `${paint(`${margin} |`, 'quiet')} ${mark.replace(/\S+$/, (carets) => paint(carets, level))}`,
    `${paint(`${margin} = ${about}`, 'quiet')}`,
    '',
    '',
  ].join('\n');
}

const WIDEST = 160;
const BEFORE = 60;

// Of a very long line (JSON without line ends) the part around the place is shown.
function underlined({ source, line, column, endLine, endColumn }: ReportedFinding): {
  readonly shown: string;
  readonly mark: string;
} {
  const from = source.length <= WIDEST ? 0 : Math.max(0, column - 1 - BEFORE);
  const shown = toShown(source.slice(from, from + WIDEST));
  const start = Math.min(column - 1 - from, shown.length);
  const end = endLine === line ? endColumn - 1 - from : shown.length;
  const carets = '^'.repeat(Math.max(1, Math.min(end, shown.length) - start));
  return { shown: shown.trimEnd(), mark: shown.slice(0, start).replaceAll(/[^\t]/g, ' ') + carets };
}

// A tab keeps its width, above the mark as below.
function toShown(text: string): string {
  return text.split('\t').map(toPrintable).join('\t');
}

/** `checked 3 pods in 2 files: 1 error and 1 warning; 4 objects of other kinds were skipped`. */
export function toSummary({ files, pods, others, noObjects, exempt, findings, mistakes }: Totals): string {
  const found = [
    counted(findings.error, 'error'),
    counted(findings.warning, 'warning'),
    ...(findings.fixed > 0 ? [`${findings.fixed} fixed`] : []),
    ...(findings.audit > 0 ? [`${findings.audit} for the audit log only`] : []),
  ];
  const aside = [
    ...(others > 0 ? [`${counted(others, 'object')} of other kinds skipped`] : []),
    ...(noObjects > 0
      ? [`${counted(noObjects, 'document')} that ${noObjects === 1 ? 'is' : 'are'} no Kubernetes object skipped`]
      : []),
    ...(exempt > 0 ? [`${counted(exempt, 'pod')} of namespaces that podrail leaves alone`] : []),
    ...(mistakes > 0 ? [`${counted(mistakes, 'mistake')} that kept something from being read`] : []),
  ];
  return [`checked ${counted(pods, 'pod')} in ${counted(files, 'file')}: ${found.join(', ')}`, ...aside].join('; ');
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
