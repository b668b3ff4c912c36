// What podrail decides by itself of what is sent to an API server without it: from the text of a review, as the API server
// would make one.
import type { ClusterView } from '../../src/admission/cluster-view.ts';
import { decide, type DecisionContext } from '../../src/admission/decide.ts';
import { readEnvelope } from '../../src/admission/envelope.ts';
import { readJson } from '../../src/admission/read-json.ts';
import { type AdmissionRequest, type Phase, readAdmissionRequest } from '../../src/admission/request.ts';
import { REVIEW } from '../../src/admission/review-shape.ts';
import type { JudgedFinding, Verdict } from '../../src/admission/verdict.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import { changesNothing } from '../../src/model/resize.ts';
import { contextOf, reviewOf } from '../admission/reviewing.ts';

export interface PodrailVerdict {
  /** What podrail says that Kubernetes refuses by itself, all of it: nothing conclusive hides the rest. */
  readonly forKubernetes: readonly JudgedFinding[];
  /** What podrail alone refuses, in either phase. */
  readonly own: readonly JudgedFinding[];
  /** What the validating phase warns of. */
  readonly warnings: readonly JudgedFinding[];
  /** Whether it is a resize that asks for nothing: podrail has no say in those. */
  readonly changesNothing: boolean;
}

export interface PodrailJudge {
  readonly create: (pod: unknown) => PodrailVerdict;
  readonly resize: (stored: unknown, asked: unknown) => PodrailVerdict;
}

/** podrail for a minor of Kubernetes and what the cluster has, with its baseline unless told otherwise. */
export function createJudge(
  minor: string,
  cluster: ClusterView,
  baseline: Guardrail = createBaseline('enforce'),
): PodrailJudge {
  const context = { ...contextOf({ version: minor, cluster }), policy: createPolicy([baseline]) };
  const coreAlone = coreRules(baseline, context);
  const core = new Set(baseline.rules.flatMap(({ rule }) => (rule.core(context.version) ? [rule.id] : [])));
  const isForKubernetes = ({ rule, ours }: JudgedFinding): boolean => core.has(rule) && ours !== true;
  const judge = (review: unknown, scope: 'create' | 'resize'): PodrailVerdict => {
    const envelope = readEnvelope(readJson(JSON.stringify(review), REVIEW));
    const request = readAdmissionRequest(envelope, scope);
    const say = (phase: Phase, own: DecisionContext): Verdict => decided(request, envelope.object, phase, own);
    const [mutate, validate] = [say('mutate', context), say('validate', context)];
    const early = (verdict: Verdict): readonly JudgedFinding[] =>
      // A create is never refused in this phase, but told of what Kubernetes is about to refuse.
      scope === 'create' ? verdict.warnings : verdict.violations;
    return {
      forKubernetes: coreAlone.flatMap((own) => early(say('mutate', own))).filter(isForKubernetes),
      own: (mutate.allowed ? validate : mutate).violations.filter((finding) => !isForKubernetes(finding)),
      warnings: validate.warnings,
      changesNothing: request.oldObject !== undefined && changesNothing(request.oldObject, request.object),
    };
  };
  return {
    create: (pod) => judge(reviewOf({ object: pod }), 'create'),
    resize: (stored, asked) =>
      judge(reviewOf({ operation: 'UPDATE', subResource: 'resize', oldObject: stored, object: asked }), 'resize'),
  };
}

/** The same decision with one rule each, of those of which Kubernetes refuses the same by itself. */
function coreRules(baseline: Guardrail, context: DecisionContext): readonly DecisionContext[] {
  const core = baseline.rules.filter(({ rule }) => rule.core(context.version));
  return core.map((rule) => ({ ...context, policy: createPolicy([{ ...baseline, rules: [rule] }]) }));
}

function decided(request: AdmissionRequest, json: unknown, phase: Phase, context: DecisionContext): Verdict {
  const { verdict } = decide(request, json, phase, NOW, context);
  const [fault] = verdict.faults;
  if (fault !== undefined) throw fault.error;
  return verdict;
}

const NOW = new Date('2026-11-30T09:00:00Z');
