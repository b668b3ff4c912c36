import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../src/model/pod.ts';
import { computeQos, storedQos } from '../../src/model/qos.ts';
import { type Entries, podOf } from './pods.ts';

const minors = [33, 34, 35, 36, 37];
const qos = (pod: Pod): readonly string[] => minors.map((minor) => computeQos(pod, { minor }));
const all = (name: string): readonly string[] => minors.map(() => name);

function container(requests: Entries, limits: Entries = {}): object {
  return { name: 'c', resources: { requests, limits } };
}

const full = { cpu: '1', memory: '1Gi' };
const guaranteed = container(full, full);
const bestEffort = container({});

const cases: readonly (readonly [string, Pod, string])[] = [
  ['no containers', podOf([]), 'BestEffort'],
  ['no resources', podOf([bestEffort]), 'BestEffort'],
  ['only zeros', podOf([container({ cpu: '0', memory: '0' }, { cpu: '0' })]), 'BestEffort'],
  [
    'only resources that do not count',
    podOf([container({ 'ephemeral-storage': '1Gi' }, { 'example.com/gpu': '1' })]),
    'BestEffort',
  ],
  ['requests and limits that are equal', podOf([guaranteed]), 'Guaranteed'],
  [
    'requests and limits that are equal by value',
    podOf([container({ cpu: '1000m', memory: '1024Mi' }, full)]),
    'Guaranteed',
  ],
  ['limits alone, which are requests too', podOf([container({}, full)]), 'Guaranteed'],
  ['a limit of only one resource', podOf([container({}, { cpu: '1' })]), 'Burstable'],
  ['a request below its limit', podOf([container({ cpu: '500m', memory: '1Gi' }, full)]), 'Burstable'],
  ['a request alone', podOf([container({ cpu: '1' })]), 'Burstable'],
  ['a request of zero below a limit', podOf([container({ cpu: '0', memory: '1Gi' }, full)]), 'Burstable'],
  ['all containers Guaranteed', podOf([guaranteed, guaranteed], { initContainers: [guaranteed] }), 'Guaranteed'],
  ['one container BestEffort', podOf([guaranteed, bestEffort]), 'Burstable'],
  ['an init container BestEffort', podOf([guaranteed], { initContainers: [bestEffort] }), 'Burstable'],
  [
    'a sidecar Burstable',
    podOf([guaranteed], { initContainers: [{ ...container({ cpu: '1' }), restartPolicy: 'Always' }] }),
    'Burstable',
  ],
];

for (const [what, pod, expected] of cases) {
  test(`a pod with ${what} is ${expected}`, () => {
    assert.deepEqual(qos(pod), all(expected));
  });
}

test('through 1.36 what one container requests above its limit makes up for another', () => {
  const [above, below] = [
    container({ cpu: '3', memory: '1Gi' }, { ...full, cpu: '2' }),
    container(full, { ...full, cpu: '2' }),
  ];
  const sums = ['Guaranteed', 'Guaranteed', 'Guaranteed', 'Guaranteed', 'Burstable'];
  assert.deepEqual(qos(podOf([above, below])), sums);
  assert.deepEqual(qos(podOf([above], { initContainers: [below] })), sums);
  assert.deepEqual(qos(podOf([above, below, bestEffort])), all('Burstable'));
  assert.deepEqual(qos(podOf([above, guaranteed])), all('Burstable'));
});

test('pod-level resources decide from 1.34, and do not exist on 1.33', () => {
  assert.deepEqual(qos(podOf([bestEffort], { resources: { requests: full, limits: full } })), [
    'BestEffort',
    'Guaranteed',
    'Guaranteed',
    'Guaranteed',
    'Guaranteed',
  ]);
  assert.deepEqual(qos(podOf([guaranteed], { resources: { requests: { cpu: '2' } } })), [
    'Guaranteed',
    'Burstable',
    'Burstable',
    'Burstable',
    'Burstable',
  ]);
});

test('empty pod-level resources decide from 1.34 to 1.36', () => {
  const expected = ['Guaranteed', 'BestEffort', 'BestEffort', 'BestEffort', 'Guaranteed'];
  assert.deepEqual(qos(podOf([guaranteed], { resources: {} })), expected);
  assert.deepEqual(qos(podOf([guaranteed], { resources: { requests: { 'example.com/gpu': '1' } } })), expected);
});

test('pod-level limits alone decide from 1.37 too', () => {
  const pod = podOf([bestEffort]);
  const limits = podOf([guaranteed]).containers[0]?.limits ?? new Map();
  assert.equal(computeQos({ ...pod, podLevel: { requests: new Map(), limits } }, { minor: 37 }), 'Burstable');
});

test('the class of a stored pod is what its status says, else computed', () => {
  assert.equal(storedQos(podOf([guaranteed], {}, { qosClass: 'Burstable' }), { minor: 35 }), 'Burstable');
  assert.equal(storedQos(podOf([guaranteed]), { minor: 35 }), 'Guaranteed');
});
