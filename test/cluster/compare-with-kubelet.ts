// The kubelet's verdict on a resize beside podrail's: Infeasible, Deferred, or allocated; and of which resources how much is short.
import type { JudgedFinding } from '../../src/admission/verdict.ts';
import { desiredRequests } from '../../src/model/pod-requests.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { excess, type Resources } from '../../src/model/resources.ts';
import { without } from '../generate/containers.ts';
import type { Comparison } from './compare-all.ts';
import { SIDECARS_UNCOUNTED, UNREPORTED } from './exceptions.ts';
import { containersOf, isPartlyHidden, type NodePod, pendingOf, type RunningPod, statesOf } from './node-pods.ts';
import type { PodrailVerdict } from './podrail-verdict.ts';
import { versionOf } from './scene-pods.ts';
import { isSaid, reasonsOf, type Shortage, toShortage } from './shortages.ts';

export interface KubeletSays {
  readonly verdict: string;
  readonly message: string;
}

/** In what circumstances it was said. */
export interface Situation {
  readonly minor: string;
  readonly asked: RunningPod;
  /** What the node can give. */
  readonly allocatable: Resources;
  /** What podrail says when it is told all that the kubelet knows. */
  readonly toldAll: () => PodrailVerdict;
  /** Every pod of the node, before the resize. */
  readonly pods: readonly NodePod[];
}

export function compareWithKubelet(says: KubeletSays, podrail: PodrailVerdict, situation: Situation): Comparison {
  const findings = findingsIn(podrail);
  if (isSame(says, findings)) return { kind: 'same' };
  const name = explanation(says, findings, situation);
  if (name !== undefined) return { kind: 'exception', names: [name] };
  const expected = verdictOf(findings);
  const { asked, pods } = situation;
  const lines = [
    `the kubelet says ${says.verdict}: ${says.message}`,
    `podrail says ${expected}`,
    ...findings.map(({ rule, message }) => `  [${rule}] ${message}`),
    `asked: ${asked.metadata.name} ${JSON.stringify(valuesOf(asked))}`,
    ...pods.map((pod) => JSON.stringify(summaryOf(pod))),
  ];
  const sort =
    says.verdict === expected
      ? `both say ${expected}, for other reasons`
      : `the kubelet says ${says.verdict}, podrail ${expected}`;
  return { kind: 'difference', sort, what: lines.join('\n') };
}

function isSame({ verdict, message }: KubeletSays, findings: readonly JudgedFinding[]): boolean {
  if (verdict !== verdictOf(findings)) return false;
  const deciding = findings.filter(({ rule }) => rule === RULES[verdict]);
  return verdict === 'allocated' || isSaid(verdict, message, reasonsOf(deciding));
}

/** Which of podrail's rules says a verdict, the first of them that finds something. */
const RULES: Readonly<Record<string, string>> = { Infeasible: 'resize-within-node', Deferred: 'resize-fits-now' };

function verdictOf(findings: readonly JudgedFinding[]): string {
  const [verdict] = Object.entries(RULES).find(([, id]) => findings.some(({ rule }) => rule === id)) ?? [];
  return verdict ?? 'allocated';
}

function findingsIn({ forKubernetes, own, warnings }: PodrailVerdict): readonly JudgedFinding[] {
  return [...forKubernetes, ...own, ...warnings];
}

/** The name of the exception that it is; undefined where it is none. */
function explanation(
  says: KubeletSays,
  findings: readonly JudgedFinding[],
  { minor, asked, allocatable, pods, toldAll }: Situation,
): string | undefined {
  const isOfPlainSidecars =
    minor === '1.33' &&
    verdictOf(findings) === 'Infeasible' &&
    isOfLess(says, asked, withPlainSidecars(asked), allocatable, minor);
  if (isOfPlainSidecars) return SIDECARS_UNCOUNTED;
  return pods.some(isPartlyHidden) && isSame(says, findingsIn(toldAll())) ? UNREPORTED : undefined;
}

/** As the kubelet of 1.33 counts it in what a node can never hold. */
function withPlainSidecars(pod: RunningPod): RunningPod {
  const { initContainers = [] } = pod.spec;
  const plain = initContainers.map((container) => without(container, 'restartPolicy'));
  return { ...pod, spec: { ...pod.spec, initContainers: plain } };
}

/** Whether it is said of the pod as it is counted, and would not be of all that it asks for. */
function isOfLess(
  { verdict, message }: KubeletSays,
  asked: RunningPod,
  counted: RunningPod,
  allocatable: Resources,
  minor: string,
): boolean {
  if (shortagesOf(asked, allocatable, minor).length === 0) return false;
  const shortages = shortagesOf(counted, allocatable, minor);
  if (shortages.length === 0) return verdict === 'Deferred';
  return verdict === 'Infeasible' && isSaid(verdict, message, { shortages, managers: [] });
}

function shortagesOf(pod: RunningPod, allocatable: Resources, minor: string): readonly Shortage[] {
  return excess(desiredRequests(readPod(pod), versionOf(minor)), allocatable)
    .filter(({ resource }) => resource === 'cpu' || resource === 'memory')
    .map(toShortage);
}

/** What matters of a pod, for somebody to read. */
function summaryOf({ pod, allocation }: NodePod): object {
  const { phase, resources, allocatedResources } = pod.status;
  return {
    pod: pod.metadata.name,
    phase,
    asks: valuesOf(pod),
    overhead: pod.spec.overhead,
    tells: statesOf(pod).map(({ name, resources: actual, allocatedResources: allocated }) => ({
      name,
      actual,
      allocated,
    })),
    tellsInAll: { resources, allocatedResources },
    pending: pendingOf(pod),
    allocated: allocation,
  };
}

function valuesOf(pod: RunningPod): object {
  const values = containersOf(pod).map(({ name, restartPolicy, resources }) => [name, { restartPolicy, ...resources }]);
  return { ...Object.fromEntries(values), inAll: pod.spec.resources };
}
