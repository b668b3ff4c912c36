// What podrail may leave unsaid of a resize of other containers, and what only its own reasons say.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldError } from './answers.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import { factsOfCreate, type RuleFinding } from './core-findings.ts';

const error = (field: string, message: string): FieldError => ({ type: 'FieldValueInvalid', field, message });

const MOVED = error('spec.containers[0].name', 'Forbidden: containers may not be renamed or reordered on resize');
const ADDED = error('spec.containers', 'Forbidden: containers may not be added or removed on resize');

function stop(what: string): RuleFinding {
  return {
    rule: 'resize-keeps-containers',
    path: 'spec.containers[0]',
    message: `container "app" ${what}`,
    conclusive: true,
  };
}

const RENAMED = stop('must keep its name; the resize puts "b" in its place');
const GROWN = stop('must not be added by a resize; recreate the pod to add it');

function outcomeOf(core: readonly RuleFinding[], errors: readonly FieldError[], minor: string): readonly string[] {
  const { differences, exceptions } = compareVerdicts({ core, own: [] }, { errors }, minor);
  return [...exceptions, ...differences.map(({ kind }) => kind)];
}

const UNKNOWN_CLAIM = 'Not found: "device": must be one of the names in pod.spec.resourceClaims which is empty';
const PROBE = 'Forbidden: may not be set for init containers without restartPolicy=Always';

describe('a resize that does not send the stored containers', () => {
  it('leaves unsaid what Kubernetes says of the claims in a list that has others', () => {
    const at = (list: string, core = [RENAMED]): readonly string[] =>
      outcomeOf(core, [MOVED, error(`spec.${list}[1].resources.claims[0]`, UNKNOWN_CLAIM)], '1.37');
    assert.deepEqual(at('containers'), ['resize-keeps-containers: claims of other containers']);
    assert.deepEqual(at('initContainers'), ['Kubernetes alone refuses: resize-only-cpu-memory']);
    assert.deepEqual(at('containers', []), [
      'Kubernetes alone refuses: resize-keeps-containers',
      'Kubernetes alone refuses: resize-only-cpu-memory',
    ]);
  });

  it('leaves unsaid what only a new pod is judged for, of the other list where the number is another one', () => {
    const probe = error('spec.initContainers[0].livenessProbe', PROBE);
    assert.deepEqual(outcomeOf([GROWN], [ADDED, probe], '1.37'), [
      'resize-keeps-containers: what other containers must be',
    ]);
    assert.deepEqual(outcomeOf([RENAMED], [MOVED, probe], '1.37'), [
      'Kubernetes alone refuses: sidecar-restart-policy',
    ]);
  });

  it('leaves unsaid, on 1.34 and 1.35, that it adds pod-level resources, where it adds or removes containers', () => {
    const podLevel = error('[]', 'Forbidden: pods with pod-level resources cannot be resized');
    const said = ['resize-keeps-containers: new pod-level resources'];
    const missed = ['Kubernetes alone refuses: resize-supported-pod'];
    for (const minor of ['1.34', '1.35']) assert.deepEqual(outcomeOf([GROWN], [podLevel], minor), said, minor);
    for (const minor of ['1.33', '1.36']) assert.deepEqual(outcomeOf([GROWN], [podLevel], minor), missed, minor);
    assert.deepEqual(outcomeOf([RENAMED], [podLevel], '1.34'), missed);
  });

  it('leaves nothing else unsaid', () => {
    for (const [field, message, rule] of [
      ['spec', 'Invalid value: "x": Pod QOS Class may not change', 'resize-keeps-qos'],
      ['spec', 'Forbidden: Pod running on node without support for resize', 'resize-supported-pod'],
      [
        'spec.containers[0].resources.limits[memory]',
        'Invalid value: "-1": must be greater than or equal to 0',
        'quantity-valid',
      ],
    ] as const) {
      for (const core of [RENAMED, GROWN]) {
        const [first, ...rest] = outcomeOf([core], [core === GROWN ? ADDED : MOVED, error(field, message)], '1.37');
        assert.deepEqual([first, rest], [`Kubernetes alone refuses: ${rule}`, []], message);
      }
    }
  });

  it('keeps Kubernetes from saying only what it would say of the stored containers', () => {
    const more = (rule: string, path: string): readonly string[] =>
      outcomeOf([RENAMED, { rule, path, message: 'said' }], [MOVED], '1.37');
    assert.deepEqual(more('resize-keeps-resources', 'spec.containers[1].resources.limits[cpu]'), []);
    assert.deepEqual(more('resize-supported-pod', 'spec.containers[1].resources.claims'), []);
    for (const rule of ['quantity-valid', 'requests-within-limits', 'resize-keeps-qos', 'resize-supported-pod']) {
      assert.deepEqual(more(rule, 'spec'), [`podrail alone refuses: ${rule}`]);
    }
  });
});

