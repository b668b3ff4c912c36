// Findings at their places in a manifest: field, line and column, and the text of the line.
import { createLines, type Place, toSteps } from '../guardrails/places.ts';
import type { ManifestDocument } from '../manifests/documents.ts';
import type { Workload } from '../manifests/workloads.ts';
import type { ReportedFinding } from '../report/report.ts';
import type { PodFinding } from './verdict-findings.ts';

/** A text, and where in lines and columns its characters stand. */
export interface Source {
  readonly text: string;
  readonly toPlace: (offset: number) => Place;
}

export function toSource(text: string): Source {
  return { text, toPlace: createLines(text) };
}

/** Where the pod is written: in which document of which text, and at which place of it. */
export interface PodPlace {
  readonly source: Source;
  readonly manifest: ManifestDocument;
  readonly path: Workload['path'];
}

const NOTHING: readonly ReportedFinding[] = [];

/** Each at its place, in the order of the text. */
export function placedFindings(findings: readonly PodFinding[], place: PodPlace): readonly ReportedFinding[] {
  // Most pods have none.
  if (findings.length === 0) return NOTHING;
  return inOrder(findings.map((finding) => placed(finding, place)));
}

/** With `moved` at the places that their fields have now. */
export function withMoved(
  findings: readonly ReportedFinding[],
  moved: readonly ReportedFinding[],
  place: PodPlace,
): readonly ReportedFinding[] {
  return inOrder([...findings, ...moved.map((one) => ({ ...one, ...regionOf(one.path, place) }))]);
}

function inOrder(findings: readonly ReportedFinding[]): readonly ReportedFinding[] {
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function placed(finding: PodFinding, place: PodPlace): ReportedFinding {
  const path = toDocumentPath(place.path, finding.path);
  return { ...finding, path, ...regionOf(path, place) };
}

function regionOf(
  path: string,
  { manifest, source }: PodPlace,
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
export function toDocumentPath(steps: Workload['path'], path: string): string {
  const prefix = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return [prefix.slice(1), path].filter((part) => part !== '').join('.');
}
