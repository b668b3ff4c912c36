// The kubelet's verdict on a resize beside podrail's: Infeasible, Deferred, or allocated.
import type { JudgedFinding } from '../../src/admission/verdict.ts';
import type { Comparison } from './compare-verdicts.ts';
import { isPartlyHidden, type NodePod, type RunningPod } from './node-pods.ts';
import type { PodrailVerdict } from './podrail-verdict.ts';

export interface KubeletSays {
  readonly verdict: string;
  readonly message: string;
}

/** In what circumstances it was said. */
export interface Situation {
  readonly minor: string;
  readonly chosen: RunningPod;
  readonly asked: RunningPod;
  /** Every pod of the node, before the resize. */
  readonly pods: readonly NodePod[];
}

export function compareWithKubelet(says: KubeletSays, podrail: PodrailVerdict, situation: Situation): Comparison {
  const findings = [...podrail.violations, ...podrail.warnings];
  const expected = verdictOf(findings);
  if (says.verdict === expected) return { kind: 'same' };
  const name = explanation(says.verdict, expected, situation);
  if (name !== undefined) return { kind: 'exception', name };
  const { asked, pods } = situation;
  const shown = findings.map(({ rule, message }) => `\n  [${rule}] ${message}`).join('');
  return {
    kind: 'difference',
    what: `the kubelet says ${says.verdict}: ${says.message}\npodrail says ${expected}:${shown}\nasked: ${JSON.stringify(asked.spec)}\nbeside: ${JSON.stringify(pods.map(({ pod, allocation }) => ({ name: pod.metadata.name, spec: pod.spec, status: pod.status, allocation })))}`,
  };
}

function verdictOf(findings: readonly JudgedFinding[]): string {
  if (findings.some(({ rule }) => rule === 'resize-within-node')) return 'Infeasible';
  return findings.some(({ rule }) => rule === 'resize-fits-now') ? 'Deferred' : 'allocated';
}

function explanation(verdict: string, expected: string, { minor, asked, pods }: Situation): string | undefined {
  const hasSidecar = asked.spec.initContainers?.some(({ restartPolicy }) => restartPolicy === 'Always');
  if (minor === '1.33' && expected === 'Infeasible' && verdict === 'Deferred' && hasSidecar) return 'sidecars on 1.33';
  return pods.some(isPartlyHidden) ? 'containers that have not started' : undefined;
}
