// Verdict → AdmissionReview JSON. Written by hand around JSON.stringify of the few texts, since most answers are "allowed".
import { InvalidObject } from '../model/invalid-object.ts';
import type { PatchOperation } from '../model/json-patch.ts';
import { UnknownNamespace } from './unknown-namespace.ts';
import type { Fault, JudgedFinding, Verdict } from './verdict.ts';

const HEAD = '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":';
const TAIL = '}}';

/** What the answer needs to know of the request. */
export interface Answered {
  readonly uid: string;
  /** The pod's name, for `status.details.name`. */
  readonly name: string;
  /** The audit record this answer belongs to, when there is one. */
  readonly recordId: string | undefined;
}

/**
 * The response of the API server's webhook contract: HTTP 200 also for a denial, with code 403 and reason Forbidden, one
 * line a finding, and one cause a finding for machines. A request that cannot be read is 400 BadRequest instead.
 */
export function toResponse(answered: Answered, verdict: Verdict): string {
  let body = `${HEAD}${JSON.stringify(answered.uid)},"allowed":${verdict.allowed}`;
  if (!verdict.allowed) body += `,"status":${JSON.stringify(toStatus(answered, verdict))}`;
  else if (verdict.patch.length > 0) body += `,"patchType":"JSONPatch","patch":"${toBase64(verdict.patch)}"`;
  const warnings = warningLines(verdict, answered.recordId);
  if (warnings.length > 0) body += `,"warnings":${JSON.stringify(warnings)}`;
  if (answered.recordId !== undefined)
    body += `,"auditAnnotations":${JSON.stringify(annotationsOf(answered.recordId, verdict))}`;
  return body + TAIL;
}

/** The answer for what podrail does not judge: allowed, and said so where it should not have been asked. */
export function toUnjudged(uid: string, warning?: string): string {
  const said = warning === undefined ? '' : `,"warnings":${JSON.stringify([warning])}`;
  return `${HEAD}${JSON.stringify(uid)},"allowed":true${said}${TAIL}`;
}

function toStatus({ name, recordId }: Answered, verdict: Verdict): unknown {
  const denying = verdict.faults.filter((fault) => fault.denies);
  const lines = [...denialLines(verdict, recordId)];
  if (recordId !== undefined) lines.push(`podrail recorded this as ${recordId}`);
  const isUnreadable = verdict.violations.length === 0 && denying.some((fault) => fault.error instanceof InvalidObject);
  return {
    status: 'Failure',
    code: isUnreadable ? 400 : 403,
    reason: isUnreadable ? 'BadRequest' : 'Forbidden',
    message: lines.join('\n'),
    details: { name, kind: 'pods', causes: [...verdict.violations.map(toCause), ...denying.map(toFaultCause)] },
  };
}

/** Why a request is denied, a line for each reason. `recordId` is where to look for what failed inside. */
export function denialLines({ violations, faults, unsaid }: Verdict, recordId: string | undefined): readonly string[] {
  const denying = faults.filter((fault) => fault.denies);
  const lines = [...violations.map(toLine), ...denying.map((fault) => toFaultLine(fault, recordId))];
  return unsaid > 0 ? [...lines, `and ${unsaid} more`] : lines;
}

function toLine({ rule, message }: JudgedFinding): string {
  return `[${rule}] ${message}`;
}

function toCause({ rule, cause, path, message }: JudgedFinding): unknown {
  return { reason: cause ?? rule, field: path, message };
}

function toFaultLine({ rule, guardrail, error }: Fault, recordId: string | undefined): string {
  if (error instanceof InvalidObject) return `podrail cannot read this pod: ${error.message}`;
  if (error instanceof UnknownNamespace) return error.message;
  // What failed inside is for the log; to anyone else it means nothing, and it may quote what is not theirs to read.
  if (rule === undefined) return `podrail could not check this; its log has ${recordId}`;
  return `[${rule}] podrail could not check this for guardrail "${guardrail}"; its log has ${recordId}`;
}

function toFaultCause({ rule, error }: Fault): unknown {
  return {
    reason: rule ?? 'podrail',
    field: error instanceof InvalidObject ? error.path : '',
    message: 'podrail could not check this',
  };
}

/** What the client is warned of, as it is shown. `recordId` as for denialLines. */
export function warningLines(verdict: Verdict, recordId: string | undefined): readonly string[] {
  const { warnings, fixed, faults, notices } = verdict;
  if (warnings.length === 0 && fixed.length === 0 && faults.length === 0) return notices;
  return [
    ...fixed.map((finding) => `[${finding.rule}] fixed: ${finding.message}`),
    ...warnings.map(toLine),
    ...faults.filter((fault) => !fault.denies).map((fault) => toFaultLine(fault, recordId)),
    ...notices,
  ];
}

// The API server puts the webhook's name before each key and keeps them in its own audit log.
function annotationsOf(recordId: string, verdict: Verdict): unknown {
  const findings = [...verdict.violations, ...verdict.fixed, ...verdict.warnings, ...verdict.audited];
  const rules = [...new Set(findings.map((finding) => finding.rule))].join(',');
  return { record: recordId, ...(rules === '' ? {} : { rules }) };
}

function toBase64(patch: readonly PatchOperation[]): string {
  return Buffer.from(JSON.stringify(patch)).toString('base64');
}
