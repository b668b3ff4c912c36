// A kubelet and podrail agree on the verdict and on the reason for it; where a minor counts less, it is known what it leaves out.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JudgedFinding } from '../../src/admission/verdict.ts';
import { parseQuantity } from '../../src/model/quantity.ts';
import { compareWithKubelet } from './compare-with-kubelet.ts';
import { SIDECARS_UNCOUNTED } from './exceptions.ts';
import type { RunningPod } from './node-pods.ts';
import type { PodrailVerdict } from './podrail-verdict.ts';

const says = (rule: string, message: string): PodrailVerdict => ({
  forKubernetes: [],
  own: [{ rule, message } as JudgedFinding],
  warnings: [],
  unsaid: undefined,
  droppedUnreadable: [],
});
const NEVER = says('resize-within-node', 'pod "web" must request at most 1 cpu to fit node "n1"; it requests 1500m');
const capacity = (requested: number): string =>
  `Node didn't have enough capacity: cpu, requested: ${requested}, capacity: 1000`;
const notNow = `Node didn't have enough resource: cpu, requested: 1500, used: 0, capacity: 1000`;

/** Containers with these cpu requests, the second a sidecar. */
const pod = (main: string, sidecar: string, podLevel?: Readonly<Record<string, string>>): RunningPod => ({
  metadata: { name: 'web', uid: 'u' },
  spec: {
    containers: [{ name: 'app', resources: { requests: { cpu: main } } }],
    initContainers: [{ name: 'proxy', restartPolicy: 'Always', resources: { requests: { cpu: sidecar } } }],
    ...(podLevel && { resources: { requests: podLevel } }),
  },
  status: {},
});

describe('a kubelet and podrail', () => {
  const compare = (minor: string, verdict: string, message: string, podrail: PodrailVerdict, asked: RunningPod) => {
    const allocatable = new Map([['cpu', parseQuantity('1')]]);
    const comparison = compareWithKubelet({ verdict, message }, podrail, {
      minor,
      asked,
      allocatable,
      pods: [],
      toldAll: () => podrail,
    });
    if (comparison.kind === 'exception') return comparison.names;
    return comparison.kind === 'difference' ? comparison.sort : comparison.kind;
  };
  const PLAIN = pod('1', '500m');

  it('agree on the verdict, the resource and the amounts', () => {
    assert.equal(compare('1.35', 'Infeasible', capacity(1500), NEVER, PLAIN), 'same');
    assert.equal(compare('1.37', 'allocated', '', says('another-rule', ''), PLAIN), 'same');
  });

  it('do not where one of them is another', () => {
    assert.equal(compare('1.37', 'allocated', '', NEVER, PLAIN), 'the kubelet says allocated, podrail Infeasible');
    assert.equal(compare('1.35', 'Infeasible', capacity(1501), NEVER, PLAIN), 'both say Infeasible, for other reasons');
    assert.equal(compare('1.36', 'Deferred', notNow, NEVER, PLAIN), 'the kubelet says Deferred, podrail Infeasible');
  });

  it('are known to differ on 1.33, which counts a sidecar as a plain init container', () => {
    assert.deepEqual(compare('1.33', 'Deferred', notNow, NEVER, PLAIN), [SIDECARS_UNCOUNTED]);
    assert.deepEqual(compare('1.33', 'Infeasible', capacity(1200), NEVER, pod('1200m', '300m')), [SIDECARS_UNCOUNTED]);
    assert.equal(
      compare('1.33', 'Infeasible', capacity(1100), NEVER, pod('1200m', '300m')),
      'both say Infeasible, for other reasons',
    );
  });
});
