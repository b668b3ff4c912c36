import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { allContainers, type Pod } from '../../src/model/pod.ts';
import { allocatedRequests, heldOnNode } from '../../src/model/allocated-requests.ts';
import { desiredLimits, desiredRequests, hasUnlimitedContainer, heldRequests } from '../../src/model/pod-requests.ts';
import { compare } from '../../src/model/quantity.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { NO_RESOURCES, type Resources } from '../../src/model/resources.ts';
import { hasSameResources } from '../../src/model/same-resources.ts';
import { podJson } from './arbitrary-pod.ts';
import { podOf, requesting, sidecar, written } from './pods.ts';

const NEWEST = { minor: 37 };
const desired = (pod: Pod) => written(desiredRequests(pod, NEWEST));
const held = (pod: Pod, minor: number) => written(heldRequests(pod, { minor }));

test('main containers and sidecars add up; an init container counts with the sidecars before it', () => {
  const main = [requesting('main', { cpu: '300m' })];
  const a = requesting('a', { cpu: '200m' });
  const s = sidecar('s', { cpu: '100m' });
  const b = requesting('b', { cpu: '350m' });
  assert.deepEqual(desired(podOf(main)), { cpu: '300m' });
  assert.deepEqual(desired(podOf(main, { initContainers: [a, s] })), { cpu: '400m' });
  assert.deepEqual(desired(podOf(main, { initContainers: [a, s, b] })), { cpu: '450m' });
  assert.deepEqual(desired(podOf(main, { initContainers: [s, a, b] })), { cpu: '450m' });
  assert.deepEqual(desired(podOf(main, { initContainers: [a, b, s] })), { cpu: '400m' });
});

test('where a later value is negative, which Kubernetes adds up before it refuses it, the peak is what came before', () => {
  const first = sidecar('first', { memory: '64Mi' });
  const negative = sidecar('negative', { memory: '-1' });
  const main = [requesting('main', { memory: '-5' })];
  assert.deepEqual(desired(podOf([], { initContainers: [first, negative] })), { memory: '64Mi' });
  assert.deepEqual(desired(podOf(main, { initContainers: [first] })), { memory: '64Mi' });
  assert.deepEqual(desired(podOf([], { initContainers: [negative, first] })), { memory: '67108863' });
});

test('each resource has its own peak, and one that only some name is counted where it is named', () => {
  const main = [requesting('one', { cpu: '1' }), requesting('two', { cpu: '1', 'example.com/gpu': '1' })];
  const initContainers = [sidecar('s', { memory: '1Gi' }), requesting('init', { cpu: '3', memory: '2Gi', disk: '5' })];
  assert.deepEqual(desired(podOf(main, { initContainers })), {
    cpu: '3',
    'example.com/gpu': '1',
    memory: '3Gi',
    disk: '5',
  });
});

test('a pod of nothing asks for nothing', () => {
  assert.deepEqual(desired(podOf([])), {});
  assert.deepEqual(desired(podOf([{ name: 'app' }])), {});
  assert.deepEqual(desired(podOf([{ name: 'app' }], { initContainers: [{ name: 'init' }] })), {});
});

test('pod-level requests stand in the place of the containers, for cpu, memory and huge pages only', () => {
  const containers = [requesting('app', { cpu: '1', memory: '1Gi', 'example.com/gpu': '1' })];
  const resources = { requests: { cpu: '500m', 'hugepages-2Mi': '4Mi', 'example.com/gpu': '5' } };
  assert.deepEqual(desired(podOf(containers, { resources })), {
    cpu: '500m',
    memory: '1Gi',
    'example.com/gpu': '1',
    'hugepages-2Mi': '4Mi',
  });
});

test('overhead comes on top of everything', () => {
  const resources = { requests: { cpu: '2' } };
  const overhead = { cpu: '250m', memory: '120Mi' };
  assert.deepEqual(desired(podOf([requesting('app', { cpu: '1' })], { overhead })), { cpu: '1250m', memory: '120Mi' });
  assert.deepEqual(desired(podOf([requesting('app', { cpu: '1' })], { overhead, resources })), {
    cpu: '2250m',
    memory: '120Mi',
  });
});

