// One decision: the request, the policy and what is known of the cluster → verdict. Synchronous and pure.
import type { AppliedRule, Policy } from '../guardrails/policy.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import { podName } from '../model/pod.ts';
import { readPod } from '../model/read-pod.ts';
import { changesNothing, ignoredEdits } from '../model/resize.ts';
import type { Facts } from '../rules/facts.ts';
import type { ClusterView } from './cluster-view.ts';
import { fix } from './fix.ts';
import { gatherFacts } from './gather-facts.ts';
import type { AdmissionRequest, Phase } from './request.ts';
import { type Fault, judge, type OnFault, PASS, toFault, type Verdict } from './verdict.ts';

export interface DecisionContext {
  readonly policy: Policy;
  readonly cluster: ClusterView;
  readonly version: KubernetesVersion;
  readonly onFault: OnFault;
}

export interface Decided {
  readonly facts: Facts;
  readonly verdict: Verdict;
}

/**
 * Decides one request. `json` is the new pod as it was read from the body, for fixes that build on one another.
 *
 * The mutating phase patches, and refuses a resize only for what the API server would refuse by itself before any
 * validating webhook is asked; once it refuses, it says all that is wrong. Everything else waits for the validating
 * phase, when nothing can change the pod any more.
 */
export function decide(
  request: AdmissionRequest,
  json: unknown,
  phase: Phase,
  now: Date,
  context: DecisionContext,
): Decided {
  const facts = gatherFacts(request, context.cluster, context.version, now);
  if (isNoOp(facts, request)) return { facts, verdict: PASS };
  const { rules, undecided } = context.policy.select(facts);
  const faults = undecided.map((guardrail) => toUndecided(guardrail, facts, context.onFault));
  const verdict =
    phase === 'mutate' ? mutate(request, json, facts, rules, context) : judge(facts, rules, context.onFault);
  return { facts, verdict: faults.length === 0 ? verdict : withFaults(verdict, faults) };
}

// What changes nothing is nobody's business; a resize that means the same in other words passes before any rule runs.
// Asked of the pod as it was sent: Kubernetes refuses some resizes although it would have dropped all that they change.
function isNoOp({ scope, before, changes }: Facts, { object }: AdmissionRequest): boolean {
  if (before === undefined || changes.length > 0) return false;
  return scope === 'update' || changesNothing(before, object);
}

function mutate(
  request: AdmissionRequest,
  json: unknown,
  facts: Facts,
  rules: readonly AppliedRule[],
  context: DecisionContext,
): Verdict {
  const { cluster, version, onFault } = context;
  const refacts = (changed: unknown): Facts =>
    gatherFacts({ ...request, object: readPod(changed) }, cluster, version, facts.now);
  const { fixes, facts: fixed } = fix(facts, json, rules, onFault, refacts);
  if (facts.scope !== 'resize') return { ...PASS, ...fixes };
  const core = rules.filter(({ rule }) => rule.core(version));
  // The API server judges what the fixes leave; who is refused is told of what was asked.
  if (!judge(fixed, core, onFault).allowed) return judge(facts, rules, onFault);
  return { ...PASS, ...fixes, notices: droppedEdits(request) };
}

function droppedEdits({ object, oldObject }: AdmissionRequest): readonly string[] {
  const paths = oldObject ? ignoredEdits(oldObject, object) : [];
  if (paths.length === 0) return paths;
  return [
    `a resize changes only resources: Kubernetes drops what pod "${podName(object)}" changes in ${paths.join(', ')}`,
  ];
}

function toUndecided(guardrail: string, { namespace }: Facts, onFault: OnFault): Fault {
  const error = new Error(
    `guardrail "${guardrail}" selects namespaces by label, and namespace "${namespace.name}" is not known`,
  );
  return toFault({ guardrail, mode: 'enforce' }, error, onFault);
}

function withFaults(verdict: Verdict, faults: readonly Fault[]): Verdict {
  const allowed = verdict.allowed && !faults.some((fault) => fault.denies);
  return { ...verdict, allowed, faults: [...verdict.faults, ...faults] };
}
