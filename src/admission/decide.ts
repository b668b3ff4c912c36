// One decision: the request, the policy and what is known of the cluster → verdict. Synchronous and pure.
import type { AppliedRule, Policy, Undecided } from '../guardrails/policy.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import { podName } from '../model/pod.ts';
import { readPod } from '../model/read-pod.ts';
import { ignoredEdits } from '../model/ignored-edits.ts';
import { changesNothing } from '../model/resize.ts';
import type { Facts } from '../rules/facts.ts';
import { quote } from '../rules/message.ts';
import type { ClusterView } from './cluster-view.ts';
import { fix } from './fix.ts';
import { gatherFacts } from './gather-facts.ts';
import type { AdmissionRequest, Phase } from './request.ts';
import { UnknownNamespace } from './unknown-namespace.ts';
import { type Fault, type JudgedFinding, judge, type OnFault, PASS, type Verdict } from './verdict.ts';

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
 * The mutating phase patches. It refuses no create, since a later webhook may still change the pod; of a resize (or the update that
 * should have been one) it refuses what its fixes leave: Kubernetes, too, may refuse it before a validating webhook is asked, by what
 * podrail does not know, and then nobody would hear of ours. Warnings and faults wait for the validating phase.
 */
export function decide(
  request: AdmissionRequest,
  json: unknown,
  phase: Phase,
  now: Date,
  context: DecisionContext,
): Decided {
  const facts = gatherFacts(request, context.cluster, context.version, now);
  if (isNoOp(facts, request)) return { facts, verdict: withDroppedEdits(PASS, request, phase, context.version) };
  const { rules, undecided } = context.policy.select(facts);
  if (phase === 'mutate') return { facts, verdict: mutate(request, json, facts, rules, context) };
  const verdict = judge(facts, rules, context.onFault);
  const faults = undecided.map((one) => toFault(one, facts, context.onFault));
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
  const { cluster, version } = context;
  const refacts = (changed: unknown): Facts =>
    gatherFacts({ ...request, object: readPod(changed) }, cluster, version, facts.now);
  // What the fixes leave is judged; who is refused is told of what was asked.
  const { fixes, facts: fixed } = fix(facts, json, rules, refacts);
  if (facts.scope === 'create') return { ...toldOfCreate(violationsForKubernetes(fixed, rules, context)), ...fixes };
  const isRefused = judge(fixed, rules, context.onFault).violations.length > 0;
  if (isRefused) return withFaults(judge(facts, rules, context.onFault), fixes.faults);
  return withDroppedEdits({ ...PASS, ...fixes }, request, 'mutate', version);
}

// Rule by rule: a conclusive reason of podrail's own must not hide what Kubernetes would say of another.
function violationsForKubernetes(
  facts: Facts,
  rules: readonly AppliedRule[],
  { version, onFault }: DecisionContext,
): readonly JudgedFinding[] {
  return rules
    .filter(({ rule }) => rule.core(version))
    .flatMap((applied) => judge(facts, [applied], onFault).violations)
    .filter(({ ours }) => !ours);
}

// This phase refuses no create, but it can say in words that help, next to the API server's own, what is about to be refused.
function toldOfCreate(violations: readonly JudgedFinding[]): Verdict {
  if (violations.length === 0) return PASS;
  return { ...PASS, warnings: violations.map((violation) => ({ ...violation, mode: 'warn' })) };
}

const MOST_PATHS = 3;

// Only the first phase sees what a resize drops.
function withDroppedEdits(
  verdict: Verdict,
  { scope, object, oldObject }: AdmissionRequest,
  phase: Phase,
  version: KubernetesVersion,
): Verdict {
  if (phase !== 'mutate' || scope !== 'resize' || oldObject === undefined) return verdict;
  const paths = ignoredEdits(oldObject, object, version);
  if (paths.length === 0) return verdict;
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '';
  const shown = paths.slice(0, MOST_PATHS).join(', ');
  const notice = `a resize changes only resources; Kubernetes drops what pod ${quote(podName(object))} changes in ${shown}${more}`;
  return { ...verdict, notices: [notice] };
}

function toFault({ guardrail, enforces }: Undecided, { namespace }: Facts, onFault: OnFault): Fault {
  const error = new UnknownNamespace(guardrail, namespace.name);
  return { rule: undefined, guardrail, error, denies: enforces && onFault === 'deny' };
}

function withFaults(verdict: Verdict, faults: readonly Fault[]): Verdict {
  const allowed = verdict.allowed && !faults.some((fault) => fault.denies);
  return { ...verdict, allowed, faults: [...verdict.faults, ...faults] };
}
