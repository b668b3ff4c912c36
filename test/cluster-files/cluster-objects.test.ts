// The cluster view over Kubernetes objects: what a node has, and what the other pods on it hold.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { InvalidObject } from '../../src/model/invalid-object.ts';
import { toCanonical } from '../../src/model/quantity.ts';
import { readPod } from '../../src/model/read-pod.ts';
import type { Resources } from '../../src/model/resources.ts';

interface PodOptions {
  readonly namespace?: string;
  readonly uid?: string;
  readonly node?: string;
  readonly cpu?: string;
  readonly allocated?: string;
  readonly phase?: string;
}

const node = (name: string, status: object = { allocatable: { cpu: '4', memory: '8Gi' } }) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { zone: 'a' } },
  status,
});

const pod = (
  name: string,
  { namespace = 'team', uid, node: nodeName = 'n1', cpu = '1', allocated, phase }: PodOptions = {},
) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, ...(uid !== undefined && { uid }) },
  spec: {
    ...(nodeName !== '' && { nodeName }),
    containers: [{ name: 'app', image: 'app', resources: { requests: { cpu } } }],
  },
  status: {
    ...(phase !== undefined && { phase }),
    ...(allocated !== undefined && {
      containerStatuses: [{ name: 'app', state: { running: {} }, allocatedResources: { cpu: allocated } }],
    }),
  },
});

const VERSION = { minor: 37 };

const shown = (resources: Resources | undefined) =>
  resources && Object.fromEntries([...resources].map(([name, quantity]) => [name, toCanonical(quantity)]));

const heldBeside = (self: object, ...objects: readonly object[]) =>
  shown(
    createClusterView([node('n1'), ...objects])
      .node('n1', readPod(self))
      ?.heldByOthers(VERSION),
  );

describe('a cluster view', () => {
  it('gives a node with its labels, what it can hold and whether it has swap', () => {
    const status = { allocatable: { cpu: '3920m', memory: '14Gi' }, nodeInfo: { swap: { capacity: 1024 } } };
    const known = createClusterView([node('n1', status)]).node('n1', readPod(pod('web')));
    assert.deepEqual(
      known && { ...known, allocatable: shown(known.allocatable), heldByOthers: shown(known.heldByOthers(VERSION)) },
      {
        state: 'known',
        name: 'n1',
        labels: { zone: 'a' },
        allocatable: { cpu: '3920m', memory: '14Gi' },
        hasSwap: true,
        heldByOthers: {},
      },
    );
  });

  it('knows no swap where a node reports none', () => {
    assert.equal(createClusterView([node('n1')]).node('n1', readPod(pod('web')))?.hasSwap, false);
  });

  it('does not make up a node or a namespace that nobody has told it of', () => {
    const view = createClusterView([]);
    assert.deepEqual([view.node('n1', readPod(pod('web'))), view.namespaceLabels('team')], [undefined, undefined]);
  });

  it('gives the labels of a namespace', () => {
    const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', labels: { tier: 'tenant' } } };
    assert.deepEqual(createClusterView([team]).namespaceLabels('team'), { tier: 'tenant' });
  });

  it('leaves aside every kind that podrail does not use, of whatever group', () => {
    const others = [
      { apiVersion: 'v1', kind: 'ConfigMap', data: {} },
      { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'Pod', containers: [] },
    ];
    assert.equal(createClusterView(others).node('n1', readPod(pod('web'))), undefined);
  });

  it('takes the last of two objects with one name', () => {
    const view = createClusterView([node('n1'), node('n1', { allocatable: { cpu: '2' } })]);
    assert.deepEqual(shown(view.node('n1', readPod(pod('web')))?.allocatable), { cpu: '2' });
  });
});

