import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvalidObject } from '../../src/model/invalid-object.ts';
import type { Container, Pod } from '../../src/model/pod.ts';
import { parseQuantity } from '../../src/model/quantity.ts';
import { readPod } from '../../src/model/read-pod.ts';
import type { Resources } from '../../src/model/resources.ts';
import { podJson } from './arbitrary-pod.ts';

function resources(entries: Record<string, string>): Resources {
  return new Map(Object.entries(entries).map(([name, text]) => [name, parseQuantity(text)]));
}

function podOf(container: unknown, spec: object = {}): Pod {
  return readPod({ metadata: { name: 'web' }, spec: { containers: [container], ...spec } });
}

function onlyContainer(container: unknown): Container | undefined {
  return podOf(container).containers[0];
}

const none: Resources = new Map();
const bare: Container = {
  kind: 'main',
  index: 0,
  name: 'app',
  image: '',
  requests: none,
  limits: none,
  hasClaims: false,
  resizePolicy: undefined,
  restartPolicy: undefined,
  ports: [],
  hooks: [],
  hasPostStart: false,
};
const empty: Pod = {
  name: '',
  generateName: '',
  namespace: '',
  uid: '',
  labels: {},
  annotations: {},
  owner: undefined,
  lastResizedAt: undefined,
  nodeName: undefined,
  os: undefined,
  restartPolicy: 'Always',
  containers: [],
  initContainers: [],
  podLevel: undefined,
  overhead: none,
  status: {
    phase: undefined,
    qosClass: undefined,
    conditions: [],
    containers: new Map(),
    resources: undefined,
    allocated: undefined,
    hasNodeAllocatableClaims: false,
  },
};

test('a pod with nothing but a container has every default', () => {
  assert.deepEqual(readPod({ spec: { containers: [{ name: 'app' }] } }), { ...empty, containers: [bare] });
});

test('null is absent, everywhere that absent is allowed', () => {
  const json = {
    metadata: null,
    spec: {
      containers: [
        {
          name: 'app',
          image: null,
          resources: null,
          resizePolicy: null,
          restartPolicy: null,
          ports: null,
          lifecycle: null,
          startupProbe: null,
        },
      ],
      initContainers: null,
      resources: null,
      overhead: null,
      os: null,
      hostNetwork: null,
      restartPolicy: null,
    },
    status: null,
  };
  assert.deepEqual(readPod(json), { ...empty, containers: [bare] });
});

