import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Pod } from '../../src/model/pod.ts';
import { toText } from '../../src/model/quantity.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { changesNothing, changesOf, changesResizePolicy, hasSameContainers } from '../../src/model/resize.ts';
import { NO_RESOURCES } from '../../src/model/resources.ts';
import { podJson, resizeJson } from './arbitrary-pod.ts';
import { podOf, requesting } from './pods.ts';

/** Each change as a person would say it. */
function said(before: Pod, after: Pod): readonly string[] {
  return changesOf(before, after).map(({ container, list, resource, from, to }) => {
    const texts = [from, to].map((quantity) => (quantity ? toText(quantity) : 'none'));
    return `${container?.name ?? 'pod'} ${list} ${resource} ${texts.join(' → ')}`;
  });
}

test('containers are the same when both lists have the same names in the same order', () => {
  const pod = podOf([{ name: 'a' }, { name: 'b' }], { initContainers: [{ name: 'i' }] });
  const cases: readonly (readonly [Pod, boolean])[] = [
    [podOf([{ name: 'a', image: 'x' }, { name: 'b' }], { initContainers: [{ name: 'i' }] }), true],
    [podOf([{ name: 'b' }, { name: 'a' }], { initContainers: [{ name: 'i' }] }), false],
    [podOf([{ name: 'a' }], { initContainers: [{ name: 'i' }] }), false],
    [podOf([{ name: 'a' }, { name: 'b' }, { name: 'c' }], { initContainers: [{ name: 'i' }] }), false],
    [podOf([{ name: 'a' }, { name: 'b' }], { initContainers: [{ name: 'j' }] }), false],
    [podOf([{ name: 'a' }, { name: 'b' }]), false],
  ];
  for (const [other, expected] of cases) assert.equal(hasSameContainers(pod, other), expected);
});

test('changes come container by container, then pod level; requests before limits, cpu, memory, then by name', () => {
  const resources = (cpu: string, memory: string, rest: object = {}) => ({
    requests: { memory, 'example.com/gpu': '1', cpu, disk: '1', ...rest },
    limits: { memory, cpu, 'example.com/gpu': '1' },
  });
  const before = podOf([{ name: 'a', resources: resources('1', '1Gi') }, { name: 'b' }], {
    initContainers: [requesting('i', { cpu: '1' })],
    resources: { requests: { cpu: '4', memory: '9Gi' }, limits: { cpu: '4' } },
  });
  const after = podOf(
    [{ name: 'a', resources: resources('2', '2Gi', { disk: '2', 'example.com/gpu': '2' }) }, { name: 'b' }],
    {
      initContainers: [requesting('i', { cpu: '500m' })],
      resources: { requests: { cpu: '5', memory: '9Gi' }, limits: { cpu: '5' } },
    },
  );
  assert.deepEqual(said(before, after), [
    'a requests cpu 1 → 2',
    'a requests memory 1Gi → 2Gi',
    'a requests disk 1 → 2',
    'a requests example.com/gpu 1 → 2',
    'a limits cpu 1 → 2',
    'a limits memory 1Gi → 2Gi',
    'i requests cpu 1 → 500m',
    'pod requests cpu 4 → 5',
    'pod limits cpu 4 → 5',
  ]);
});

test('what is set and what is removed is a change; zero is not absent', () => {
  const before = podOf([requesting('a', { cpu: '1', disk: '1' })]);
  const after = podOf([requesting('a', { memory: '0', cpu: '1' })]);
  assert.deepEqual(said(before, after), ['a requests memory none → 0', 'a requests disk 1 → none']);
});

test('a change tells the container as resized', () => {
  const after = podOf([requesting('a', { cpu: '2' })]);
  const [change] = changesOf(podOf([requesting('a', { cpu: '1' })]), after);
  assert.equal(change?.container, after.containers[0]);
});

test('values count, spelling does not', () => {
  const before = podOf([requesting('a', { cpu: '1', memory: '1Gi' })]);
  assert.deepEqual(said(before, podOf([requesting('a', { memory: '1024Mi', cpu: '1000m' })])), []);
});