describe('what the other pods on a node hold', () => {
  it('is the sum of their requests', () => {
    assert.deepEqual(heldBeside(pod('web'), pod('a', { cpu: '500m' }), pod('b', { cpu: '1' })), { cpu: '1500m' });
  });

  it('leaves out the pod itself, found by its name and namespace', () => {
    const others = [pod('web', { cpu: '1' }), pod('web', { namespace: 'other', cpu: '250m' })];
    assert.deepEqual(heldBeside(pod('web', { cpu: '3' }), ...others), { cpu: '250m' });
  });

  it('leaves out the pod itself, found by its uid', () => {
    const self = pod('web', { namespace: '', uid: 'u-1' });
    assert.deepEqual(heldBeside(self, pod('web', { uid: 'u-1' }), pod('a', { cpu: '2' })), { cpu: '2' });
  });

  it('leaves out a predecessor of the same name', () => {
    assert.deepEqual(heldBeside(pod('db-0', { uid: 'new' }), pod('db-0', { uid: 'old' }), pod('a')), { cpu: '1' });
  });

  it('does not mistake two pods without uids for one another', () => {
    assert.deepEqual(heldBeside(pod('web'), pod('a', { cpu: '2' })), { cpu: '2' });
  });

  it('counts what the kubelet has set aside where it reports that', () => {
    assert.deepEqual(heldBeside(pod('web'), pod('a', { cpu: '4', allocated: '1' })), { cpu: '1' });
  });

  it('has nothing of pods that are finished, elsewhere, or nowhere yet', () => {
    const others = [
      pod('done', { phase: 'Succeeded' }),
      pod('broken', { phase: 'Failed' }),
      pod('elsewhere', { node: 'n2' }),
      pod('waiting', { node: '' }),
      pod('running', { phase: 'Running', cpu: '100m' }),
    ];
    assert.deepEqual(heldBeside(pod('web'), ...others), { cpu: '100m' });
  });

  it('takes a pod without a namespace as one of the namespace default', () => {
    assert.deepEqual(heldBeside(pod('web', { namespace: 'default' }), pod('web', { namespace: '' }), pod('a')), {
      cpu: '1',
    });
  });

  it('plus what the pod itself holds is what all hold', () => {
    const millis = fc.integer({ min: 0, max: 64_000 });
    fc.assert(
      fc.property(fc.array(millis, { minLength: 1, maxLength: 12 }), fc.nat(), (cpus, choice) => {
        const self = choice % cpus.length;
        const pods = cpus.map((cpu, index) => pod(`p${index}`, { cpu: `${cpu}m` }));
        const view = createClusterView([node('n1'), ...pods]);
        const held = view.node('n1', readPod(pods[self]))?.heldByOthers(VERSION).get('cpu')?.nanos ?? 0n;
        const all = cpus.reduce((total, cpu) => total + BigInt(cpu) * 1_000_000n, 0n);
        assert.equal(held + BigInt(cpus[self] ?? 0) * 1_000_000n, all);
      }),
    );
  });
});

const heldInTeam = (self: object, minor: number, ...objects: readonly object[]) =>
  shown(createClusterView(objects).heldInNamespace('team', readPod(self), { minor }));

describe('what the pods of a namespace hold beside one', () => {
  const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };

  it('is not known where neither the namespace nor a pod of it is', () => {
    assert.equal(heldInTeam(pod('web'), 37, node('n1'), pod('a', { namespace: 'other' })), undefined);
    assert.deepEqual(heldInTeam(pod('web'), 37, team), {});
    assert.deepEqual(heldInTeam(pod('web'), 37, pod('done', { phase: 'Failed' })), {});
  });

  it('is that of all, on whatever node and on none, without itself, the finished and other namespaces', () => {
    const others = [
      pod('web', { cpu: '7' }),
      pod('a', { node: 'n2', cpu: '2' }),
      pod('waiting', { node: '', cpu: '500m' }),
      pod('done', { phase: 'Succeeded' }),
      pod('elsewhere', { namespace: 'other' }),
    ];
    assert.deepEqual(heldInTeam(pod('web', { cpu: '9' }), 37, ...others), { cpu: '2500m' });
    assert.deepEqual(heldInTeam(pod('new'), 37, ...others), { cpu: '9500m' });
  });

  it('counts each at the largest of what it asks for, what is allocated to it and what it has, as its version does', () => {
    const growing = pod('growing', { cpu: '3', allocated: '1' });
    const shrinking = {
      ...pod('shrinking', { cpu: '1' }),
      status: {
        containerStatuses: [
          {
            name: 'app',
            allocatedResources: { cpu: '1' },
            resources: { requests: { cpu: '4' } },
            state: { running: {} },
          },
        ],
      },
    };
    const view = createClusterView([growing, shrinking]);
    const held = (minor: number) => shown(view.heldInNamespace('team', readPod(pod('web')), { minor }));
    assert.deepEqual([held(33), held(37), held(33)], [{ cpu: '7' }, { cpu: '7' }, { cpu: '7' }]);
  });

  it('plus what the pod itself holds is what all hold, and asking does not change it', () => {
    const millis = fc.integer({ min: 0, max: 64_000 });
    fc.assert(
      fc.property(fc.array(millis, { minLength: 1, maxLength: 12 }), (cpus) => {
        const pods = cpus.map((cpu, index) => pod(`p${index}`, { cpu: `${cpu}m`, node: `n${index % 3}` }));
        const view = createClusterView(pods);
        const all = cpus.reduce((total, cpu) => total + BigInt(cpu) * 1_000_000n, 0n);
        for (const [self, cpu] of cpus.entries()) {
          const held = view.heldInNamespace('team', readPod(pods[self]), { minor: 37 })?.get('cpu')?.nanos ?? 0n;
          assert.equal(held + BigInt(cpu) * 1_000_000n, all);
        }
      }),
    );
  });
});