test('a live pod is read with all that podrail judges, and nothing else', () => {
  const json = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-1',
      generateName: 'web-',
      namespace: 'team-blue',
      uid: 'u-1',
      labels: { app: 'web' },
      annotations: { note: 'x' },
      managedFields: [
        { manager: 'kubectl', time: '2026-11-30T08:30:00Z' },
        { manager: 'vpa', subresource: 'resize', time: '2026-11-30T08:00:00Z', fieldsV1: { 'f:spec': {} } },
      ],
      ownerReferences: [
        { apiVersion: 'example.com/v1', kind: 'Group', name: 'g' },
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', controller: true },
      ],
    },
    spec: {
      nodeName: 'n1',
      os: { name: 'linux' },
      restartPolicy: 'OnFailure',
      overhead: { cpu: '10m' },
      resources: { requests: { cpu: '2' }, limits: {} },
      containers: [
        {
          name: 'app',
          image: 'registry.example.com/app:1',
          resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' }, claims: [{ name: 'gpu' }] },
          resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
          ports: [{ containerPort: 8080 }, { containerPort: 53, hostPort: 5353, protocol: 'UDP', name: 'dns' }],
          env: [{ name: 'A', value: 'b' }],
          readinessProbe: { httpGet: {} },
          lifecycle: { preStop: {} },
        },
      ],
      initContainers: [
        { name: 'setup', restartPolicy: 'OnFailure' },
        {
          name: 'proxy',
          restartPolicy: 'Always',
          startupProbe: {},
          livenessProbe: {},
          lifecycle: { postStart: { exec: {} } },
        },
      ],
    },
    status: {
      phase: 'Running',
      qosClass: 'Burstable',
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'PodResizePending', status: 'True', reason: 'Deferred', message: 'later' },
      ],
      containerStatuses: [
        {
          name: 'app',
          state: { running: { startedAt: 'now' } },
          lastState: { terminated: { reason: 'OOMKilled', finishedAt: '2026-11-30T08:10:00Z' } },
          resources: { requests: { cpu: '1' }, limits: { memory: '2Gi' } },
          allocatedResources: { cpu: '1' },
        },
      ],
      initContainerStatuses: [{ name: 'proxy', state: { waiting: {} }, resources: {}, allocatedResources: {} }],
      resources: { requests: { cpu: '2' } },
      allocatedResources: { cpu: '2' },
      nodeAllocatableResourceClaimStatuses: [{}],
    },
  };
  assert.deepEqual(readPod(json), {
    name: 'web-1',
    generateName: 'web-',
    namespace: 'team-blue',
    uid: 'u-1',
    labels: { app: 'web' },
    annotations: { note: 'x' },
    owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' },
    lastResizedAt: new Date('2026-11-30T08:00:00Z'),
    nodeName: 'n1',
    os: 'linux',
    restartPolicy: 'OnFailure',
    containers: [
      {
        ...bare,
        image: 'registry.example.com/app:1',
        requests: resources({ cpu: '1', memory: '1Gi' }),
        limits: resources({ memory: '2Gi' }),
        hasClaims: true,
        resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
        ports: [
          { containerPort: 8080, hostPort: undefined, protocol: 'TCP' },
          { containerPort: 53, hostPort: 5353, protocol: 'UDP' },
        ],
        hooks: ['readinessProbe', 'lifecycle'],
      },
    ],
    initContainers: [
      { ...bare, kind: 'init', name: 'setup', restartPolicy: 'OnFailure' },
      {
        ...bare,
        kind: 'sidecar',
        index: 1,
        name: 'proxy',
        restartPolicy: 'Always',
        hooks: ['livenessProbe', 'startupProbe', 'lifecycle'],
        hasPostStart: true,
      },
    ],
    podLevel: { requests: resources({ cpu: '2' }), limits: none },
    overhead: resources({ cpu: '10m' }),
    status: {
      phase: 'Running',
      qosClass: 'Burstable',
      conditions: [
        { type: 'Ready', status: 'True', reason: undefined },
        { type: 'PodResizePending', status: 'True', reason: 'Deferred' },
      ],
      containers: new Map([
        [
          'app',
          {
            name: 'app',
            running: true,
            resources: { requests: resources({ cpu: '1' }), limits: resources({ memory: '2Gi' }) },
            allocated: resources({ cpu: '1' }),
            lastTerminationReason: 'OOMKilled',
            lastTerminatedAt: new Date('2026-11-30T08:10:00Z'),
          },
        ],
        [
          'proxy',
          {
            name: 'proxy',
            running: false,
            resources: { requests: none, limits: none },
            allocated: undefined,
            lastTerminationReason: undefined,
            lastTerminatedAt: undefined,
          },
        ],
      ]),
      resources: { requests: resources({ cpu: '2' }), limits: none },
      allocated: resources({ cpu: '2' }),
      hasNodeAllocatableClaims: true,
    },
  } satisfies Pod);
});

test('only an init container with exactly restartPolicy Always is a sidecar', () => {
  const kinds = ['Always', 'always', 'OnFailure', 'Never', '', undefined].map((restartPolicy) => {
    const { initContainers, containers } = podOf(
      { name: 'app', restartPolicy },
      { initContainers: [{ restartPolicy }] },
    );
    return [restartPolicy, initContainers[0]?.kind, containers[0]?.kind];
  });
  assert.deepEqual(kinds, [
    ['Always', 'sidecar', 'main'],
    ['always', 'init', 'main'],
    ['OnFailure', 'init', 'main'],
    ['Never', 'init', 'main'],
    ['', 'init', 'main'],
    [undefined, 'init', 'main'],
  ]);
});

test('a limit without a request is the request too, in containers and init containers', () => {
  const json = { name: 'app', resources: { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } } };
  const { containers, initContainers } = podOf(json, { initContainers: [{ resources: { limits: { cpu: '3' } } }] });
  assert.deepEqual(containers[0]?.requests, resources({ cpu: '1', memory: '1Gi' }));
  assert.deepEqual(initContainers[0]?.requests, resources({ cpu: '3' }));
});

test('a request of zero is a request: a limit does not take its place', () => {
  const container = onlyContainer({ name: 'app', resources: { requests: { cpu: '0' }, limits: { cpu: '2' } } });
  assert.deepEqual(container?.requests, resources({ cpu: '0' }));
});

test('quantities are rounded up to whole milli-units', () => {
  const container = onlyContainer({ name: 'app', resources: { requests: { cpu: '0.1m' } } });
  assert.equal(container?.requests.get('cpu')?.nanos, 1_000_000n);
});

