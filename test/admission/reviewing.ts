// Bodies and contexts for tests that go from body to response.
import { type ClusterView, EMPTY_CLUSTER } from '../../src/admission/cluster-view.ts';
import type { AuditLevel, AuditRecord } from '../../src/admission/record.ts';
import type { Phase } from '../../src/admission/request.ts';
import { review, type ReviewContext } from '../../src/admission/review.ts';
import type { OnFault } from '../../src/admission/verdict.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import { parseKubernetesVersion } from '../../src/model/kubernetes-version.ts';
import { captured } from './captured.ts';

export interface Setting {
  readonly version?: string;
  readonly cluster?: ClusterView;
  /** Before the baseline; without `baseline: false` the baseline applies too. */
  readonly guardrails?: readonly Guardrail[];
  readonly baseline?: false;
  readonly onFault?: OnFault;
  readonly auditLevel?: AuditLevel;
  readonly now?: string;
}

export const RECORD_ID = '01J00000000000000000000000';

/** A context in which every clock stands still and every record has the same id. */
export function contextOf(setting: Setting = {}): ReviewContext {
  const version = parseKubernetesVersion(setting.version ?? '1.35');
  if (version === undefined) throw new Error(`no version: ${setting.version}`);
  const baseline = setting.baseline === false ? [] : [createBaseline('enforce')];
  return {
    policy: createPolicy([...(setting.guardrails ?? []), ...baseline]),
    cluster: setting.cluster ?? EMPTY_CLUSTER,
    version,
    ownNamespace: 'podrail',
    onFault: setting.onFault ?? 'deny',
    auditLevel: setting.auditLevel ?? 'denied',
    now: () => new Date(setting.now ?? '2026-09-20T10:00:00Z'),
    elapsedMs: () => 0,
    recordIds: () => ({ id: RECORD_ID, retryOf: null }),
  };
}

export interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: {
    readonly code: number;
    readonly reason: string;
    readonly message: string;
    readonly details: {
      readonly causes: readonly { readonly reason: string; readonly field: string; readonly message: string }[];
    };
  };
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export interface Reviewed {
  readonly response: Response;
  readonly patch: unknown;
  readonly record: AuditRecord | undefined;
}

/** Posts a body to one phase: the parsed response, its decoded patch, the record. */
export function post(body: unknown, phase: Phase, context: ReviewContext): Reviewed {
  const reply = review(typeof body === 'string' ? body : JSON.stringify(body), phase, context);
  const { response } = JSON.parse(reply.body) as { readonly response: Response };
  const patch: unknown =
    response.patch === undefined ? undefined : JSON.parse(Buffer.from(response.patch, 'base64').toString());
  return { response, patch, record: reply.record };
}

/** As the API server does it: the mutating phase, and when that allows, the validating phase. */
export function postBoth(body: unknown, context: ReviewContext): Reviewed {
  const first = post(body, 'mutate', context);
  return first.response.allowed ? post(body, 'validate', context) : first;
}

export interface ReviewOf {
  readonly operation?: string;
  readonly subResource?: string;
  readonly namespace?: string;
  readonly object?: unknown;
  readonly oldObject?: unknown;
  readonly dryRun?: boolean;
  readonly userInfo?: unknown;
}

interface Sent {
  readonly request: Readonly<Record<string, unknown>> & { readonly uid: string };
}

const SENT = JSON.parse(captured('1.37/create.mutate')) as Sent;

/** The uid of every review that reviewOf gives. */
export const { uid: UID } = SENT.request;

/** An AdmissionReview of a pod, as an API server has sent it, with these pods in it. */
export function reviewOf(of: ReviewOf): unknown {
  const name = (of.object as { metadata?: { name?: string } } | undefined)?.metadata?.name ?? '';
  const { subResource } = of;
  return {
    ...SENT,
    request: {
      ...SENT.request,
      ...(subResource === undefined ? {} : { subResource, requestSubResource: subResource }),
      name,
      namespace: of.namespace ?? 'team-blue',
      operation: of.operation ?? 'CREATE',
      userInfo: of.userInfo ?? SENT.request['userInfo'],
      object: of.object ?? null,
      oldObject: of.oldObject ?? null,
      dryRun: of.dryRun ?? false,
    },
  };
}

export function resizeReview(oldObject: unknown, object: unknown, more: ReviewOf = {}): unknown {
  return reviewOf({ operation: 'UPDATE', subResource: 'resize', oldObject, object, ...more });
}
