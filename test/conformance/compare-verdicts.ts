// Whether podrail's core rules refuse what Kubernetes refuses, at the same field, and nothing else.
import { type Difference, type FieldError, type Outcome, type PodAnswer, SAME } from './answers.ts';
import type { Findings, RuleFinding } from './core-findings.ts';
import { leftToKubernetes } from './left-to-kubernetes.ts';
import { purposeOf, UNSAID } from './purposes.ts';
import { coveredBy, endsValidation } from './refusals.ts';

/** What both say of one request; `ours` is undefined when podrail could not read the pod. */
export function compareVerdicts(ours: Findings | undefined, theirs: PodAnswer, minor: string): Outcome {
  if (theirs.decode !== undefined) return compareUnreadable(ours, theirs.decode);
  if (ours === undefined) return difference('podrail cannot read it', theirs);
  const all = theirs.errors ?? [];
  const left = all.flatMap((error) => leftToKubernetes(error) ?? []);
  const errors = all.filter((error) => leftToKubernetes(error) === undefined);
  const unsaid = errors.filter((error) => !isFound(ours, error));
  const [hidden, missing] = partition(unsaid, (error) => isHidden(ours, error));
  const [purposes, unexpected] = split(ours, errors, theirs, minor);
  const exceptions = [...left, ...hidden.map(() => UNSAID), ...purposes];
  if (missing.length + unexpected.length + exceptions.length === 0) return SAME;
  return {
    differences: [...missing.map((error) => toMissing(error, ours)), ...unexpected],
    exceptions: [...new Set(exceptions)],
  };
}

function partition<T>(
  all: readonly T[],
  isFirst: (one: T) => boolean,
): readonly [first: readonly T[], rest: readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function compareUnreadable(ours: Findings | undefined, reason: string): Outcome {
  if (ours === undefined || ours.core.some(({ rule }) => rule === 'quantity-valid')) return SAME;
  return difference('podrail reads what Kubernetes cannot', { reason, ours: ours.core });
}

function difference(kind: string, detail: unknown): Outcome {
  return { differences: [{ kind, detail: JSON.stringify(detail) }], exceptions: [] };
}

/** Where one of these has something to say, it is all that podrail says. */
const STOPS = ['quantity-valid', 'resize-keeps-containers'];

function stopOf(core: readonly RuleFinding[]): string | undefined {
  return STOPS.find((id) => core.some(({ rule, conclusive }) => rule === id && conclusive));
}

function isFound({ core, own }: Findings, error: FieldError): boolean {
  return [...core, ...own].some((finding) => says(finding, error));
}

/** Whether podrail knows the error, and says something conclusive of the pod instead. */
function isHidden({ core }: Findings, error: FieldError): boolean {
  const stop = stopOf(core);
  const covered = coveredBy(error);
  return stop !== undefined && covered.length > 0 && covered.every(({ rule }) => rule !== stop);
}

/** Whether a finding is what the error says, of the same field. */
function says(finding: RuleFinding, error: FieldError): boolean {
  return coveredBy(error).some(({ rule, isSaidBy }) => rule === finding.rule && isSaidBy(finding));
}

function toMissing(error: FieldError, { core, own }: Findings): Difference {
  const covered = coveredBy(error);
  const detail = JSON.stringify({ error, ours: [...core, ...own] });
  if (covered.length === 0) return { kind: 'an error that nobody knows', detail };
  const rules = new Set(covered.map(({ rule }) => rule));
  return { kind: `Kubernetes alone refuses: ${[...rules].join(' or ')}`, detail };
}

function saidOf(core: readonly RuleFinding[]): readonly RuleFinding[] {
  const stop = stopOf(core);
  return stop === undefined ? core : core.filter(({ rule }) => rule === stop);
}

/** Kubernetes looks at the rest of the spec only where nothing else is wrong. */
function isAskedLast({ rule, path }: RuleFinding): boolean {
  return rule === 'resize-only-cpu-memory' && path === 'spec.resources';
}

/** What podrail refuses and Kubernetes does not say: on purpose, or not. */
function split(
  { core, own }: Findings,
  errors: readonly FieldError[],
  theirs: PodAnswer,
  minor: string,
): readonly [purposes: readonly string[], unexpected: readonly Difference[]] {
  const isAccepted = theirs.errors === undefined;
  const isSilent = theirs.errors?.some(endsValidation) ?? false;
  const expected = isSilent ? [] : saidOf(core).filter((finding) => isAccepted || !isAskedLast(finding));
  const purposes: string[] = [];
  const unexpected: Difference[] = [];
  const judge = (finding: RuleFinding, ours: boolean): void => {
    const purpose = purposeOf(finding, ours, minor);
    if (purpose === undefined) unexpected.push(toUnexpected(finding, errors));
    else if (isAccepted) purposes.push(purpose);
  };
  for (const finding of expected) if (!errors.some((error) => says(finding, error))) judge(finding, false);
  // What only podrail refuses is of interest where it does.
  for (const finding of isAccepted ? own : []) judge(finding, true);
  return [[...new Set(purposes)], unexpected];
}

function toUnexpected(finding: RuleFinding, errors: readonly FieldError[]): Difference {
  return { kind: `podrail alone refuses: ${finding.rule}`, detail: JSON.stringify({ finding, errors }) };
}