test('on the network of the host every port is a host port', () => {
  const ports = [{ containerPort: 80 }, { containerPort: 81, hostPort: 0 }, { containerPort: 82, hostPort: 8082 }];
  const hostPorts = [true, false].map((hostNetwork) =>
    podOf({ name: 'app', ports }, { hostNetwork }).containers[0]?.ports.map(({ hostPort }) => hostPort),
  );
  assert.deepEqual(hostPorts, [
    [80, 81, 8082],
    [undefined, undefined, 8082],
  ]);
});

test('an empty resizePolicy is there, so that a patch may append to it', () => {
  assert.deepEqual(onlyContainer({ name: 'app', resizePolicy: [] })?.resizePolicy, []);
});

test('without a controller the first owner counts', () => {
  const ownerReferences = [
    { kind: 'A', name: 'a' },
    { kind: 'B', name: 'b' },
  ];
  const { owner } = readPod({ metadata: { ownerReferences }, spec: { containers: [] } });
  assert.deepEqual(owner, { apiVersion: '', kind: 'A', name: 'a' });
});

test('texts that the API writes as absent are absent when empty', () => {
  const { nodeName, restartPolicy, status } = readPod({
    spec: { containers: [], nodeName: '', restartPolicy: '' },
    status: { phase: '', qosClass: '' },
  });
  assert.deepEqual(
    [nodeName, restartPolicy, status.phase, status.qosClass],
    [undefined, 'Always', undefined, undefined],
  );
});

test('the last resize is the latest write through that subresource, whoever made it', () => {
  const managedFields = [
    { manager: 'kubectl', subresource: 'resize', time: '2026-11-30T08:00:00Z' },
    { manager: 'vpa', subresource: 'resize', time: '2026-11-30T08:20:00Z' },
    { manager: 'kubectl', subresource: 'resize', operation: 'Apply', time: '2026-11-30T08:10:00Z' },
    { manager: 'odd', subresource: 'resize' },
    { manager: 'kubelet', subresource: 'status', time: '2026-11-30T08:40:00Z' },
    { manager: 'kubectl', time: 'never mind' },
  ];
  const lastResizeOf = (fields: unknown): Date | undefined =>
    readPod({ metadata: { managedFields: fields }, spec: { containers: [] } }).lastResizedAt;
  assert.deepEqual(lastResizeOf(managedFields), new Date('2026-11-30T08:20:00Z'));
  assert.equal(lastResizeOf(managedFields.slice(3)), undefined);
});

test('__proto__ is a name like any other', () => {
  const json: unknown = JSON.parse(`{
    "__proto__": { "spec": 1 },
    "metadata": { "__proto__": { "name": "evil" }, "labels": { "__proto__": "x" } },
    "spec": { "__proto__": { "hostNetwork": true }, "containers": [{ "name": "app", "__proto__": { "image": "evil" },
      "resources": { "requests": { "__proto__": "1" } } }] }
  }`);
  const pod = readPod(json);
  assert.equal(pod.name, '');
  assert.deepEqual(Object.keys(pod.labels), ['__proto__']);
  assert.deepEqual(pod.containers, [{ ...bare, requests: new Map([['__proto__', parseQuantity('1')]]) }]);
  assert.equal(({} as Record<string, unknown>).spec, undefined);
});

test('an object without a prototype is read like any other', () => {
  const container = Object.assign(Object.create(null) as object, { name: 'app' });
  assert.deepEqual(onlyContainer(container), bare);
});

