// One manifest's text → what the cluster would say of every pod in it, with places.
import type { DecisionContext } from '../admission/decide.ts';
import { type JudgedCreation, judgeCreation } from '../admission/judge-create.ts';
import type { Fault, Verdict } from '../admission/verdict.ts';
import { type ManifestDocument, type ManifestPart, readManifestParts } from '../manifests/documents.ts';
import type { PatchedPod } from '../manifests/fix.ts';
import { readWorkloads, type Workload } from '../manifests/workloads.ts';
import type { ReportedFile, ReportedMistake, ReportedPod } from '../report/report.ts';
import type { Requester } from '../rules/facts.ts';
import { placedFindings, type PodPlace, type Source, toDocumentPath, toSource, withMoved } from './placed-findings.ts';
import { findingsOf, isUnexpected } from './verdict-findings.ts';

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
  readonly noObjects: number;
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
  const found: Found = { pods: [], mistakes: [], patched: [], faults: [], others: 0, noObjects: 0, exempt: 0 };
  const source = toSource(text);
  for (const part of readManifestParts(text)) addPart(found, part, { file, source, context, before });
  return { file, ...found };
}

/** What is collected while a text is read. */
interface Found {
  readonly pods: ReportedPod[];
  readonly mistakes: ReportedMistake[];
  readonly patched: PatchedPod[];
  readonly faults: Fault[];
  others: number;
  noObjects: number;
  exempt: number;
}

interface Checking {
  readonly file: string;
  readonly source: Source;
  readonly context: CheckContext;
  readonly before: readonly ReportedPod[];
}

function addPart(found: Found, part: ManifestPart, checking: Checking): void {
  switch (part.is) {
    case 'other':
      found.others++;
      break;
    case 'no-object':
      found.noObjects++;
      break;
    case 'mistake': {
      const { file, source } = checking;
      found.mistakes.push({ file, ...source.toPlace(part.offset), message: part.message });
      break;
    }
    case 'manifest':
      addManifest(found, part.manifest, checking);
  }
}

function addManifest(found: Found, manifest: ManifestDocument, { source, context, before }: Checking): void {
  const read = readWorkloads(manifest.value, context.namespace);
  found.others += read.others;
  for (const workload of read.workloads) {
    const judged = judge(workload, context);
    if (judged === undefined) {
      found.exempt++;
      continue;
    }
    const { verdict, patched } = judged;
    const { path } = workload;
    const place: PodPlace = { source, manifest, path };
    found.pods.push(withFixed(toReported(workload, verdict, place), before[found.pods.length], place));
    found.faults.push(...verdict.faults.filter(isUnexpected));
    if (verdict.patch.length > 0) found.patched.push({ manifest, path, patch: verdict.patch, patched });
  }
}

function judge({ pod, namespace, controller }: Workload, context: CheckContext): JudgedCreation | undefined {
  const creation = { pod, namespace, requester: controller ?? context.requester, now: context.now };
  return judgeCreation(creation, context.ownNamespace, context);
}

function toReported({ kind, namespace, name, pod }: Workload, verdict: Verdict, place: PodPlace): ReportedPod {
  const findings = findingsOf(verdict, pod, toDocumentPath(place.path, ''));
  return { kind, namespace, name, findings: placedFindings(findings, place), unlisted: verdict.unsaid };
}

// A pod that could not be written down says by itself what would be fixed in it.
function withFixed(pod: ReportedPod, before: ReportedPod | undefined, place: PodPlace): ReportedPod {
  const fixed = before?.findings.filter(({ level }) => level === 'fixed') ?? [];
  if (fixed.length === 0 || pod.findings.some(({ level }) => level === 'fixed')) return pod;
  return { ...pod, findings: withMoved(pod.findings, fixed, place) };
}
