// The API server's verdict beside podrail's: who refuses, and whether both name the same fields. How Kubernetes' words and
// podrail's rules belong together is said once, in test/conformance, for its own code and for the server that runs it.
import type { FieldError, Outcome, PodAnswer } from '../conformance/answers.ts';
import { compareVerdicts } from '../conformance/compare-verdicts.ts';
import type { Findings } from '../conformance/core-findings.ts';
import { coveredBy } from '../conformance/refusals.ts';
import { UNREAD } from '../conformance/purposes.ts';
import type { Answer } from './api-client.ts';
import type { Comparison } from './compare-all.ts';
import { UNCHANGED } from './exceptions.ts';
import type { PodrailVerdict } from './podrail-verdict.ts';

interface Status {
  readonly message: string;
  readonly details?: { readonly causes?: readonly Cause[] };
}

interface Cause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

/** The plugin that knows nodes, from 1.36 on, which is asked after validation. */
const OF_NODES = ['NodeCapacity', 'UnsupportedPlatform'];

export function compareWithApiServer(answer: Answer, podrail: PodrailVerdict, minor: string): Comparison {
  if (answer.code < 300) return toComparison(compareVerdicts(findingsBeside(podrail, true), {}, minor));
  const { message, details } = answer.body as unknown as Status;
  const causes = details?.causes ?? [];
  const ofNodes = causes.find(({ reason = '' }) => OF_NODES.includes(reason));
  if (ofNodes !== undefined) return compareNodes(ofNodes, message, podrail);
  if (isUnread(answer)) return compareUnread(message, podrail, minor);
  if (causes.length === 0) return difference('another refusal', `Kubernetes answers ${answer.code}: ${message}`);
  const theirs = { errors: causes.map(toFieldError) };
  if (podrail.unsaid !== undefined) return compareUnsaid(podrail.unsaid, theirs, minor);
  return toComparison(compareVerdicts(findingsBeside(podrail, false), theirs, minor));
}

/** Whether Kubernetes has refused a text that is no quantity, which it does before anything has a field. */
export function isUnread({ code, body }: Answer): boolean {
  return code === 400 && /quantit|unable to parse numeric/.test((body as unknown as Status).message);
}

// Where validation refuses, nobody has looked at the node.
function findingsBeside({ forKubernetes, own }: PodrailVerdict, isAccepted: boolean): Findings {
  return { core: forKubernetes.filter(({ cause }) => isAccepted || cause === undefined), own };
}

function compareUnread(message: string, podrail: PodrailVerdict, minor: string): Comparison {
  if (podrail.droppedUnreadable.length > 0) return { kind: 'exception', names: [UNREAD] };
  return toComparison(compareVerdicts(findingsBeside(podrail, false), { decode: message }, minor));
}

/** Kubernetes names no field, but which resources are too large. */
function compareNodes({ reason }: Cause, message: string, { forKubernetes }: PodrailVerdict): Comparison {
  const findings = forKubernetes.filter(({ cause }) => cause === reason);
  const named = (text: string): string => [/\bcpu\b/, /\bmemory\b/].map((word) => word.test(text)).join();
  const ours = findings.map((finding) => finding.message).join('\n');
  const isSame = findings.length > 0 && (reason !== 'NodeCapacity' || named(ours) === named(toReason(message)));
  if (isSame) return { kind: 'same' };
  return difference('the node', `Kubernetes says: ${message}\nand podrail: ${ours}`);
}

function toReason(message: string): string {
  return message.slice(message.indexOf("node didn't have enough"));
}

/** What Kubernetes says of a pod that nothing is asked of must be what podrail would have said of it, for what it is. */
function compareUnsaid(unsaid: Findings, theirs: PodAnswer, minor: string): Comparison {
  const comparison = toComparison(compareVerdicts(unsaid, theirs, minor));
  const isOfPod = theirs.errors?.every((error) => coveredBy(error).some(({ rule }) => rule === 'resize-supported-pod'));
  if (comparison.kind === 'difference') return comparison;
  if (isOfPod === true) return { kind: 'exception', names: [UNCHANGED] };
  return difference('a resize that changes nothing', `Kubernetes says: ${JSON.stringify(theirs)}`);
}

function toFieldError({ reason = '', field = '', message = '' }: Cause): FieldError {
  return { type: reason, field, message };
}

function toComparison({ differences, exceptions }: Outcome): Comparison {
  if (differences.length > 0) {
    const sorts = new Set(differences.map(({ kind }) => kind));
    return difference([...sorts].join(', '), differences.map(({ kind, detail }) => `${kind}: ${detail}`).join('\n'));
  }
  return exceptions.length === 0 ? { kind: 'same' } : { kind: 'exception', names: exceptions };
}

function difference(sort: string, what: string): Comparison {
  return { kind: 'difference', sort, what };
}
