// The API server's verdict beside podrail's: who refuses, and whether both name the same fields. How Kubernetes' words and
// podrail's rules belong together is said once, in test/conformance, for its own code and for the server that runs it.
import type { FieldError, Outcome, PodAnswer } from '../conformance/answers.ts';
import { compareVerdicts } from '../conformance/compare-verdicts.ts';
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
  const refusal = answer.code < 300 ? undefined : (answer.body as unknown as Status);
  const causes = refusal?.details?.causes ?? [];
  if (refusal !== undefined && podrail.changesNothing) return { kind: 'exception', name: UNCHANGED };
  const ofNodes = causes.find(({ reason = '' }) => OF_NODES.includes(reason));
  if (ofNodes !== undefined) return compareNodes(ofNodes, podrail);
  const theirs = refusal === undefined ? {} : toPodAnswer(refusal.message, causes);
  // Where validation refuses, nobody has looked at the node.
  const core = podrail.forKubernetes.filter(({ cause }) => refusal === undefined || cause === undefined);
  if (answer.code === 400 && !core.some(({ rule }) => rule === 'quantity-valid') && Number(minor.slice(2)) < 36) {
    // Pod-level resources, which these minors drop from a resize, and from any pod on 1.33.
    return { kind: 'exception', name: UNREAD };
  }
  return toComparison(compareVerdicts({ core, own: podrail.own }, theirs, minor));
}

function compareNodes({ reason, message = '' }: Cause, { forKubernetes }: PodrailVerdict): Comparison {
  if (forKubernetes.some(({ cause }) => cause === reason)) return { kind: 'same' };
  return { kind: 'difference', what: `Kubernetes refuses for the node, and podrail does not: ${message}` };
}

function toPodAnswer(message: string, causes: readonly Cause[]): PodAnswer {
  // A text that is no quantity is refused before anything has a field.
  return causes.length === 0 ? { decode: message } : { errors: causes.map(toFieldError) };
}

function toFieldError({ reason = '', field = '', message = '' }: Cause): FieldError {
  return { type: reason, field, message };
}

function toComparison({ differences, exceptions }: Outcome): Comparison {
  if (differences.length > 0) {
    return { kind: 'difference', what: differences.map(({ kind, detail }) => `${kind}: ${detail}`).join('\n') };
  }
  const [name] = exceptions;
  return name === undefined ? { kind: 'same' } : { kind: 'exception', name };
}
