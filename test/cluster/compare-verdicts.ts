// The API server's verdict beside podrail's: the same, different, or different on purpose.
import type { JudgedFinding } from '../../src/admission/verdict.ts';
import type { Answer } from './api-client.ts';
import { LEFT_TO_KUBERNETES, REFUSED_ON_PURPOSE, SAME_FIELDS } from './exceptions.ts';
import type { PodrailVerdict } from './podrail-verdict.ts';

export type Comparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'exception'; readonly name: string }
  | { readonly kind: 'difference'; readonly what: string };

interface Cause {
  readonly field: string;
  readonly message: string;
}

interface Status {
  readonly reason?: string;
  readonly message: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

/** After these Kubernetes looks at nothing else. */
const ENDS_EARLY = /may not be added or removed|may not be renamed or reordered|pods? cannot be resized/;

const SAME: Comparison = { kind: 'same' };

/** Compares who refuses, and where both do, that they name the same fields. */
export function compareVerdicts({ code, body }: Answer, podrail: PodrailVerdict): Comparison {
  if (code < 300) return compareWithAccepted(podrail);
  return compareWithRefused(code, body as Status, podrail);
}

function compareWithAccepted({ forKubernetes, violations }: PodrailVerdict): Comparison {
  if (forKubernetes.length > 0) return difference(`Kubernetes accepts; podrail refuses:${shown(forKubernetes)}`);
  if (violations.length === 0) return SAME;
  const unexplained = violations.filter(({ rule }) => REFUSED_ON_PURPOSE[rule] === undefined);
  if (unexplained.length > 0) return difference(`Kubernetes accepts; podrail alone refuses:${shown(unexplained)}`);
  return { kind: 'exception', name: violations[0]?.rule ?? '' };
}

function compareWithRefused(code: number, status: Status, podrail: PodrailVerdict): Comparison {
  const said = `Kubernetes refuses (${code}): ${status.message}`;
  const { forKubernetes } = podrail;
  if (podrail.changesNothing) return { kind: 'exception', name: 'a resize that changes nothing' };
  const causes = causesOf(status);
  if (causes.length === 0) {
    // Refused before anything was read of it: a text that is no quantity, which has no field.
    if (forKubernetes.some(({ rule }) => rule === 'quantity-valid')) return SAME;
    if (code === 400) return { kind: 'exception', name: 'a text that is never read' };
    return difference(`${said}\npodrail finds no quantity that does not parse:${shown(forKubernetes)}`);
  }
  const left = causes.filter((cause) => leftTo(cause) === undefined);
  if (left.length === 0 && forKubernetes.length === 0) {
    return { kind: 'exception', name: leftTo(causes[0] ?? { field: '', message: '' }) ?? '' };
  }
  const unnamed = left.filter((cause) => !forKubernetes.some((finding) => isSameField(cause, finding)));
  if (unnamed.length > 0)
    return difference(`${said}\npodrail does not name ${fieldsOf(unnamed)}:${shown(forKubernetes)}`);
  if (causes.some(({ message }) => ENDS_EARLY.test(message))) return SAME;
  const invented = forKubernetes.filter(
    (finding) => !isFollowUp(finding) && !causes.some((cause) => isSameField(cause, finding)),
  );
  if (invented.length > 0) return difference(`${said}\nand podrail also refuses:${shown(invented)}`);
  return SAME;
}

/** What Kubernetes comes to only where nothing else is wrong. */
function isFollowUp({ rule, path, cause }: JudgedFinding): boolean {
  // The plugin that knows nodes is asked after validation.
  if (cause !== undefined) return true;
  // A pod-level value that was completed from the containers is as wrong as theirs.
  return rule === 'quantity-valid' && path.startsWith('spec.resources.');
}

function causesOf({ details }: Status): readonly Cause[] {
  // `[]` is the pod as a whole.
  return (details?.causes ?? []).map(({ field = '', message = '' }) => ({
    field: field === '[]' ? '' : field,
    message,
  }));
}

function leftTo({ message }: Cause): string | undefined {
  return LEFT_TO_KUBERNETES.find(({ says }) => says.test(message))?.name;
}

/** The same field, one within the other, or one that Kubernetes calls otherwise. */
function isSameField(cause: Cause, finding: JudgedFinding): boolean {
  // Kubernetes blames the spec, or nothing at all, for what the status or an annotation says.
  if (!finding.path.startsWith('spec')) return cause.field === 'spec' || cause.field === '';
  const named = SAME_FIELDS.reduce(
    (field, { says, theirs, ours }) => (says.test(cause.message) ? field.replace(theirs, ours) : field),
    cause.field,
  );
  return isWithin(named, finding.path) || isWithin(finding.path, named);
}

function isWithin(inner: string, outer: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}

function difference(what: string): Comparison {
  return { kind: 'difference', what };
}

function fieldsOf(causes: readonly Cause[]): string {
  return causes.map(({ field, message }) => `${field === '' ? '(no field)' : field} (${message})`).join(', ');
}

function shown(findings: readonly JudgedFinding[]): string {
  if (findings.length === 0) return ' nothing';
  return findings.map(({ rule, path, message }) => `\n  [${rule}] ${path}: ${message}`).join('');
}
