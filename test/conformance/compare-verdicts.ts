// Whether podrail's core rules refuse what Kubernetes refuses, at the same field, and nothing else.
import { type Difference, type FieldError, type Outcome, type PodAnswer, SAME } from './answers.ts';
import type { Findings, RuleFinding } from './core-findings.ts';
import { leftToKubernetes } from './left-to-kubernetes.ts';
import { otherReasonOf } from './other-reasons.ts';
import { coveredBy, isLast, says } from './refusals.ts';
import { purposeOf } from './refused-more.ts';
import { haveNegative, NEGATIVE, unsaidOf } from './unsaid.ts';

const CLASS = 'resize-keeps-qos';

/** What both say of one request; `ours` is undefined when podrail could not read the pod. */
export function compareVerdicts(ours: Findings | undefined, theirs: PodAnswer, minor: string): Outcome {
  if (theirs.decode !== undefined) return compareUnreadable(ours, theirs.decode);
  if (ours === undefined) return difference('podrail cannot read it', theirs);
  const all = theirs.errors ?? [];
  const left = all.flatMap((error) => leftToKubernetes(error) ?? []);
  const errors = all.filter((error) => leftToKubernetes(error) === undefined);
  const unsaid = errors.filter((error) => !ours.core.some((finding) => says(finding, error)));
  const ofClass = haveNegative(ours.core, errors, minor) ? NEGATIVE.name : undefined;
  const excuses = unsaid.map((error) => {
    if (coveredBy(error).some(({ rule }) => rule === CLASS)) return ofClass;
    return otherReasonOf(error, ours.own, minor, { facts: ours.facts, theirs }) ?? unsaidOf(error, ours.core, minor);
  });
  const missing = unsaid.filter((_, index) => excuses[index] === undefined);
  const [purposes, unexpected] = split(ours, errors, theirs, minor, ofClass);
  const exceptions = [...left, ...excuses.filter((name) => name !== undefined), ...purposes];
  const uneven = unevenIn(ours.core, errors, minor);
  if (missing.length + unexpected.length + uneven.length + exceptions.length === 0) return SAME;
  return {
    differences: [...missing.map((error) => toMissing(error, ours)), ...unexpected, ...uneven],
    exceptions: [...new Set(exceptions)],
  };
}

function compareUnreadable(ours: Findings | undefined, reason: string): Outcome {
  // What is too small or too large has a bound, and can be read.
  const isUnread = ({ rule, bound }: RuleFinding): boolean => rule === 'quantity-valid' && bound === undefined;
  if (ours === undefined || ours.core.some(isUnread)) return SAME;
  return difference('podrail reads what Kubernetes cannot', { reason, ours: ours.core });
}

function difference(kind: string, detail: unknown): Outcome {
  return { differences: [{ kind, detail: JSON.stringify(detail) }], exceptions: [] };
}

function toMissing(error: FieldError, { core, own }: Findings): Difference {
  const covered = coveredBy(error);
  const detail = JSON.stringify({ error, ours: [...core, ...own] });
  if (covered.length === 0) return { kind: 'an error that nobody knows', detail };
  const rules = new Set(covered.map(({ rule }) => rule));
  return { kind: `Kubernetes alone refuses: ${[...rules].join(' or ')}`, detail };
}

/** Kubernetes looks at the rest of the spec only where nothing else is wrong. */
function isAskedLast({ rule, path }: RuleFinding): boolean {
  return rule === 'resize-only-cpu-memory' && path === 'spec.resources';
}

/** What podrail refuses and Kubernetes does not say: on purpose, or not. `ofClass` excuses another class of the pod, where something does. */
function split(
  { core, own, facts }: Findings,
  errors: readonly FieldError[],
  theirs: PodAnswer,
  minor: string,
  ofClass: string | undefined,
): readonly [purposes: readonly string[], unexpected: readonly Difference[]] {
  const isAccepted = theirs.errors === undefined;
  const isSilentOn = (finding: RuleFinding): boolean => theirs.errors?.some((error) => isLast(error, finding)) ?? false;
  const expected = core.filter((finding) => isAccepted || !(isAskedLast(finding) || isSilentOn(finding)));
  const purposes: string[] = [];
  const unexpected: Difference[] = [];
  const judge = (finding: RuleFinding, ours: boolean): void => {
    if (finding.rule === CLASS && ofClass !== undefined) {
      purposes.push(ofClass);
      return;
    }
    const purpose = purposeOf(finding, ours, minor, { facts, theirs });
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

/**
 * Of what Kubernetes says once for each container, without saying which, there must be as many as podrail names. From 1.37 on it says
 * nothing twice.
 */
function unevenIn(core: readonly RuleFinding[], errors: readonly FieldError[], minor: string): readonly Difference[] {
  const once = errors.filter((error) => coveredBy(error).some(({ isOfEach }) => isOfEach));
  return [...new Map(once.map((error) => [error.message, error])).values()].flatMap((error) => {
    const named = core.filter((finding) => says(finding, error)).map(({ path }) => containerIn(path));
    const containers = new Set(named.filter((container) => container !== undefined)).size;
    const theirs = once.filter(({ message }) => message === error.message).length;
    const isOnce = Number(minor.slice(2)) >= 37;
    if (containers === 0 || theirs === (isOnce ? 1 : containers)) return [];
    return [{ kind: 'another number of containers', detail: JSON.stringify({ error, theirs, ours: core }) }];
  });
}

function containerIn(path: string): string | undefined {
  return /^spec\.(?:initContainers|containers)\[\d+\]/.exec(path)?.[0];
}