describe('the class of a pod with a negative amount', () => {
  const path = 'spec.containers[0].resources.limits[cpu]';
  const negative = {
    rule: 'quantity-valid',
    path,
    message: 'said',
    actual: '-1',
    bound: '0',
    conclusive: true,
  } as const;
  const refused = error(path, 'Invalid value: "-1": must be greater than or equal to 0');
  const changed = error('spec', 'Invalid value: "x": Pod QOS Class may not change as a result of resizing');
  const ours = { rule: 'resize-keeps-qos', path: 'spec', message: 'said' };

  it('is of no matter through 1.36, whoever says that it changes', () => {
    const said = ['quantity-valid: classes of negative amounts'];
    assert.deepEqual(outcomeOf([negative], [refused, changed], '1.36'), said);
    assert.deepEqual(outcomeOf([negative, ours], [refused], '1.36'), said);
    assert.deepEqual(outcomeOf([negative, ours], [refused, changed], '1.36'), []);
  });

  it('must be the same where no amount is negative to both, and from 1.37 on', () => {
    const [theirs, podrails] = [[`Kubernetes alone refuses: ${ours.rule}`], [`podrail alone refuses: ${ours.rule}`]];
    assert.deepEqual(outcomeOf([negative], [refused, changed], '1.37'), theirs);
    assert.deepEqual(outcomeOf([negative, ours], [refused], '1.37'), podrails);
    assert.deepEqual(outcomeOf([], [changed], '1.36'), theirs);
    const unreadable = { ...negative, bound: 'x' };
    assert.deepEqual(outcomeOf([unreadable, ours], [refused], '1.36'), podrails);
  });
});

describe('a refusal of Kubernetes that only a reason of podrail alone answers', () => {
  const path = 'spec.containers[0].resources.limits[example.com/gpu]';
  const outcome = (text: string, message: string): readonly string[] => {
    const pod = {
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'app', resources: { limits: { 'example.com/gpu': text } } }] },
    };
    const finding = { rule: 'quantity-valid', path, message: 'said', actual: text, bound: '9223372036854775807m' };
    const ours = { core: [], own: [finding], facts: factsOfCreate(pod, { minor: 37 }) };
    const { differences, exceptions } = compareVerdicts(ours, { errors: [error(path, message)] }, '1.37');
    return [...exceptions, ...differences.map(({ kind }) => kind)];
  };

  it('is an exception only where that reason holds, and is about the same', () => {
    const missed = ['Kubernetes alone refuses: requests-within-limits or quantity-valid'];
    assert.deepEqual(outcome('4999999999999999999', 'Invalid value: "4999999999999999999": must be an integer'), [
      'quantity-valid: said to be no whole number',
    ]);
    assert.deepEqual(outcome('1500m', 'Invalid value: "1500m": must be an integer'), missed);
    assert.deepEqual(outcome('4999999999999999999', 'Invalid value: "-1": must be greater than or equal to 0'), [
      'Kubernetes alone refuses: quantity-valid',
    ]);
  });
});
