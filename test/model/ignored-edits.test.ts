import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ignoredEdits } from '../../src/model/ignored-edits.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { asStored } from '../../src/model/stored.ts';
import { resizeJson } from './arbitrary-pod.ts';
import { podOf } from './pods.ts';

const metadata = { name: 'web', labels: { app: 'web' }, annotations: { a: '1' } };
const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' };
const container = { name: 'app', image: 'app:1', ports: [{ containerPort: 80 }], startupProbe: {} };
const proxy = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };
const spec = {
  nodeName: 'n1',
  os: { name: 'linux' },
  restartPolicy: 'Never',
  overhead: { cpu: '1' },
  containers: [container],
  initContainers: [proxy],
};
const stored = readPod({ metadata: { ...metadata, ownerReferences: [owner] }, spec, status: { phase: 'Running' } });

test('every edit that a resize drops is named by its path', () => {
  const requested = readPod({
    metadata: { name: 'web', labels: { app: 'web', more: 'x' }, annotations: { b: '1' } },
    spec: {
      containers: [{ name: 'app', image: 'app:2', restartPolicy: 'Never', ports: [], lifecycle: {} }],
      initContainers: [{ ...proxy, image: 'proxy:2' }],
    },
  });
  assert.deepEqual(ignoredEdits(stored, requested), [
    'metadata.labels',
    'metadata.annotations',
    'metadata.ownerReferences',
    'spec.containers[0].image',
    'spec.containers[0].restartPolicy',
    'spec.containers[0].ports',
    'spec.containers[0].startupProbe',
    'spec.containers[0].lifecycle',
    'spec.initContainers[0].image',
    'spec.nodeName',
    'spec.os',
    'spec.restartPolicy',
    'spec.overhead',
  ]);
});

test('a resize that edits only resources, policies and status drops nothing', () => {
  const resources = { requests: { cpu: '2' } };
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }];
  const requested = readPod({
    metadata: { ...metadata, ownerReferences: [owner] },
    spec: {
      ...spec,
      overhead: { cpu: '1000m' },
      containers: [{ ...container, resources, resizePolicy }],
      initContainers: [proxy],
    },
  });
  assert.deepEqual(ignoredEdits(stored, requested), []);
});

test('each way in which ports, labels, owners and overhead differ counts', () => {
  const pod = (...ports: readonly object[]) => podOf([{ name: 'app', ports }]);
  const differs = (a: object, b: object): boolean => ignoredEdits(pod(a), pod(b)).length === 1;
  const port = { containerPort: 80, hostPort: 8080 };
  assert.equal(differs(port, { ...port, containerPort: 81 }), true);
  assert.equal(differs(port, { ...port, hostPort: 8081 }), true);
  assert.equal(differs(port, { ...port, protocol: 'UDP' }), true);
  assert.equal(differs(port, { ...port, protocol: 'TCP' }), false);
  const labelled = (labels: object) => readPod({ metadata: { labels }, spec: { containers: [] } });
  assert.deepEqual(ignoredEdits(labelled({ a: '1' }), labelled({ b: '1' })), ['metadata.labels']);
  assert.deepEqual(ignoredEdits(labelled({ a: '1' }), labelled({ a: '2' })), ['metadata.labels']);
  const over = (overhead: object) => podOf([], { overhead });
  assert.deepEqual(ignoredEdits(over({ cpu: '1' }), over({ cpu: '2' })), ['spec.overhead']);
  assert.deepEqual(ignoredEdits(over({ cpu: '1' }), over({ memory: '1' })), ['spec.overhead']);
  assert.deepEqual(ignoredEdits(over({ cpu: '1' }), over({})), ['spec.overhead']);
});

test('containers in another place are no dropped edits', () => {
  const a = { name: 'a', image: 'a' };
  const b = { name: 'b', image: 'b' };
  assert.deepEqual(ignoredEdits(podOf([a, b]), podOf([b, a])), []);
  assert.deepEqual(ignoredEdits(podOf([a, b]), podOf([a])), []);
});

test('pod-level resources are dropped where they cannot be resized yet', () => {
  const without = podOf([]);
  const having = (requests: object, limits: object = {}) => podOf([], { resources: { requests, limits } });
  assert.deepEqual(ignoredEdits(without, having({ cpu: '1' })), []);
  assert.deepEqual(ignoredEdits(without, having({ cpu: '1' }), { minor: 35 }), ['spec.resources']);
  assert.deepEqual(ignoredEdits(without, having({ cpu: '1' }), { minor: 36 }), []);
  assert.deepEqual(ignoredEdits(having({ cpu: '1' }), having({ cpu: '1000m' }), { minor: 35 }), []);
  assert.deepEqual(ignoredEdits(having({}, { cpu: '1' }), having({ cpu: '1' }, { cpu: '2' }), { minor: 35 }), [
    'spec.resources',
  ]);
  assert.deepEqual(ignoredEdits(without, without, { minor: 33 }), []);
});

test('law: nothing is dropped from what was stored', () => {
  fc.assert(
    fc.property(resizeJson, fc.constantFrom(33, 35, 37), ([before, requested], minor) => {
      const pod = readPod(before);
      assert.deepEqual(ignoredEdits(pod, asStored(pod, readPod(requested), { minor }), { minor }), []);
    }),
  );
});
