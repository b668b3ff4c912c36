// How an audit record is made of one decision: what it says, and of which call.
import type { Mode } from '../guardrails/mode.ts';
import { type KubernetesVersion, toVersionText } from '../model/kubernetes-version.ts';
import { podName } from '../model/pod.ts';
import { toText } from '../model/quantity.ts';
import { type Change, NO_CHANGES } from '../model/resize.ts';
import type { Facts, Scope } from '../rules/facts.ts';
import { resourcePath } from '../rules/message.ts';
import { toServiceAccount } from '../rules/requesters.ts';
import type { Envelope } from './envelope.ts';
import type { AuditRecord, Decision, RecordContent, RecordId } from './record.ts';
import type { ExceptedFinding, JudgedFinding, Verdict } from './verdict.ts';

const MOST_CHANGES = 100;

export interface Recorded {
  readonly scope: Scope;
  readonly envelope: Envelope;
  /** undefined when the pod could not be read. */
  readonly facts: Facts | undefined;
  readonly version: KubernetesVersion;
  readonly verdict: Verdict;
}

/** What the record of a decision says. It holds names and resources and no other part of the pod: no environment, no annotation. */
export function toRecordContent({ scope, envelope, facts, version, verdict }: Recorded): RecordContent {
  const changes = facts === undefined ? NO_CHANGES : facts.changes;
  return {
    decision: decisionOf(verdict),
    mode: modeOf(verdict),
    operation: scope,
    dryRun: envelope.dryRun,
    user: {
      name: envelope.requester.name,
      groups: envelope.requester.groups,
      serviceAccount: toServiceAccount(envelope.requester.name) ?? null,
    },
    pod: toPod(envelope, facts),
    changes: changes.slice(0, MOST_CHANGES).map(toChange),
    findings: [...verdict.violations, ...verdict.fixed, ...verdict.warnings, ...verdict.audited].map(toFinding),
    excepted: verdict.excepted.map(toExcepted),
    faults: verdict.faults.map(({ rule, error }) => ({ rule: rule ?? null, error: error.message })),
    patch: verdict.patch,
    unlisted: { findings: verdict.unsaid, changes: Math.max(0, changes.length - MOST_CHANGES) },
    kubernetes: toVersionText(version),
  };
}

export interface Call {
  readonly now: Date;
  /** Of the AdmissionReview. */
  readonly uid: string;
  readonly durationMs: number;
}

/** The record of one decision. */
export function toRecord(
  { id, retryOf }: RecordId,
  { now, uid, durationMs }: Call,
  content: RecordContent,
): AuditRecord {
  return {
    schema: 'podrail.dev/audit/v1',
    id,
    time: now.toISOString(),
    uid,
    retryOf,
    ...content,
    durationMs: Math.round(durationMs * 1000) / 1000,
  };
}

function decisionOf(verdict: Verdict): Decision {
  if (!verdict.allowed) return 'deny';
  if (verdict.fixed.length > 0) return 'fix';
  return verdict.warnings.length > 0 || verdict.faults.length > 0 ? 'warn' : 'allow';
}

function modeOf(verdict: Verdict): Mode {
  const decision = decisionOf(verdict);
  if (decision === 'allow') return verdict.patch.length > 0 ? 'fix' : 'audit';
  return decision === 'deny' ? 'enforce' : decision;
}

function toPod(envelope: Envelope, facts: Facts | undefined): AuditRecord['pod'] {
  const { namespace, name } = envelope;
  if (facts === undefined) return { namespace, name, uid: null, owner: null, node: null };
  const pod = facts.before ?? facts.pod;
  return {
    namespace,
    name: name === '' ? podName(pod) : name,
    uid: pod.uid === '' ? null : pod.uid,
    owner: pod.owner ? { kind: pod.owner.kind, name: pod.owner.name } : null,
    node: pod.nodeName ?? null,
  };
}

function toChange({ container, list, resource, from, to }: Change): AuditRecord['changes'][number] {
  return {
    container: container?.name ?? null,
    kind: container?.kind ?? 'pod',
    path: resourcePath(container, list, resource),
    from: from ? toText(from) : null,
    to: to ? toText(to) : null,
  };
}

function toFinding({
  rule,
  guardrail,
  mode,
  path,
  actual,
  bound,
  message,
}: JudgedFinding): AuditRecord['findings'][number] {
  return { rule, guardrail, mode, path, actual: actual ?? null, bound: bound ?? null, message };
}

function toExcepted(found: ExceptedFinding): AuditRecord['excepted'][number] {
  const { exception, reason, rule, guardrail, path, actual, bound, message } = found;
  return { exception, reason, rule, guardrail, path, actual: actual ?? null, bound: bound ?? null, message };
}
