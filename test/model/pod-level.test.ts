import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodLevelResources } from '../../src/model/pod.ts';
import {
  hasPodLevelResource,
  isPodLevelResource,
  withPodLevelDefaults,
  withStoredPodLevelDefaults,
} from '../../src/model/pod-level.ts';
import { readResources } from '../../src/model/resources.ts';
import { desiredRequests } from '../../src/model/pod-requests.ts';
import { type Entries, podOf, requesting, written } from './pods.ts';

function podLevelOf(requests: Entries, limits: Entries): PodLevelResources {
  return { requests: readResources(requests, 'requests'), limits: readResources(limits, 'limits') };
}

function both({ requests, limits }: PodLevelResources): readonly [Entries, Entries] {
  return [written(requests), written(limits)];
}

test('cpu, memory and huge pages of any size may be set for the pod', () => {
  const names = [
    'cpu',
    'memory',
    'hugepages-2Mi',
    'hugepages-1Gi',
    'ephemeral-storage',
    'example.com/gpu',
    'hugepages',
  ];
  assert.deepEqual(names.filter(isPodLevelResource), ['cpu', 'memory', 'hugepages-2Mi', 'hugepages-1Gi']);
  assert.equal(hasPodLevelResource(readResources({ 'example.com/gpu': '1', cpu: '1' }, '')), true);
  assert.equal(hasPodLevelResource(readResources({ 'example.com/gpu': '1' }, '')), false);
  assert.equal(hasPodLevelResource(readResources({}, '')), false);
});

const requests = { cpu: '1', memory: '1Gi', 'example.com/gpu': '1' };
const limits = { cpu: '2', 'hugepages-2Mi': '4Mi' };
const limited = { name: 'a', resources: { requests: { ...requests, 'hugepages-2Mi': '4Mi' }, limits } };
const unlimited = { name: 'b', resources: { requests } };

/** Pod-level requests and limits: as written, as read (through 1.36), as stored by 1.37; all beside the container `limited`. */
const tables: readonly {
  readonly what: string;
  readonly given: readonly [Entries, Entries];
  readonly read: readonly [Entries, Entries];
  readonly stored: readonly [Entries, Entries];
}[] = [
  { what: 'nothing', given: [{}, {}], read: [{}, {}], stored: [{}, {}] },
  {
    what: 'a limit: requests come from the containers',
    given: [{}, { cpu: '4' }],
    read: [
      { cpu: '1', memory: '1Gi', 'hugepages-2Mi': '4Mi' },
      { cpu: '4', 'hugepages-2Mi': '4Mi' },
    ],
    stored: [
      { cpu: '1', memory: '1Gi', 'hugepages-2Mi': '4Mi' },
      { cpu: '4', 'hugepages-2Mi': '4Mi' },
    ],
  },
  {
    what: 'a request of huge pages: their limit is not made up when read',
    given: [{ 'hugepages-2Mi': '8Mi' }, {}],
    read: [{ 'hugepages-2Mi': '8Mi' }, {}],
    stored: [
      { 'hugepages-2Mi': '8Mi', cpu: '1', memory: '1Gi' },
      { 'hugepages-2Mi': '8Mi', cpu: '2' },
    ],
  },
  {
    what: 'a request above the limits of the containers: 1.37 raises the limit to it',
    given: [{ cpu: '3', 'example.com/gpu': '9' }, { 'hugepages-2Mi': '4Mi' }],
    read: [{ cpu: '3', 'example.com/gpu': '9', memory: '1Gi', 'hugepages-2Mi': '4Mi' }, { 'hugepages-2Mi': '4Mi' }],
    stored: [
      { cpu: '3', 'example.com/gpu': '9', memory: '1Gi', 'hugepages-2Mi': '4Mi' },
      { 'hugepages-2Mi': '4Mi', cpu: '3' },
    ],
  },
];

for (const { what, given, read, stored } of tables) {
  test(`pod-level resources with ${what}`, () => {
    const pod = podOf([limited]);
    assert.deepEqual(both(withPodLevelDefaults(podLevelOf(...given), pod)), read);
    assert.deepEqual(both(withStoredPodLevelDefaults(podLevelOf(...given), pod)), stored);
  });
}

test('1.37 makes up a limit only when every container has one', () => {
  const given = podLevelOf({ cpu: '3' }, {});
  const cpuLimit = (...pods: Parameters<typeof podOf>): string | undefined =>
    written(withStoredPodLevelDefaults(given, podOf(...pods)).limits).cpu;
  assert.equal(cpuLimit([limited]), '3');
  assert.equal(cpuLimit([limited, unlimited]), undefined);
  assert.equal(cpuLimit([limited], { initContainers: [unlimited] }), undefined);
});

test('where no container requests, a pod-level limit is the request', () => {
  assert.deepEqual(both(withPodLevelDefaults(podLevelOf({}, { memory: '2Gi' }), podOf([{ name: 'a' }]))), [
    { memory: '2Gi' },
    { memory: '2Gi' },
  ]);
});

test('through 1.36 the requests of containers are added up before they are rounded', () => {
  const pod = podOf([requesting('a', { cpu: '1000500u' }), requesting('b', { cpu: '1000500u' })]);
  const given = podLevelOf({}, { memory: '1Gi' });
  assert.deepEqual(written(desiredRequests(pod, { minor: 36 })), { cpu: '2002m' });
  assert.equal(written(withPodLevelDefaults(given, pod).requests).cpu, '2001m');
  assert.equal(written(withStoredPodLevelDefaults(given, pod).requests).cpu, '2002m');
});
