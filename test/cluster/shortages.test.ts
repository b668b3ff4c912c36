// The words of Kubernetes and those of podrail say the same where they name the same resources and amounts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JudgedFinding } from '../../src/admission/verdict.ts';
import { isSaid, reasonsIn, reasonsOf } from './shortages.ts';

const finding = (message: string): JudgedFinding => ({
  rule: 'r',
  guardrail: 'g',
  mode: 'enforce',
  path: 'spec',
  message,
});
const NEVER = [
  'pod "web" must request at most 3840Mi of memory to fit node "n1"; it requests 4Gi',
  'container "app" must request at most 900m cpu to fit node "n1"; it requests 2, the pod 2100m of 1 allocatable',
].map(finding);
const NOT_NOW = [
  'container "app" must request at most 400m cpu to fit node "n1" now; it requests 700m, the pod 700m of 400m free',
  'pod "web" must request at most 0 of memory to fit node "n1" now; it requests 1, so the resize waits',
].map(finding);
const HELD = [
  'container "app" must keep its cpu request of 100m on node "n3", whose CPU manager is static; it requests 200m',
].map(finding);

describe("what Kubernetes' words say", () => {
  for (const [what, message, shortages] of [
    [
      'a kubelet of what its node never has',
      "Node didn't have enough capacity: cpu, requested: 4000, capacity: 1000",
      [{ resource: 'cpu', requested: 4000n, available: 1000n }],
    ],
    [
      'a kubelet of what is not free',
      "Node didn't have enough resource: cpu, requested: 700, used: 600, capacity: 1000",
      [{ resource: 'cpu', requested: 700n, available: 400n }],
    ],
    [
      'a kubelet of a node that holds too much: nothing is free',
      "Node didn't have enough resource: memory, requested: 1, used: 9, capacity: 5",
      [{ resource: 'memory', requested: 1n, available: 0n }],
    ],
    [
      'the API server of all that its node never has',
      'pods "web" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 2100, allocatable: 1000; memory, requested: 4294967296, allocatable: 4026531840',
      [
        { resource: 'cpu', requested: 2100n, available: 1000n },
        { resource: 'memory', requested: 4_294_967_296n, available: 4_026_531_840n },
      ],
    ],
  ] as const) {
    it(`is of ${what}`, () => assert.deepEqual(reasonsIn(message), { shortages, managers: [] }));
  }

  it('is of a manager, in the words of 1.33 and of later ones', () => {
    for (const message of [
      'Resize is infeasible for Guaranteed Pods alongside CPU Manager static policy',
      'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"',
    ]) {
      assert.deepEqual(reasonsIn(message), { shortages: [], managers: ['cpu'] });
    }
  });
});

describe("what podrail's findings say", () => {
  it('is what the whole pod requests, cpu first', () => {
    assert.deepEqual(reasonsOf(NEVER), {
      shortages: [
        { resource: 'cpu', requested: 2100n, available: 1000n },
        { resource: 'memory', requested: 4_294_967_296n, available: 4_026_531_840n },
      ],
      managers: [],
    });
    assert.deepEqual(reasonsOf(NOT_NOW).shortages, [
      { resource: 'cpu', requested: 700n, available: 400n },
      { resource: 'memory', requested: 1n, available: 0n },
    ]);
    assert.deepEqual(reasonsOf(HELD), { shortages: [], managers: ['cpu'] });
  });
});

describe('the reasons are the same', () => {
  const isSame = (verdict: string, message: string, findings: readonly JudgedFinding[]): boolean =>
    isSaid(verdict, message, reasonsOf(findings));
  const never = (text: string): string => `Node didn't have enough capacity: ${text}`;
  const notNow = (text: string): string => `Node didn't have enough resource: ${text}`;
  const MEMORY = 'memory, requested: 4294967296, capacity: 4026531840';

  it('where a kubelet names memory first of what never fits, and cpu first of what does not fit now', () => {
    assert.equal(isSame('Infeasible', never(MEMORY), NEVER), true);
    assert.equal(isSame('Deferred', notNow('cpu, requested: 700, used: 600, capacity: 1000'), NOT_NOW), true);
  });

  it('where the API server names all', () => {
    const all = 'cpu, requested: 2100, allocatable: 1000; memory, requested: 4294967296, allocatable: 4026531840';
    assert.equal(isSame('Infeasible', `node didn't have enough allocatable resources: ${all}`, NEVER), true);
    assert.equal(isSame('Infeasible', `node didn't have enough allocatable resources: ${all}`, NEVER.slice(1)), false);
  });

  it('where a manager comes before everything else', () => {
    const held = 'Resize is infeasible for Guaranteed Pods alongside CPU Manager static policy';
    assert.equal(isSame('Infeasible', held, [...NEVER, ...HELD]), true);
    assert.equal(isSame('Infeasible', held, NEVER), false);
  });

  it('not where another resource is named, or one amount is another', () => {
    for (const [message, findings] of [
      [never(MEMORY), NEVER.slice(1)],
      [never(MEMORY.replace('96', '97')), NEVER],
      [never(MEMORY.replace(/40$/, '41')), NEVER],
      ['', NEVER],
      [never(MEMORY), []],
    ] as const) {
      assert.equal(isSame('Infeasible', message, findings), false, message);
    }
    assert.equal(isSame('Deferred', notNow('cpu, requested: 700, used: 599, capacity: 1000'), NOT_NOW), false);
    assert.equal(isSame('Deferred', notNow('memory, requested: 1, used: 9, capacity: 5'), NOT_NOW), false);
  });
});
