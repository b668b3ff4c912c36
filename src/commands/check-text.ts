// One manifest's text → what the cluster would say of every pod in it, with places.
import type { DecisionContext } from '../admission/decide.ts';
import { type JudgedCreation, judgeCreation } from '../admission/judge-create.ts';
import { UnknownNamespace } from '../admission/unknown-namespace.ts';
import type { Fault, JudgedFinding, Verdict } from '../admission/verdict.ts';
import { createLines, type Place, toSteps } from '../guardrails/places.ts';
import { type ManifestDocument, readManifestParts } from '../manifests/documents.ts';
import type { PatchedPod } from '../manifests/fix.ts';
import { readWorkloads, type Workload } from '../manifests/workloads.ts';
import { InvalidObject } from '../model/invalid-object.ts';
import type { Level, ReportedFile, ReportedFinding, ReportedMistake, ReportedPod } from '../report/report.ts';
import type { Requester } from '../rules/facts.ts';

export interface CheckContext extends DecisionContext {
  readonly ownNamespace: string;
  /** Of manifests that name none. */
  readonly namespace: string;
  /** Who applies the manifests. */
  readonly requester: Requester;
  readonly now: Date;
}

export interface CheckedText extends ReportedFile {
  readonly others: number;
  readonly exempt: number;
  readonly patched: readonly PatchedPod[];
  /** For whom looks for the reason: rules that failed. */
  readonly faults: readonly Fault[];
}

/**
 * Judges every pod of a text as its creation would be judged. Nothing is thrown for what is wrong in it. `before` are the pods of
 * the text before it was fixed: what has been fixed in them is said again, where it stands now.
 */
export function checkText(
  file: string,
  text: string,
  context: CheckContext,
  before: readonly ReportedPod[] = [],
): CheckedText {
  const source: Source = { text, toPlace: createLines(text) };
  const pods: ReportedPod[] = [];
  const mistakes: ReportedMistake[] = [];
  const patched: PatchedPod[] = [];
  const faults: Fault[] = [];
  let others = 0;
  let exempt = 0;
  for (const part of readManifestParts(text)) {
    if (part.is === 'other') others++;
    if (part.is === 'mistake') mistakes.push({ file, ...source.toPlace(part.offset), message: part.message });
    if (part.is !== 'manifest') continue;
    const read = readWorkloads(part.manifest.value, context.namespace);
    others += read.others;
    for (const workload of read.workloads) {
      const judged = judge(workload, context);
      if (judged === undefined) {
        exempt++;
        continue;
      }
      const { verdict } = judged;
      const reported = toReported(workload, verdict, part.manifest, source);
      pods.push(withFixed(reported, before[pods.length], part.manifest, source));
      faults.push(...verdict.faults.filter(isUnexpected));
      if (verdict.patch.length > 0) {
        const { path } = workload;
        patched.push({ manifest: part.manifest, path, patch: verdict.patch, patched: judged.patched });
      }
    }
  }
  return { file, pods, mistakes, others, exempt, patched, faults };
}

interface Source {
  readonly text: string;
  readonly toPlace: (offset: number) => Place;
}

function judge({ pod, namespace, controller }: Workload, context: CheckContext): JudgedCreation | undefined {
  const creation = { pod, namespace, requester: controller ?? context.requester, now: context.now };
  return judgeCreation(creation, context.ownNamespace, context);
}

const NOTHING: readonly ReportedFinding[] = [];

function toReported(workload: Workload, verdict: Verdict, manifest: ManifestDocument, source: Source): ReportedPod {
  const { kind, namespace, name } = workload;
  const found = unplacedOf(verdict);
  const findings = found.length === 0 ? NOTHING : found.map((one) => placed(one, workload, manifest, source));
  return {
    kind,
    namespace,
    name,
    findings: inOrder(findings),
    unlisted: verdict.unsaid,
  };
}

// A pod that could not be written down says by itself what would be fixed in it.
function withFixed(
  pod: ReportedPod,
  before: ReportedPod | undefined,
  manifest: ManifestDocument,
  source: Source,
): ReportedPod {
  const fixed = before?.findings.filter(({ level }) => level === 'fixed') ?? [];
  if (fixed.length === 0 || pod.findings.some(({ level }) => level === 'fixed')) return pod;
  const moved = fixed.map((one) => ({ ...one, ...regionOf(one.path, manifest, source) }));
  return { ...pod, findings: inOrder([...pod.findings, ...moved]) };
}

function inOrder(findings: readonly ReportedFinding[]): readonly ReportedFinding[] {
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

type Unplaced = Pick<ReportedFinding, 'level' | 'rule' | 'guardrail' | 'message' | 'path' | 'actual' | 'bound'>;

function unplacedOf({ violations, warnings, fixed, audited, faults }: Verdict): readonly Unplaced[] {
  const at = (level: Level) => (finding: JudgedFinding) => toUnplaced(finding, level);
  return [
    ...violations.map(at('error')),
    ...faults.map(toFaultFinding),
    ...fixed.map(at('fixed')),
    ...warnings.map(at('warning')),
    ...audited.map(at('audit')),
  ];
}

function toUnplaced({ rule, guardrail, message, path, actual, bound }: JudgedFinding, level: Level): Unplaced {
  return { level, rule, guardrail, message, path, actual, bound };
}

// As the webhook says it, but for the record that it would point to.
function toFaultFinding({ rule, guardrail, error, denies }: Fault): Unplaced {
  const isUnreadable = error instanceof InvalidObject;
  return {
    level: denies ? 'error' : 'warning',
    rule: rule ?? 'podrail',
    guardrail,
    message: isUnreadable
      ? `podrail cannot read this pod: ${error.message}`
      : error instanceof UnknownNamespace
        ? `${error.message}; --cluster FILE can tell it`
        : 'podrail could not check this; standard error says why',
    path: isUnreadable ? error.path : '',
    actual: undefined,
    bound: undefined,
  };
}

function isUnexpected({ error }: Fault): boolean {
  return !(error instanceof InvalidObject) && !(error instanceof UnknownNamespace);
}

function placed(finding: Unplaced, workload: Workload, manifest: ManifestDocument, source: Source): ReportedFinding {
  const path = toDocumentPath(workload.path, finding.path);
  return { ...finding, path, ...regionOf(path, manifest, source) };
}

function regionOf(
  path: string,
  manifest: ManifestDocument,
  source: Source,
): Pick<ReportedFinding, 'line' | 'column' | 'endLine' | 'endColumn' | 'source'> {
  const span = manifest.spanOf(toSteps(path));
  const start = source.toPlace(span.start);
  const end = source.toPlace(span.end);
  const lineStart = span.start - start.column + 1;
  const lineEnd = source.text.indexOf('\n', lineStart);
  return {
    ...start,
    endLine: end.line,
    endColumn: end.column,
    source: source.text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/, ''),
  };
}

/** `items[2].spec.template` and `spec.containers[0]` → the field as one finds it in the manifest. */
function toDocumentPath(steps: Workload['path'], path: string): string {
  const prefix = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return [prefix.slice(1), path].filter((part) => part !== '').join('.');
}
