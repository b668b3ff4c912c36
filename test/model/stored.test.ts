import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Pod } from '../../src/model/pod.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { asComplete, asCreated, asStored } from '../../src/model/stored.ts';
import { podToCreate } from '../generate/pods.ts';
import { resize } from '../generate/resizes.ts';
import { podOf, requesting, written } from './pods.ts';

const MINORS = [33, 34, 35, 36, 37];
const minor = fc.constantFrom(...MINORS);

test('pod-level resources of a new pod are completed from its containers: all of them by 1.37', () => {
  const app = { name: 'app', resources: { requests: { memory: '1Gi' }, limits: { cpu: '1', memory: '2Gi' } } };
  const stored = (resources: object) =>
    MINORS.map((of) => {
      const { podLevel } = asCreated(podOf([app], { resources }), { minor: of });
      return podLevel && [written(podLevel.requests), written(podLevel.limits)];
    });
  const asSent = [{ cpu: '2' }, {}];
  assert.deepEqual(stored({ requests: { cpu: '2' } }), [
    asSent,
    asSent,
    asSent,
    asSent,
    [
      { cpu: '2', memory: '1Gi' },
      { cpu: '2', memory: '2Gi' },
    ],
  ]);
  const fromLimits = [{ cpu: '1', memory: '1Gi' }, { cpu: '4' }];
  assert.deepEqual(stored({ limits: { cpu: '4' } }), [
    [{}, { cpu: '4' }],
    fromLimits,
    fromLimits,
    fromLimits,
    [
      { cpu: '1', memory: '1Gi' },
      { cpu: '4', memory: '2Gi' },
    ],
  ]);
});

test('law: a new pod that was completed is complete', () => {
  fc.assert(
    fc.property(podToCreate({ wildness: 'edges' }), minor, (json, of) => {
      const once = asCreated(readPod(json), { minor: of });
      assert.deepEqual(asCreated(once, { minor: of }), once);
      assert.deepEqual(asComplete(once, { minor: of }), once);
    }),
  );
});

const stored = readPod({
  metadata: { name: 'web', labels: { app: 'web' }, uid: '1' },
  spec: {
    nodeName: 'n1',
    containers: [{ name: 'a', image: 'a:1', resources: { requests: { cpu: '1' } }, ports: [{ containerPort: 80 }] }],
    initContainers: [{ name: 's', restartPolicy: 'Always', startupProbe: {} }],
  },
  status: { phase: 'Running' },
});

test('of a resize only resources and resizePolicy are stored', () => {
  const resources = { requests: { cpu: '2' }, limits: { memory: '1Gi' }, claims: [{ name: 'c' }] };
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  const requested = readPod({
    metadata: { name: 'web', labels: { app: 'other' } },
    spec: {
      containers: [{ name: 'a', image: 'a:2', resources, resizePolicy, restartPolicy: 'Never' }],
      initContainers: [{ name: 's', resources: { requests: { cpu: '1' } } }],
      overhead: { cpu: '9' },
    },
    status: { phase: 'Failed' },
  });
  const [a] = stored.containers;
  const [s] = stored.initContainers;
  const [wanted] = requested.containers;
  const [wantedSidecar] = requested.initContainers;
  for (const minor of [33, 34, 35, 36, 37]) {
    assert.deepEqual(asStored(stored, requested, { minor }), {
      ...stored,
      containers: [{ ...a, requests: wanted?.requests, limits: wanted?.limits, hasClaims: minor !== 33, resizePolicy }],
      initContainers: [{ ...s, requests: wantedSidecar?.requests, limits: wantedSidecar?.limits }],
    });
  }
});

test('a resize with more or fewer containers is left as it is, to be refused', () => {
  const requested = podOf([{ name: 'a' }]);
  for (const minor of [33, 34, 35, 36, 37]) assert.equal(asStored(stored, requested, { minor }), requested);
});