test('limits add up in the same way, with overhead where there is a limit above zero', () => {
  const limited = (name: string, limits: object, restartPolicy?: string) => ({
    name,
    restartPolicy,
    resources: { limits },
  });
  const pod = podOf([limited('app', { cpu: '1', memory: '0' })], {
    initContainers: [limited('s', { cpu: '500m' }, 'Always'), limited('init', { cpu: '2' })],
    overhead: { cpu: '100m', memory: '10Mi', disk: '1' },
  });
  assert.deepEqual(written(desiredLimits(pod, NEWEST)), { cpu: '2600m', memory: '0' });
  assert.deepEqual(written(desiredLimits({ ...pod, overhead: NO_RESOURCES }, NEWEST)), { cpu: '2500m', memory: '0' });
  const podLevel = readPod({
    spec: { containers: [limited('app', { cpu: '1' })], resources: { limits: { cpu: '4' } } },
  });
  assert.deepEqual(written(desiredLimits(podLevel, NEWEST)), { cpu: '4' });
});

test('a container without a limit, or with a limit of zero, may use all there is', () => {
  const limited = { name: 'a', resources: { limits: { cpu: '1', memory: '1Gi', 'example.com/gpu': '1' } } };
  const zero = { name: 'b', resources: { limits: { cpu: '0', memory: '1Gi' } } };
  const cases: readonly (readonly [Pod, string, boolean])[] = [
    [podOf([limited]), 'cpu', false],
    [podOf([limited, zero]), 'cpu', true],
    [podOf([limited, zero]), 'memory', false],
    [podOf([limited], { initContainers: [{ name: 'init' }] }), 'cpu', true],
    [podOf([limited, zero], { resources: { limits: { cpu: '2' } } }), 'cpu', false],
    [podOf([limited, zero], { resources: { limits: { cpu: '0' } } }), 'cpu', true],
    [podOf([limited, zero], { resources: { limits: { 'example.com/gpu': '2' } } }), 'example.com/gpu', true],
  ];
  for (const [pod, resource, expected] of cases) assert.equal(hasUnlimitedContainer(pod, resource), expected);
});

function statusOf(name: string, actual: object | undefined, allocated: object | undefined): object {
  return { name, resources: actual && { requests: actual }, allocatedResources: allocated };
}

const infeasible = { conditions: [{ type: 'PodResizePending', reason: 'Infeasible' }] };
const shifting = [requesting('a', { cpu: '1' }), requesting('b', { cpu: '3' })];
const shiftingStatuses = [statusOf('a', { cpu: '3' }, { cpu: '2' }), statusOf('b', { cpu: '1' }, { cpu: '2' })];

test('while a resize is pending each container holds its maximum through 1.36, from 1.37 the pod its largest total', () => {
  const pod = podOf(shifting, {}, { containerStatuses: shiftingStatuses });
  assert.deepEqual(
    [33, 34, 35, 36, 37].map((minor) => held(pod, minor)),
    [{ cpu: '6' }, { cpu: '6' }, { cpu: '6' }, { cpu: '6' }, { cpu: '4' }],
  );
});

test('the spec of an infeasible resize is not held', () => {
  const containers = [requesting('a', { cpu: '100', disk: '1' })];
  const pod = podOf(containers, {}, { ...infeasible, containerStatuses: [statusOf('a', { cpu: '1' }, { cpu: '2' })] });
  assert.deepEqual(
    [33, 36, 37].map((minor) => held(pod, minor)),
    [{ cpu: '2' }, { cpu: '2' }, { cpu: '2' }],
  );
});

test('an infeasible resize that no node reports on: the spec counts through 1.36, and from 1.37 nothing', () => {
  const pod = podOf([requesting('a', { cpu: '100' })], {}, infeasible);
  assert.deepEqual(
    [33, 36, 37].map((minor) => held(pod, minor)),
    [{ cpu: '100' }, { cpu: '100' }, {}],
  );
});