describe('the autoscalers of a namespace', () => {
  const autoscaler = (name: string, spec: object, namespace = 'team', version = 'v2') => ({
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, namespace },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...spec },
  });
  const resource = (name: string, type = 'Utilization') => ({ type: 'Resource', resource: { name, target: { type } } });

  it('are known by what they scale and by which requests, the last of one name counting', () => {
    const view = createClusterView([
      autoscaler('web', { metrics: [] }),
      autoscaler('other', {}, 'other'),
      autoscaler('old', {}, 'team', 'v1'),
      autoscaler('web', {
        metrics: [
          resource('cpu'),
          resource('memory', 'AverageValue'),
          {
            type: 'ContainerResource',
            containerResource: { name: 'memory', container: 'app', target: { type: 'Utilization' } },
          },
          { type: 'Pods', pods: {} },
        ],
      }),
    ]);
    const target = { kind: 'Deployment', name: 'web' };
    assert.deepEqual(view.autoscalers('team'), [
      {
        name: 'web',
        target,
        utilization: [
          { resource: 'cpu', container: undefined },
          { resource: 'memory', container: 'app' },
        ],
      },
    ]);
    assert.deepEqual(view.autoscalers('other'), [
      { name: 'other', target, utilization: [{ resource: 'cpu', container: undefined }] },
    ]);
    assert.deepEqual(view.autoscalers('none'), []);
  });

  const bad: readonly (readonly [object, string])[] = [
    [{ scaleTargetRef: undefined }, 'spec.scaleTargetRef must be set'],
    [{ metrics: 'cpu' }, 'spec.metrics must be a list'],
    [{ metrics: [{ type: 'Resource' }] }, 'spec.metrics[0].resource must be set'],
  ];
  for (const [spec, message] of bad) {
    it(`are told to be wrong where ${message}`, () => {
      assert.throws(
        () => createClusterView([autoscaler('web', spec)]),
        (error) => error instanceof InvalidObject && error.message === message,
      );
    });
  }
});

describe('an object that cannot be read', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['is no object', 'Node', 'must be a map, not a string'],
    ['has no kind', { apiVersion: 'v1' }, 'kind must be set'],
    [
      'is a node without a name',
      { apiVersion: 'v1', kind: 'Node', metadata: {}, status: { allocatable: {} } },
      'metadata.name must be set',
    ],
    ['is a node without a status', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }, 'status must be set'],
    ['is a node that does not say what it can hold', node('n1', {}), 'status.allocatable must be set'],
    [
      'is a node that holds no quantity',
      node('n1', { allocatable: { cpu: '4 cores' } }),
      'status.allocatable[cpu] must be a quantity from 0 on, not "4 cores"',
    ],
    ['is a pod without a name', { ...pod('web'), metadata: {} }, 'metadata.name must be set'],
    ['is a pod without containers', { ...pod('web'), spec: {} }, 'spec.containers must be set'],
  ];
  for (const [what, object, message] of cases) {
    it(`says so when it ${what}`, () => {
      assert.throws(
        () => createClusterView([object]),
        (error) => error instanceof InvalidObject && error.message === message,
      );
    });
  }
});
