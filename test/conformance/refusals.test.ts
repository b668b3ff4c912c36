// Which findings say what Kubernetes says of a container that would differ in more than cpu and memory, without saying what.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldError, Outcome } from './answers.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import type { RuleFinding } from './core-findings.ts';

const forbidden = (field: string, message: string): FieldError => ({
  type: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${message}`,
});

const MAIN = forbidden('spec', 'only cpu and memory resources are mutable');
const SIDECAR = forbidden('spec', 'only cpu and memory resources for sidecar containers are mutable');
const INIT = forbidden(
  'spec.initContainers[0]',
  'only cpu and memory resources for init or sidecar containers are mutable',
);
const POD = forbidden('spec', 'only cpu and memory resources are mutable at pod-level');

const finding = (rule: string, path: string, message = 'said'): RuleFinding => ({ rule, path, message });

const kinds = ({ differences }: Outcome): readonly string[] => differences.map(({ kind }) => kind);

function areSame(errors: readonly FieldError[], core: readonly RuleFinding[], minor = '1.36'): readonly string[] {
  return kinds(compareVerdicts({ core, own: [] }, { errors }, minor));
}

const CAUSES = [
  ['resize-only-cpu-memory', 'resources.requests[example.com/gpu]'],
  ['resize-only-cpu-memory', 'resources.limits[ephemeral-storage]'],
  ['resize-only-cpu-memory', 'resources.claims'],
  ['resize-only-cpu-memory', 'resizePolicy'],
  ['resize-supported-pod', 'resources.claims'],
] as const;

describe('that only cpu and memory can be changed', () => {
  it('is said of a container by what it differs in without its cpu and memory, where that container is', () => {
    for (const [rule, field] of CAUSES) {
      assert.deepEqual(areSame([MAIN], [finding(rule, `spec.containers[1].${field}`)]), [], field);
      assert.deepEqual(areSame([INIT], [finding(rule, `spec.initContainers[0].${field}`)]), [], field);
      const sidecar = finding(rule, `spec.initContainers[0].${field}`, 'sidecar "proxy" must');
      assert.deepEqual(areSame([SIDECAR], [sidecar], '1.35'), [], field);
      for (const [error, path, message] of [
        [MAIN, 'spec.initContainers[0]', 'sidecar "proxy" must'],
        [SIDECAR, 'spec.containers[0]', 'container "app" must'],
        [SIDECAR, 'spec.initContainers[0]', 'init container "seed" must'],
        [INIT, 'spec.initContainers[1]', 'sidecar "proxy" must'],
        [INIT, 'spec.containers[0]', 'container "app" must'],
      ] as const) {
        const [first = ''] = areSame([error], [finding(rule, `${path}.${field}`, message)]);
        assert.match(first, /^Kubernetes alone refuses: resize-only-cpu-memory or /, `${error.message} ${path}`);
      }
    }
  });

  it('is not said by what only its cpu or memory differs in, which are put back before', () => {
    for (const resource of ['cpu', 'memory']) {
      for (const rule of ['resize-keeps-resources', 'resize-only-cpu-memory', 'resize-supported-pod']) {
        for (const [error, path] of [
          [MAIN, 'spec.containers[0]'],
          [INIT, 'spec.initContainers[0]'],
          [POD, 'spec'],
        ] as const) {
          const [first = ''] = areSame([error], [finding(rule, `${path}.resources.limits[${resource}]`)]);
          assert.match(first, /^Kubernetes alone refuses: resize-only-cpu-memory or /, `${rule} ${path} ${resource}`);
        }
      }
    }
  });

  it('is said by another resource that was removed, beside that it was removed', () => {
    const removed = forbidden('spec.containers[0].resources.limits', 'resource limits cannot be removed');
    const other = finding('resize-keeps-resources', 'spec.containers[0].resources.limits[ephemeral-storage]');
    const memory = finding('resize-keeps-resources', 'spec.containers[0].resources.limits[memory]');
    assert.deepEqual(areSame([removed, MAIN], [other]), []);
    assert.deepEqual(areSame([removed], [memory]), []);
    assert.match(areSame([removed, MAIN], [memory]).join(), /^Kubernetes alone refuses/);
  });

  it('is said of as many containers as podrail names; from 1.37 on Kubernetes says it once', () => {
    const core = [0, 1].map((index) => finding('resize-only-cpu-memory', `spec.containers[${index}].resizePolicy`));
    assert.deepEqual(areSame([MAIN, MAIN], core), []);
    assert.deepEqual(areSame([MAIN], core), ['another number of containers']);
    assert.deepEqual(areSame([MAIN, MAIN], core.slice(1)), ['another number of containers']);
    assert.deepEqual(areSame([MAIN], core, '1.37'), []);
  });
});