test('what a node reports in part is completed from the next best', () => {
  const containers = [requesting('a', { cpu: '1' }), requesting('b', { cpu: '2' })];
  const containerStatuses = [statusOf('a', undefined, { cpu: '3' }), statusOf('b', { cpu: '4' }, undefined)];
  assert.deepEqual(held(podOf(containers, {}, { containerStatuses }), 36), { cpu: '5' });
  assert.deepEqual(held(podOf(containers, {}, { containerStatuses }), 37), { cpu: '7' });
  assert.deepEqual(held(podOf(containers, {}, { ...infeasible, containerStatuses }), 36), { cpu: '5' });
  assert.deepEqual(held(podOf(containers, {}, { ...infeasible, containerStatuses }), 37), { cpu: '7' });
});

test('the status of an init container counts from 1.37, that of a sidecar always', () => {
  const initContainers = [sidecar('s', { cpu: '1' }), requesting('init', { cpu: '1' })];
  const initContainerStatuses = [
    statusOf('s', { cpu: '2' }, { cpu: '2' }),
    statusOf('init', { cpu: '5' }, { cpu: '5' }),
  ];
  const pod = podOf([requesting('a', { cpu: '1' })], { initContainers }, { initContainerStatuses });
  assert.deepEqual(
    [33, 36, 37].map((minor) => held(pod, minor)),
    [{ cpu: '3' }, { cpu: '3' }, { cpu: '7' }],
  );
  const stuck = podOf([requesting('a', { cpu: '1' })], { initContainers }, { ...infeasible, initContainerStatuses });
  assert.deepEqual(held(stuck, 36), { cpu: '3' });
});

test('pod-level requests are held with their status from 1.36, and do not exist on 1.33', () => {
  const rest = { resources: { requests: { cpu: '2' } }, overhead: { cpu: '100m' } };
  const status = { resources: { requests: { cpu: '3' } }, allocatedResources: { cpu: '4' } };
  const pod = podOf([requesting('a', { cpu: '1' })], rest, status);
  assert.deepEqual(
    [33, 34, 35, 36, 37].map((minor) => held(pod, minor)),
    [{ cpu: '1100m' }, { cpu: '2100m' }, { cpu: '2100m' }, { cpu: '4100m' }, { cpu: '4100m' }],
  );
  const stuck = podOf(
    [requesting('a', { cpu: '1' })],
    { resources: { requests: { cpu: '9' } } },
    { ...status, ...infeasible },
  );
  assert.deepEqual(held(stuck, 36), { cpu: '4' });
  const actualOnly = podOf([requesting('a', { cpu: '1' })], rest, { resources: { requests: { cpu: '3' } } });
  assert.deepEqual(held(actualOnly, 36), { cpu: '3100m' });
});

test('what a kubelet reports beside the pod-level requests of the spec counts from 1.37', () => {
  const status = {
    resources: { requests: { cpu: '2', memory: '9Gi' } },
    allocatedResources: { cpu: '2', memory: '9Gi' },
  };
  const pod = podOf([requesting('a', { memory: '1Gi' })], { resources: { requests: { cpu: '2' } } }, status);
  assert.deepEqual(
    [35, 36, 37].map((minor) => held(pod, minor)),
    [
      { memory: '1Gi', cpu: '2' },
      { memory: '1Gi', cpu: '2' },
      { memory: '9Gi', cpu: '2' },
    ],
  );
});

test('a pod-level request that the status of an infeasible resize leaves out is zero on 1.36, and from 1.37 the containers count', () => {
  const rest = { resources: { requests: { cpu: '9', memory: '9Gi' } } };
  const status = { ...infeasible, resources: { requests: { cpu: '2' } } };
  const pod = podOf([requesting('a', { memory: '1Gi' })], rest, {
    ...status,
    containerStatuses: [statusOf('a', { memory: '1Gi' }, undefined)],
  });
  assert.deepEqual(
    [36, 37].map((minor) => held(pod, minor)),
    [
      { memory: '0', cpu: '2' },
      { memory: '1Gi', cpu: '2' },
    ],
  );
});

