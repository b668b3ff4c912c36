// The kubelet's verdict on a resize beside podrail's: Infeasible, Deferred, or allocated.
import type { JudgedFinding } from '../../src/admission/verdict.ts';
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
  /** Every pod of the node, before the resize. */
  readonly pods: readonly NodePod[];
}

export function compareWithKubelet(says: KubeletSays, podrail: PodrailVerdict, situation: Situation): Comparison {
  const findings = [...podrail.forKubernetes, ...podrail.own, ...podrail.warnings];
  const expected = verdictOf(findings);
  if (says.verdict === expected) return { kind: 'same' };
  const name = explanation(says.verdict, expected, situation);
  if (name !== undefined) return { kind: 'exception', name };
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

/** The name of the exception that it is; undefined where it is none. */
function explanation(verdict: string, expected: string, { minor, asked, pods }: Situation): string | undefined {
  const hasSidecar = asked.spec.initContainers?.some(({ restartPolicy }) => restartPolicy === 'Always');
  if (minor === '1.33' && expected === 'Infeasible' && verdict === 'Deferred' && hasSidecar) return SIDECARS_UNCOUNTED;
  return pods.some(isPartlyHidden) ? UNREPORTED : undefined;
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