const wrong: readonly (readonly [unknown, string])[] = [
  ['pod', 'must be a map, not a string'],
  [undefined, 'must be set'],
  [{}, 'spec must be set'],
  [{ spec: [] }, 'spec must be a map, not a list'],
  [{ spec: {} }, 'spec.containers must be set'],
  [{ spec: { containers: null } }, 'spec.containers must be set'],
  [{ spec: { containers: 'app' } }, 'spec.containers must be a list, not a string'],
  [{ spec: { containers: [null] } }, 'spec.containers[0] must be a map, not null'],
  [{ spec: { containers: [{ name: 1 }] } }, 'spec.containers[0].name must be a string, not a number'],
  [{ spec: { containers: [{}, { image: {} }] } }, 'spec.containers[1].image must be a string, not a map'],
  [{ spec: { containers: [{ resources: [] }] } }, 'spec.containers[0].resources must be a map, not a list'],
  [
    { spec: { containers: [{ resources: { claims: {} } }] } },
    'spec.containers[0].resources.claims must be a list, not a map',
  ],
  [{ spec: { containers: [{ resizePolicy: {} }] } }, 'spec.containers[0].resizePolicy must be a list, not a map'],
  [
    { spec: { containers: [{ resizePolicy: ['cpu'] }] } },
    'spec.containers[0].resizePolicy[0] must be a map, not a string',
  ],
  [
    { spec: { containers: [{ resizePolicy: [{}, { resourceName: 1 }] }] } },
    'spec.containers[0].resizePolicy[1].resourceName must be a string, not a number',
  ],
  [
    { spec: { containers: [{ ports: [{ containerPort: '80' }] }] } },
    'spec.containers[0].ports[0].containerPort must be a number, not a string',
  ],
  [{ spec: { containers: [{ startupProbe: true }] } }, 'spec.containers[0].startupProbe must be a map, not a boolean'],
  [{ spec: { containers: [], initContainers: [7] } }, 'spec.initContainers[0] must be a map, not a number'],
  [{ spec: { containers: [], hostNetwork: 'yes' } }, 'spec.hostNetwork must be a boolean, not a string'],
  [{ spec: { containers: [], os: 'linux' } }, 'spec.os must be a map, not a string'],
  [{ spec: { containers: [], resources: 1 } }, 'spec.resources must be a map, not a number'],
  [{ metadata: { labels: { a: 1 } }, spec: { containers: [] } }, 'metadata.labels[a] must be a string, not a number'],
  [
    { metadata: { annotations: { 'a/b': null } }, spec: { containers: [] } },
    'metadata.annotations[a/b] must be a string, not null',
  ],
  [
    { metadata: { ownerReferences: [{ controller: 1 }] }, spec: { containers: [] } },
    'metadata.ownerReferences[0].controller must be a boolean, not a number',
  ],
  [
    { metadata: { managedFields: [{}, { subresource: 'resize', time: 'noon' }] }, spec: { containers: [] } },
    'metadata.managedFields[1].time must be a time such as 2026-11-30T09:00:00Z',
  ],
  [
    { metadata: { managedFields: [{ subresource: 1 }] }, spec: { containers: [] } },
    'metadata.managedFields[0].subresource must be a string, not a number',
  ],
  [{ spec: { containers: [] }, status: [] }, 'status must be a map, not a list'],
  [{ spec: { containers: [] }, status: { conditions: [1] } }, 'status.conditions[0] must be a map, not a number'],
  [
    { spec: { containers: [] }, status: { containerStatuses: [{ state: 'running' }] } },
    'status.containerStatuses[0].state must be a map, not a string',
  ],
  [
    { spec: { containers: [] }, status: { initContainerStatuses: [{ lastState: { terminated: [] } }] } },
    'status.initContainerStatuses[0].lastState.terminated must be a map, not a list',
  ],
];

for (const [json, message] of wrong) {
  test(`a pod is refused: ${message}`, () => {
    assert.throws(
      () => readPod(json),
      (error) => error instanceof InvalidObject && error.message === message,
    );
  });
}

test('wrong quantities are refused with the place of their list', () => {
  const json = { spec: { containers: [{ name: 'app', resources: { limits: 'none' } }] } };
  assert.throws(
    () => readPod(json),
    (error) => error instanceof InvalidObject && error.path === 'spec.containers[0].resources.limits',
  );
});

test('what is not wrong with the object is thrown on as it is', () => {
  const fault = new RangeError('out of memory');
  const container = {
    get name(): string {
      throw fault;
    },
  };
  assert.throws(() => onlyContainer(container), fault);
});

test('law: any JSON is read or refused as an invalid object', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.record({ spec: fc.jsonValue(), status: fc.jsonValue() })), (json) => {
      try {
        readPod(json);
      } catch (error) {
        assert.ok(error instanceof InvalidObject, String(error));
      }
    }),
  );
});

test('law: every request that a limit implies is there', () => {
  fc.assert(
    fc.property(podJson, (json) => {
      const { containers, initContainers } = readPod(json);
      for (const { requests, limits } of [...containers, ...initContainers]) {
        assert.deepEqual(
          [...limits.keys()].filter((name) => !requests.has(name)),
          [],
        );
      }
    }),
  );
});

test('reading changes nothing in the JSON', () => {
  const json = {
    spec: { containers: [{ name: 'app', resources: { limits: { cpu: '1' } } }], resources: { limits: { cpu: '2' } } },
  };
  const copy = structuredClone(json);
  readPod(json);
  assert.deepEqual(json, copy);
});