test('from 1.37 the totals that a kubelet reports for the pod take the place of those of its containers', () => {
  const status = { resources: { requests: { cpu: '2' } }, allocatedResources: { cpu: '3' } };
  const containerStatuses = [statusOf('a', { cpu: '9' }, { cpu: '9' })];
  const pod = podOf([requesting('a', { cpu: '1' })], {}, { ...status, containerStatuses });
  assert.deepEqual(
    [36, 37].map((minor) => held(pod, minor)),
    [{ cpu: '9' }, { cpu: '3' }],
  );
});

test('a neighbour counts with what its kubelet has allocated, else with its spec', () => {
  const containers = [requesting('a', { cpu: '1' }), requesting('b', { cpu: '2' })];
  const containerStatuses = [statusOf('a', { cpu: '9' }, { cpu: '4' })];
  const rest = { overhead: { cpu: '100m' } };
  assert.deepEqual(written(allocatedRequests(podOf(containers, rest, { containerStatuses }))), { cpu: '6100m' });
  assert.deepEqual(written(allocatedRequests(podOf(containers, { resources: { requests: { cpu: '5' } } }))), {
    cpu: '5',
  });
  const whole = podOf(containers, rest, { containerStatuses, allocatedResources: { cpu: '7' } });
  assert.deepEqual(written(allocatedRequests(whole)), { cpu: '7' });
});

test('a neighbour counts on its node with what it is allocated or still uses, never with what it asks for', () => {
  const containers = [requesting('a', { cpu: '5', memory: '5Gi' }), requesting('b', { cpu: '1' })];
  // Lower in cpu and higher in memory than what runs; `b` does not report.
  const containerStatuses = [statusOf('a', { cpu: '3', memory: '1Gi' }, { cpu: '2', memory: '2Gi' })];
  const pod = podOf(containers, { overhead: { cpu: '100m' } }, { containerStatuses });
  assert.deepEqual(
    [33, 36, 37].map((minor) => written(heldOnNode(pod, { minor }))),
    [
      { cpu: '4100m', memory: '2Gi' },
      { cpu: '4100m', memory: '2Gi' },
      { cpu: '4100m', memory: '2Gi' },
    ],
  );
});

test('a container that runs with nothing counts nothing on its node, whatever it asks for now', () => {
  const containers = [requesting('a', { cpu: '5' }), requesting('b', { cpu: '1' })];
  const running = { state: { running: {} } };
  const nothing = { name: 'a', ...running, resources: {} };
  const statuses = [
    nothing,
    { name: 'b', ...running, resources: { requests: { cpu: '1' } }, allocatedResources: { cpu: '1' } },
  ];
  const held = (containerStatuses: readonly object[]) => {
    const pod = podOf(containers, {}, { containerStatuses });
    const onNode = [33, 35, 37].map((minor) => written(heldOnNode(pod, { minor })).cpu);
    return [...onNode, written(allocatedRequests(pod)).cpu];
  };
  assert.deepEqual(held(statuses), ['1', '1', '1', '1']);
  // An old kubelet reports no resources, and of one that has not started nobody does: then there is only the spec.
  assert.deepEqual(held([{ name: 'a', ...running }]), ['6', '6', '6', '6']);
  assert.deepEqual(held([{ name: 'a', resources: {} }]), ['6', '6', '6', '6']);
});

test('a kubelet of 1.37 counts the overhead of a neighbour twice: it reports totals that have it already', () => {
  const containers = [requesting('a', { cpu: '5' })];
  const status = {
    containerStatuses: [statusOf('a', { cpu: '1' }, { cpu: '2' })],
    allocatedResources: { cpu: '2100m' },
    resources: { requests: { cpu: '1100m' } },
  };
  const pod = podOf(containers, { overhead: { cpu: '100m' } }, status);
  assert.deepEqual(
    [36, 37].map((minor) => written(heldOnNode(pod, { minor }))),
    [{ cpu: '2100m' }, { cpu: '2200m' }],
  );
});

