import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allContainers, containerPath, isMirrorPod, isResizeInfeasible, podName } from '../../src/model/pod.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { podOf } from './pods.ts';

test('all containers are the main ones, then the init containers, each in order', () => {
  const pod = podOf([{ name: 'a' }, { name: 'b' }], {
    initContainers: [{ name: 'c' }, { name: 'd', restartPolicy: 'Always' }],
  });
  assert.deepEqual(
    allContainers(pod).map((container) => [container.name, containerPath(container)]),
    [
      ['a', 'spec.containers[0]'],
      ['b', 'spec.containers[1]'],
      ['c', 'spec.initContainers[0]'],
      ['d', 'spec.initContainers[1]'],
    ],
  );
  const plain = podOf([{ name: 'a' }]);
  assert.equal(allContainers(plain), plain.containers);
});

test('a mirror pod is known by its annotation', () => {
  const annotations = { 'kubernetes.io/config.mirror': 'hash' };
  assert.equal(isMirrorPod(readPod({ metadata: { annotations }, spec: { containers: [] } })), true);
  assert.equal(isMirrorPod(podOf([])), false);
});

test('a pod without a name yet is shown by what its name will begin with', () => {
  assert.equal(podName(readPod({ metadata: { generateName: 'web-' }, spec: { containers: [] } })), 'web-');
  assert.equal(podName(podOf([])), 'web');
});

test('a resize is infeasible when the first PodResizePending condition says so', () => {
  const isInfeasible = (...conditions: readonly object[]): boolean => isResizeInfeasible(podOf([], {}, { conditions }));
  assert.equal(isInfeasible(), false);
  assert.equal(isInfeasible({ type: 'Ready', reason: 'Infeasible' }), false);
  assert.equal(isInfeasible({ type: 'PodResizePending', reason: 'Deferred' }), false);
  assert.equal(isInfeasible({ type: 'Ready' }, { type: 'PodResizePending', reason: 'Infeasible' }), true);
});
