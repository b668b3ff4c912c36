// Every problem of a pod at once: each that stands alone is told beside any other.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { everyProblem, toSteps } from '../../src/model/every-problem.ts';
import { readPod } from '../../src/model/read-pod.ts';

const problemsOf = (json: unknown): readonly string[] => everyProblem(json, readPod).map(({ message }) => message);

describe('the problems of a pod', () => {
  it('are none where it can be read', () => {
    assert.deepEqual(problemsOf({ spec: { containers: [{ name: 'app' }] } }), []);
  });

  it('are told all at once, each at its path', () => {
    const pod = {
      metadata: { name: 1, labels: { 'a/b.c': 2, d: 3, e: 'f' } },
      spec: {
        hostNetwork: 'yes',
        containers: [null, { name: 2, image: {}, resources: { limits: [], requests: 'x' } }, 'app'],
        initContainers: {},
      },
      status: { conditions: [1, {}, 2] },
    };
    assert.deepEqual(problemsOf(pod).toSorted(), [
      'metadata.labels[a/b.c] must be a string, not a number',
      'metadata.labels[d] must be a string, not a number',
      'metadata.name must be a string, not a number',
      'spec.containers[0] must be a map, not null',
      'spec.containers[1].image must be a string, not a map',
      'spec.containers[1].name must be a string, not a number',
      'spec.containers[1].resources.limits must be a map of quantities, not a list',
      'spec.containers[1].resources.requests must be a map of quantities, not a string',
      'spec.containers[2] must be a map, not a string',
      'spec.hostNetwork must be a boolean, not a string',
      'spec.initContainers must be a list, not a map',
      'status.conditions[0] must be a map, not a number',
      'status.conditions[2] must be a map, not a number',
    ]);
  });

  it('do not count what is missing because something was wrong there', () => {
    assert.deepEqual(problemsOf({ spec: [], status: 5 }), [
      'spec must be a map, not a list',
      'status must be a map, not a number',
    ]);
    assert.deepEqual(problemsOf({ metadata: [], spec: { containers: 'app' } }), [
      'metadata must be a map, not a list',
      'spec.containers must be a list, not a string',
    ]);
  });

  it('count what is missing by itself', () => {
    assert.deepEqual(problemsOf({ metadata: { name: 5 }, status: [] }), [
      'spec must be set',
      'metadata.name must be a string, not a number',
      'status must be a map, not a list',
    ]);
  });

  it('are what the reader says first, whatever the pod is, and leave it as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (containers, metadata) => {
        const pod = { metadata, spec: { containers } };
        const before = JSON.stringify(pod);
        const [first] = problemsOf(pod);
        const thrown = everyProblem(pod, readPod).length === 0 ? undefined : first;
        let said: string | undefined;
        try {
          readPod(pod);
        } catch (error) {
          said = (error as Error).message;
        }
        assert.deepEqual([thrown, JSON.stringify(pod)], [said, before]);
      }),
    );
  });

  it('end where one is at no place in it', () => {
    assert.deepEqual(problemsOf('pod'), ['must be a map, not a string']);
  });

  it('are of no other error', () => {
    assert.throws(
      () =>
        everyProblem({}, () => {
          throw new TypeError('a mistake of ours');
        }),
      TypeError,
    );
  });
});

describe('a path', () => {
  it('is its steps, keys in brackets being one each', () => {
    assert.deepEqual(toSteps('spec.containers[0].resources.limits[nvidia.com/gpu]'), [
      'spec',
      'containers',
      0,
      'resources',
      'limits',
      'nvidia.com/gpu',
    ]);
  });
});
