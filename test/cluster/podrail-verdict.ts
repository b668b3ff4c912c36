// What podrail decides by itself of what is sent to an API server without it: from the text of a review, as the API server
// would make one.
import type { ClusterView } from '../../src/admission/cluster-view.ts';
import { decide, type DecisionContext } from '../../src/admission/decide.ts';
import { gatherFacts } from '../../src/admission/gather-facts.ts';
import { readEnvelope } from '../../src/admission/envelope.ts';
import { readJson } from '../../src/admission/read-json.ts';
import { type AdmissionRequest, type Phase, readAdmissionRequest } from '../../src/admission/request.ts';
import { REVIEW } from '../../src/admission/review-shape.ts';
import type { JudgedFinding, Verdict } from '../../src/admission/verdict.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import { changesNothing } from '../../src/model/resize.ts';
import { type Findings, findingsOf } from '../conformance/core-findings.ts';
import { droppedUnreadable } from '../conformance/dropped-values.ts';
import { contextOf, reviewOf } from '../admission/reviewing.ts';

/** What every rule says that is asked alone, so that nothing conclusive hides the rest. */
export interface PodrailVerdict {
  /** What podrail says in the mutating phase that Kubernetes refuses by itself. */
  readonly forKubernetes: readonly JudgedFinding[];
  /** What only podrail refuses, in the validating phase. */
  readonly own: readonly JudgedFinding[];
  /** What the validating phase warns of. */
  readonly warnings: readonly JudgedFinding[];
  /** What the rules find in a resize that asks for nothing, of which podrail says none: it has no say in those. */
  readonly unsaid: Findings | undefined;
  /** The paths of unreadable values in what is dropped from a resize. */
  readonly droppedUnreadable: readonly string[];
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
  const context = contextOf({ version: minor, cluster });
  const rules = baseline.rules.map((rule) => ({ ...context, policy: createPolicy([{ ...baseline, rules: [rule] }]) }));
  const core = new Set(baseline.rules.flatMap(({ rule }) => (rule.core(context.version) ? [rule.id] : [])));
  const isForKubernetes = ({ rule, ours }: JudgedFinding): boolean => core.has(rule) && ours !== true;
  const judge = (review: unknown, scope: 'create' | 'resize'): PodrailVerdict => {
    const envelope = readEnvelope(readJson(JSON.stringify(review), REVIEW));
    const request = readAdmissionRequest(envelope, scope);
    const say = (phase: Phase): readonly Verdict[] =>
      rules.map((alone) => decided(request, envelope.object, phase, alone));
    const validate = say('validate');
    return {
      forKubernetes: say('mutate')
        // A create is never refused in this phase, but told of what Kubernetes is about to refuse.
        .flatMap(({ violations, warnings }) => (scope === 'create' ? warnings : violations))
        .filter(isForKubernetes),
      own: validate.flatMap(({ violations }) => violations).filter((finding) => !isForKubernetes(finding)),
      warnings: validate.flatMap(({ warnings }) => warnings),
      unsaid: unsaidOf(request, context),
      droppedUnreadable: scope === 'resize' ? droppedUnreadable(request.object, context.version) : [],
    };
  };
  return {
    create: (pod) => judge(reviewOf({ object: pod }), 'create'),
    resize: (stored, asked) =>
      judge(reviewOf({ operation: 'UPDATE', subResource: 'resize', oldObject: stored, object: asked }), 'resize'),
  };
}

function unsaidOf(request: AdmissionRequest, { cluster, version }: DecisionContext): Findings | undefined {
  const { oldObject, object } = request;
  if (oldObject === undefined || !changesNothing(oldObject, object)) return undefined;
  return findingsOf(gatherFacts(request, cluster, version, NOW));
}

function decided(request: AdmissionRequest, json: unknown, phase: Phase, context: DecisionContext): Verdict {
  const { verdict } = decide(request, json, phase, NOW, context);
  const [fault] = verdict.faults;
  if (fault !== undefined) throw fault.error;
  return verdict;
}

const NOW = new Date('2026-11-30T09:00:00Z');
