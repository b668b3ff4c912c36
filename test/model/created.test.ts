import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asCreated } from '../../src/model/created.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { podToCreate } from '../generate/pods.ts';
import { podOf, written } from './pods.ts';

const pod = podOf([{ name: 'app', resources: { requests: { memory: '1Gi' }, limits: { cpu: '1', memory: '2Gi' } } }], {
  resources: { requests: { cpu: '2' } },
});

test('1.37 completes the pod-level resources of a new pod from those of its containers', () => {
  const { podLevel } = asCreated(pod, { minor: 37 });
  assert.deepEqual(podLevel && [written(podLevel.requests), written(podLevel.limits)], [
    { cpu: '2', memory: '1Gi' },
    { cpu: '2', memory: '2Gi' },
  ]);
});

test('earlier minors leave a new pod as it was decoded', () => {
  for (const minor of [33, 34, 35, 36]) assert.equal(asCreated(pod, { minor }), pod);
});

test('law: what was completed is complete', () => {
  fc.assert(
    fc.property(podToCreate({ wildness: 'edges' }), (json) => {
      const once = asCreated(readPod(json), { minor: 37 });
      assert.deepEqual(asCreated(once, { minor: 37 }), once);
    }),
  );
});
