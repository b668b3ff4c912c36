// One review: the text of a body → the text of the answer, and the record of it when there is one to keep.
import type { Policy } from '../guardrails/policy.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import { podName } from '../model/pod.ts';
import type { Facts, Scope } from '../rules/facts.ts';
import type { ClusterView } from './cluster-view.ts';
import { decide } from './decide.ts';
import { type Envelope, isExempt, readEnvelope, scopeOf } from './envelope.ts';
import { readJson } from './read-json.ts';
import { type AuditLevel, type AuditRecord, isRecorded, type RecordIds } from './record.ts';
import { type Phase, readAdmissionRequest } from './request.ts';
import { toResponse, toUnjudged } from './response.ts';
import { REVIEW } from './review-shape.ts';
import { toRecord, toRecordContent } from './to-record.ts';
import { type Fault, type OnFault, PASS, type Verdict } from './verdict.ts';

/** Everything a review depends on besides its own text. */
export interface ReviewContext {
  readonly policy: Policy;
  readonly cluster: ClusterView;
  readonly version: KubernetesVersion;
  /** podrail's own namespace, which it leaves alone. */
  readonly ownNamespace: string;
  readonly onFault: OnFault;
  readonly auditLevel: AuditLevel;
  readonly now: () => Date;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  readonly recordIds: RecordIds;
}

export interface Reply {
  /** The AdmissionReview to send back. */
  readonly body: string;
  readonly record: AuditRecord | undefined;
  /** For the process log: the stacks of what went wrong inside. */
  readonly faults: readonly Fault[];
  /** What was decided, of which facts (undefined when the pod could not be read); undefined where podrail has no say. */
  readonly decided: { readonly facts: Facts | undefined; readonly verdict: Verdict } | undefined;
}

/** Reviews one body. Throws InvalidReview when it is no v1 AdmissionReview: then there is no one to answer. */
export function review(text: string, phase: Phase, context: ReviewContext): Reply {
  const started = context.elapsedMs();
  const envelope = readEnvelope(readJson(text, REVIEW));
  const scope = scopeOf(envelope);
  if (scope === undefined) return unjudged(toUnjudged(envelope.uid, notOurs(envelope)));
  if (isExempt(envelope, context.ownNamespace)) return unjudged(toUnjudged(envelope.uid));
  const now = context.now();
  const { facts, verdict } = decideOrFault(envelope, scope, phase, now, context);
  const { version } = context;
  const content = isRecorded(verdict, context.auditLevel)
    ? toRecordContent({ scope, envelope, facts, version, verdict })
    : undefined;
  const { uid, stored } = envelope;
  const recordId = content && context.recordIds(content, { phase, stored, timeMs: now.getTime() });
  // The API server's audit log keeps what it was told first, so the client is told the same.
  const told = recordId && (recordId.retryOf ?? recordId.id);
  const body = toResponse({ uid, name: facts ? podName(facts.pod) : envelope.name, recordId: told }, verdict);
  const durationMs = context.elapsedMs() - started;
  const record = recordId && toRecord(recordId, { now, uid, durationMs }, content);
  return { body, record, faults: verdict.faults, decided: { facts, verdict } };
}

function unjudged(body: string): Reply {
  return { body, record: undefined, faults: PASS.faults, decided: undefined };
}

function notOurs({ operation, resource, subResource }: Envelope): string {
  const target = subResource === '' ? resource : `${resource}/${subResource}`;
  return `podrail does not judge ${operation} of ${target}; its webhook rules should not match it`;
}

// The mutating phase never refuses what it cannot read: the validating phase gets the same object and does.
function decideOrFault(
  envelope: Envelope,
  scope: Scope,
  phase: Phase,
  now: Date,
  context: ReviewContext,
): { readonly facts: Facts | undefined; readonly verdict: Verdict } {
  try {
    return decide(readAdmissionRequest(envelope, scope), envelope.object, phase, now, context);
  } catch (error) {
    const denies = phase === 'validate' && context.onFault === 'deny';
    const fault: Fault = { rule: undefined, guardrail: undefined, error: error as Error, denies };
    return { facts: undefined, verdict: { ...PASS, allowed: !denies, faults: [fault] } };
  }
}
