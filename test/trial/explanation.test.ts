// The sums that are shown are those of the verdict: what is printed adds up to what the rules compare.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { gatherFacts } from '../../src/admission/gather-facts.ts';
import { allocatedRequests } from '../../src/model/allocated-requests.ts';
import { desiredLimits, desiredRequests } from '../../src/model/pod-requests.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { remaining } from '../../src/model/resources.ts';
import { sumTerms } from '../../src/model/sum-terms.ts';
import type { Facts } from '../../src/rules/facts.ts';
import { explain, type Explanation } from '../../src/trial/explanation.ts';
import { toSheets, toSheetText } from '../../src/trial/explanation-text.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import { addUp } from './add-up.ts';
import { podJson, resizeJson } from '../model/arbitrary-pod.ts';

const NODE = 'n1';
const placed = (json: object, name: string, status: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { ...(json as { spec: object }).spec, nodeName: NODE },
  status,
});

function factsOf(before: object, after: object, others: readonly object[]) {
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: NODE },
    status: { allocatable: { cpu: '64', memory: '64Gi', 'example.com/gpu': '4' } },
  };
  const pods = others.map((json, index) => placed(json, `other-${index}`));
  const cluster = createClusterView([node, placed(before, 'web'), ...pods]);
  const request = {
    uid: '',
    scope: 'resize' as const,
    namespace: 'default',
    dryRun: false,
    requester: { name: '', groups: [] },
    object: readPod(placed(after, 'web')),
    oldObject: readPod(placed(before, 'web')),
  };
  const facts = gatherFacts(request, cluster, { minor: 37 }, new Date(0));
  return { facts, cluster, explanation: explain(facts, createPolicy([]), cluster) };
}

describe('the sums behind a verdict', () => {
  it('add up as they are printed', () => {
    fc.assert(
      fc.property(resizeJson, fc.array(podJson, { maxLength: 14 }), ([before, after], others) => {
        const { facts, explanation } = factsOf(before, after, others);
        for (const sheet of toSheets(explanation, facts.pod)) addUp(sheet.rows);
      }),
    );
  });

  it('end in what the rules compare', () => {
    fc.assert(
      fc.property(resizeJson, fc.array(podJson, { maxLength: 3 }), ([before, after], others) => {
        const { facts, explanation } = factsOf(before, after, others);
        assertSameTotals(facts, explanation);
      }),
    );
  });

  it('have a term for every container', () => {
    fc.assert(
      fc.property(podJson, (json) => {
        const pod = readPod(json);
        const { running, starts } = sumTerms(pod, 'requests', 'cpu', { minor: 37 });
        assert.equal(running.length + starts.length, pod.containers.length + pod.initContainers.length);
      }),
    );
  });
});

function assertSameTotals({ pod, node, before, version }: Facts, explanation: Explanation): void {
  for (const { terms } of explanation.pod) {
    const totals = terms.list === 'requests' ? desiredRequests(pod, version) : desiredLimits(pod, version);
    assert.deepEqual(terms.total, totals.get(terms.resource));
  }
  assert.ok(node.state === 'known' && before !== undefined);
  const free = remaining(node.allocatable, node.heldByOthers(version));
  for (const sum of explanation.node) {
    assert.deepEqual(sum.free, free.get(sum.resource));
    assert.deepEqual(sum.wanted, desiredRequests(pod, version).get(sum.resource));
    assert.deepEqual(sum.held, allocatedRequests(before).get(sum.resource));
  }
}

describe('on paper', () => {
  it('a pod with a sidecar, an init container and overhead stands as one would write it', () => {
    const resources = (cpu: string): object => ({ resources: { requests: { cpu } } });
    const spec = {
      overhead: { cpu: '50m' },
      initContainers: [
        { name: 'proxy', restartPolicy: 'Always', ...resources('100m') },
        { name: 'migrate', ...resources('2') },
      ],
      containers: [{ name: 'app', ...resources('1') }],
    };
    const after = { spec: { ...spec, containers: [{ name: 'app', ...resources('1.5') }] } };
    const neighbours = Array.from({ length: 13 }, (_, index) => ({
      spec: { containers: [{ name: 'a', ...resources(`${index + 1}`) }] },
    }));
    const { facts, explanation } = factsOf({ spec }, after, neighbours);
    assert.equal(
      toSheetText(toSheets(explanation, facts.pod)),
      `cpu requests
  container "app"             1500m  was 1
  sidecar "proxy"           +  100m
  while it runs             = 1600m
  init container "migrate"        2
  sidecar "proxy"           +  100m
  while "migrate" runs      = 2100m
  the largest of these      = 2100m
  overhead                  +   50m
  pod "web"                 = 2150m

cpu on node "n1"
  allocatable                    64
  default/other-12          -    13
  default/other-11          -    12
  default/other-10          -    11
  default/other-9           -    10
  default/other-8           -     9
  default/other-7           -     8
  default/other-6           -     7
  default/other-5           -     6
  default/other-4           -     5
  default/other-3           -     4
  3 more pods               -     6
  free for this pod         =   -27
  2150m is more than the -27 that is free, though no more than the pod holds already`,
    );
  });
});