test('of such a resize 1.33 drops pod-level resources, which later minors validate', () => {
  const requested = podOf([{ name: 'a' }], { resources: { requests: { cpu: '1' } } });
  for (const minor of [34, 35, 36]) assert.deepEqual(asStored(stored, requested, { minor }), requested);
  assert.deepEqual(asStored(stored, requested, { minor: 33 }), { ...requested, podLevel: undefined });
});

test('a list with other names is left as it is, in an otherwise stored pod', () => {
  const requested = podOf([{ name: 'b', image: 'b:1' }], {
    initContainers: [{ name: 's', image: 's:2', resources: { requests: { cpu: '1' } } }],
  });
  const [s] = stored.initContainers;
  assert.deepEqual(asStored(stored, requested, { minor: 35 }), {
    ...stored,
    containers: requested.containers,
    initContainers: [{ ...s, requests: requested.initContainers[0]?.requests }],
  });
});

test('1.37 puts pod-level resources back whatever the containers are', () => {
  const resources = { requests: { cpu: '1', memory: '1Gi' } };
  const { podLevel } = asStored(podOf([{ name: 'a' }], { resources }), podOf([]), { minor: 37 });
  assert.deepEqual(podLevel && written(podLevel.requests), { cpu: '1', memory: '1Gi' });
});

test('claims are dropped on 1.33, save in a pod that has some', () => {
  const plain = podOf([{ name: 'a' }, { name: 'b' }]);
  const claiming = podOf([{ name: 'a', resources: { claims: [{ name: 'gpu' }] } }, { name: 'b' }]);
  const claims = (pod: Pod) => pod.containers.map(({ hasClaims }) => hasClaims);
  assert.deepEqual(claims(asCreated(claiming, { minor: 33 })), [false, false]);
  assert.deepEqual(claims(asCreated(claiming, { minor: 34 })), [true, false]);
  assert.deepEqual(claims(asStored(plain, claiming, { minor: 33 })), [false, false]);
  assert.deepEqual(claims(asStored(plain, claiming, { minor: 34 })), [true, false]);
  assert.deepEqual(claims(asStored(claiming, claiming, { minor: 33 })), [true, false]);
  assert.deepEqual(claims(asComplete(claiming, { minor: 33 })), [true, false]);
});

/** Pod-level requests of what is stored, per minor; `gone` when there is no block. */
function podLevelOf(before: Pod, requested: Pod): readonly unknown[] {
  return [33, 34, 35, 36, 37].map((minor) => {
    const { podLevel } = asStored(before, requested, { minor });
    return podLevel === undefined ? 'gone' : written(podLevel.requests);
  });
}

test('pod-level resources are taken from a resize from 1.36; 1.37 completes them', () => {
  const containers = [requesting('a', { cpu: '100m', memory: '128Mi' })];
  const pod = (requests: object) => podOf(containers, { resources: { requests } });
  const old = { cpu: '200m', memory: '256Mi' };
  const raised = { cpu: '400m', memory: '256Mi' };
  const partial = { cpu: '200m' };
  const completed = { cpu: '200m', memory: '128Mi' };
  assert.deepEqual(podLevelOf(pod(old), pod(raised)), [old, old, old, raised, raised]);
  assert.deepEqual(podLevelOf(pod(old), pod(partial)), [old, old, old, partial, completed]);
  assert.deepEqual(podLevelOf(pod(old), podOf(containers)), [old, old, old, 'gone', old]);
  assert.deepEqual(podLevelOf(podOf(containers), pod(old)), ['gone', 'gone', 'gone', old, old]);
  assert.deepEqual(podLevelOf(podOf(containers), podOf(containers)), ['gone', 'gone', 'gone', 'gone', 'gone']);
});

test('law: storing what is stored changes nothing more', () => {
  fc.assert(
    fc.property(resize({ wildness: 'edges' }), minor, ({ stored: before, asked }, of) => {
      const pod = asCreated(readPod(before), { minor: of });
      const once = asStored(pod, readPod(asked), { minor: of });
      assert.deepEqual(asStored(pod, once, { minor: of }), once);
    }),
  );
});