for (const [file, cpu] of [
  ['p52-init-onfailure-is-not-sidecar', '300m'],
  ['p54-sidecar-after-init', '200m'],
] as const) {
  test(`${file} requests ${cpu} of cpu`, () => {
    const json: unknown = JSON.parse(readFileSync(new URL(`../cases/${file}.json`, import.meta.url), 'utf8'));
    const { review } = json as { readonly review: { readonly request: { readonly object: unknown } } };
    assert.equal(desired(readPod(review.request.object)).cpu, cpu);
  });
}

function assertAtLeast(total: Resources, part: Resources): void {
  for (const [name, quantity] of part) {
    const other = total.get(name);
    assert.ok(other !== undefined && compare(other, quantity) >= 0, name);
  }
}

const withoutPodLevel = podJson.map((json): Pod => ({ ...readPod(json), podLevel: undefined }));

test('law: a pod requests at least what each of its containers does', () => {
  fc.assert(
    fc.property(withoutPodLevel, (pod) => {
      const total = desiredRequests(pod, NEWEST);
      for (const { requests } of allContainers(pod)) assertAtLeast(total, requests);
    }),
  );
});

test('law: moving the sidecars to the end never raises the requests, moving them to the front never lowers them', () => {
  fc.assert(
    fc.property(withoutPodLevel, (pod) => {
      const sidecars = pod.initContainers.filter(({ kind }) => kind === 'sidecar');
      const others = pod.initContainers.filter(({ kind }) => kind === 'init');
      const last = desiredRequests({ ...pod, initContainers: [...others, ...sidecars] }, NEWEST);
      const first = desiredRequests({ ...pod, initContainers: [...sidecars, ...others] }, NEWEST);
      assertAtLeast(desiredRequests(pod, NEWEST), last);
      assertAtLeast(first, desiredRequests(pod, NEWEST));
    }),
  );
});

test('law: among sidecars alone the order does not matter', () => {
  fc.assert(
    fc.property(withoutPodLevel, (pod) => {
      const initContainers = pod.initContainers.filter(({ kind }) => kind === 'sidecar');
      const there = desiredRequests({ ...pod, initContainers }, NEWEST);
      const back = desiredRequests({ ...pod, initContainers: initContainers.toReversed() }, NEWEST);
      assert.ok(hasSameResources(there, back));
    }),
  );
});

test('pod-level resources count for nothing on 1.33, which does not know them', () => {
  const pod = podOf([{ name: 'app', resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }], {
    resources: { requests: { cpu: '4', memory: '1Gi' }, limits: { cpu: '8' } },
  });
  const sums = (minor: number) => [desiredRequests(pod, { minor }), desiredLimits(pod, { minor })].map(written);
  assert.deepEqual(sums(33), [{ cpu: '1' }, { cpu: '2' }]);
  assert.deepEqual(sums(34), [{ cpu: '4', memory: '1Gi' }, { cpu: '8' }]);
});

test('law: without a status a pod holds what it desires, and has allocated the same', () => {
  fc.assert(
    fc.property(podJson, fc.constantFrom(34, 35, 36, 37), (json, minor) => {
      const pod = readPod(json);
      assert.deepEqual(written(heldRequests(pod, { minor })), written(desiredRequests(pod, NEWEST)));
      assert.deepEqual(written(allocatedRequests(pod)), written(desiredRequests(pod, NEWEST)));
    }),
  );
});

test('law: asking changes nothing in the pod, and asking twice gives the same', () => {
  fc.assert(
    fc.property(podJson, (json) => {
      const pod = readPod(json);
      const first = written(desiredRequests(pod, NEWEST));
      heldRequests(pod, { minor: 36 });
      desiredLimits(pod, NEWEST);
      assert.deepEqual(pod, readPod(json));
      assert.deepEqual(written(desiredRequests(pod, NEWEST)), first);
    }),
  );
});
