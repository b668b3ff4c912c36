// The kubelet's verdict on a resize beside podrail's: Infeasible, Deferred, or allocated.
import type { JudgedFinding } from '../../src/admission/verdict.ts';
import { desiredRequests } from '../../src/model/pod-requests.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { excess, type Resources } from '../../src/model/resources.ts';
import { without } from '../generate/containers.ts';
import type { Comparison } from './compare-all.ts';
import { SIDECARS_UNCOUNTED, UNREPORTED } from './exceptions.ts';
import { containersOf, isPartlyHidden, type NodePod, pendingOf, type RunningPod, statesOf } from './node-pods.ts';
import type { PodrailVerdict } from './podrail-verdict.ts';

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
  const expected = verdictOf(findings);
  if (says.verdict === expected) return { kind: 'same' };
  const name = explanation(says.verdict, expected, situation);
  if (name !== undefined) return { kind: 'exception', names: [name] };
  const { asked, pods } = situation;
  const lines = [
    `the kubelet says ${says.verdict}: ${says.message}`,
    `podrail says ${expected}`,
    ...findings.map(({ rule, message }) => `  [${rule}] ${message}`),
    `asked: ${asked.metadata.name} ${JSON.stringify(valuesOf(asked))}`,
    ...pods.map((pod) => JSON.stringify(summaryOf(pod))),
  ];
  return { kind: 'difference', sort: `the kubelet says ${says.verdict}, podrail ${expected}`, what: lines.join('\n') };
}

function verdictOf(findings: readonly JudgedFinding[]): string {
  if (findings.some(({ rule }) => rule === 'resize-within-node')) return 'Infeasible';
  return findings.some(({ rule }) => rule === 'resize-fits-now') ? 'Deferred' : 'allocated';
}

function findingsIn({ forKubernetes, own, warnings }: PodrailVerdict): readonly JudgedFinding[] {
  return [...forKubernetes, ...own, ...warnings];
}

/** The name of the exception that it is; undefined where it is none. */
function explanation(verdict: string, expected: string, situation: Situation): string | undefined {
  const { minor, asked, allocatable, pods, toldAll } = situation;
  if (minor === '1.33' && expected === 'Infeasible' && verdict === 'Deferred') {
    return fitsAsPlainInit(asked, allocatable) ? SIDECARS_UNCOUNTED : undefined;
  }
  return pods.some(isPartlyHidden) && verdictOf(findingsIn(toldAll())) === verdict ? UNREPORTED : undefined;
}

/** Whether it fits where its sidecars count as its other init containers do, and not where they run beside the rest. */
function fitsAsPlainInit(asked: RunningPod, allocatable: Resources): boolean {
  const { initContainers = [] } = asked.spec;
  const plain = initContainers.map((container) => without(container, 'restartPolicy'));
  return fits({ ...asked, spec: { ...asked.spec, initContainers: plain } }, allocatable) && !fits(asked, allocatable);
}

function fits(pod: RunningPod, allocatable: Resources): boolean {
  const wanted = desiredRequests(readPod(pod), { minor: 33 });
  return excess(wanted, allocatable).every(({ resource }) => resource !== 'cpu' && resource !== 'memory');
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
