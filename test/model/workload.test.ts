import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPod } from '../../src/model/read-pod.ts';
import { workloadsOf } from '../../src/model/workload.ts';

function workloads(kind: string, name: string, hash?: string): readonly string[] {
  const pod = readPod({
    metadata: {
      name: 'web',
      ...(hash === undefined ? {} : { labels: { 'pod-template-hash': hash } }),
      ownerReferences: [{ apiVersion: 'apps/v1', kind, name, controller: true }],
    },
    spec: { containers: [] },
  });
  return workloadsOf(pod).map((one) => `${one.kind} ${one.name}`);
}

describe('the workload of a pod', () => {
  it('is its owner, and of a ReplicaSet that a Deployment has named the Deployment too', () => {
    assert.deepEqual(workloads('StatefulSet', 'db'), ['StatefulSet db']);
    assert.deepEqual(workloads('ReplicaSet', 'web-6c9f', '6c9f'), ['ReplicaSet web-6c9f', 'Deployment web']);
  });

  it('is not guessed where the name does not end in the hash, or there is none', () => {
    assert.deepEqual(workloads('ReplicaSet', 'web-6c9f'), ['ReplicaSet web-6c9f']);
    assert.deepEqual(workloads('ReplicaSet', 'web-6c9f', '77zz'), ['ReplicaSet web-6c9f']);
    assert.deepEqual(workloads('ReplicaSet', '-6c9f', '6c9f'), ['ReplicaSet -6c9f']);
    assert.deepEqual(workloads('StatefulSet', 'web-6c9f', '6c9f'), ['StatefulSet web-6c9f']);
    assert.deepEqual(workloadsOf(readPod({ metadata: { name: 'bare' }, spec: { containers: [] } })), []);
  });
});
