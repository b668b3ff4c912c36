// What a report is made of: files, the pods in them, what was found and where. Each form of report is a file beside this one.

/** `error` refuses the pod; `fixed` would be repaired by the webhook, and is said as a warning; `audit` is only recorded. */
export type Level = 'error' | 'warning' | 'fixed' | 'audit';

/** Where a finding is: lines and columns from 1, columns in UTF-16 code units, the end left out. */
export interface Region {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface ReportedFinding extends Region {
  readonly level: Level;
  /** `podrail` where no rule was asked, because the pod could not be read. */
  readonly rule: string;
  readonly guardrail: string | undefined;
  readonly message: string;
  /** The field in the manifest: `spec.template.spec.containers[0].resources.limits[memory]`. */
  readonly path: string;
  readonly actual: string | undefined;
  readonly bound: string | undefined;
  /** The text of the line, for whom wants to show it. */
  readonly source: string;
}

/** The pod of one manifest, or of one item of a list. */
export interface ReportedPod {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly findings: readonly ReportedFinding[];
  /** How many findings there were beyond those. */
  readonly unlisted: number;
}

/** What cannot be read; line 0 when it is the file as a whole. */
export interface ReportedMistake {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ReportedFile {
  readonly file: string;
  readonly pods: readonly ReportedPod[];
  readonly mistakes: readonly ReportedMistake[];
}

export interface Totals {
  readonly files: number;
  readonly pods: number;
  /** Objects of other kinds. */
  readonly others: number;
  /** Documents that are no object of Kubernetes. */
  readonly noObjects: number;
  /** Pods of namespaces that podrail leaves alone. */
  readonly exempt: number;
  readonly findings: Readonly<Record<Level, number>>;
  readonly mistakes: number;
}

/** A report that is written file by file, so that it need not be held. Each function gives the next text of it. */
export interface Report {
  readonly begin: () => string;
  readonly add: (file: ReportedFile) => string;
  readonly end: (totals: Totals) => string;
}

/** `Deployment team-blue/web`. */
export function toSubject({ kind, namespace, name }: Pick<ReportedPod, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace}/${name}`;
}

/** Without what would steer a terminal, in the lines it has. */
export function toPrintableLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n');
}

/** On one line, and without what would steer a terminal: control characters become spaces. */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