test('texts that are no quantity are compared as texts', () => {
  const bad = podOf([requesting('a', { cpu: 'one' })]);
  assert.deepEqual(said(bad, podOf([requesting('a', { cpu: 'one' })])), []);
  assert.deepEqual(said(bad, podOf([requesting('a', { cpu: 'two' })])), ['a requests cpu one → two']);
  assert.deepEqual(said(bad, podOf([requesting('a', { cpu: '0' })])), ['a requests cpu one → 0']);
});

test('containers are matched by name; all of a new one is a change, and nothing of one that is gone', () => {
  const before = podOf([requesting('a', { cpu: '1' }), requesting('b', { cpu: '2' })]);
  const moved = podOf([requesting('b', { cpu: '3' }), requesting('c', { cpu: '4' })]);
  assert.deepEqual(said(before, moved), ['b requests cpu 2 → 3', 'c requests cpu none → 4']);
});

test('pod-level resources that appear or disappear are changes', () => {
  const without = podOf([{ name: 'a' }]);
  const having = podOf([{ name: 'a' }], { resources: { requests: { cpu: '1' } } });
  assert.deepEqual(said(without, having), ['pod requests cpu none → 1']);
  assert.deepEqual(said(having, without), ['pod requests cpu 1 → none']);
});

test('an edit of resizePolicy is told from none', () => {
  const entry = (resourceName: string, restartPolicy: string) => ({ resourceName, restartPolicy });
  const pod = (resizePolicy: unknown, name = 'a') => podOf([{ name, resizePolicy }]);
  const cpu = entry('cpu', 'NotRequired');
  const memory = entry('memory', 'NotRequired');
  const cases: readonly (readonly [Pod, Pod, boolean])[] = [
    [pod([cpu]), pod([cpu]), false],
    [pod(undefined), pod([]), false],
    [pod(undefined), pod([cpu]), true],
    [pod([cpu]), pod(undefined), true],
    [pod([cpu]), pod([entry('cpu', 'RestartContainer')]), true],
    [pod([cpu]), pod([memory]), true],
    [pod([cpu, memory]), pod([memory, cpu]), true],
    [pod([cpu]), pod([memory], 'new'), false],
    [
      podOf([{ name: 'a' }], { initContainers: [{ name: 'i' }] }),
      podOf([{ name: 'a' }], { initContainers: [{ name: 'i', resizePolicy: [cpu] }] }),
      true,
    ],
  ];
  for (const [before, after, expected] of cases) assert.equal(changesResizePolicy(before, after), expected);
});

test('a resize asks for nothing when no value, container, resizePolicy or claim differs', () => {
  const claims = [{ name: 'gpu' }];
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }];
  const pod = (container: object, init: object = {}) =>
    podOf([{ name: 'a', ...container }], { initContainers: [{ name: 'i', ...init }] });
  const cases: readonly (readonly [Pod, boolean])[] = [
    [pod({ image: 'other' }), true],
    [pod({ resources: { requests: { cpu: '1' } } }), false],
    [pod({ resizePolicy }), false],
    [pod({ resources: { claims } }), false],
    [pod({}, { resources: { claims } }), false],
    [podOf([{ name: 'a' }]), false],
    [{ ...pod({}), podLevel: { requests: NO_RESOURCES, limits: NO_RESOURCES } }, false],
  ];
  for (const [after, expected] of cases) assert.equal(changesNothing(pod({}), after), expected);
});

test('law: a pod differs from itself in nothing', () => {
  fc.assert(
    fc.property(podJson, (json) => {
      const pod = readPod(json);
      assert.deepEqual(changesOf(pod, pod), []);
      assert.deepEqual(changesOf(pod, readPod(json)), []);
      assert.equal(changesResizePolicy(pod, readPod(json)), false);
    }),
  );
});

test('law: there and back are the same changes, turned round', () => {
  fc.assert(
    fc.property(resizeJson, ([a, b]) => {
      const [before, after] = [readPod(a), readPod(b)];
      const there = changesOf(before, after).map(({ list, resource, from, to }) => ({ list, resource, from, to }));
      const back = changesOf(after, before).map(({ list, resource, from, to }) => ({
        list,
        resource,
        from: to,
        to: from,
      }));
      assert.deepEqual(there, back);
    }),
  );
});
