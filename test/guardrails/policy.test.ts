// Which guardrails apply to which request.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import type { SelectorSettings } from '../../src/guardrails/selectors.ts';
import { readPod } from '../../src/model/read-pod.ts';
import type { Facts } from '../../src/rules/facts.ts';
import { RULES } from '../../src/rules/index.ts';

const POD = readPod({
  metadata: { name: 'web', labels: { app: 'web' }, annotations: { vpaUpdates: 'yes' } },
  spec: { containers: [{ name: 'app' }] },
});

function factsOf(more: Partial<Facts> = {}): Facts {
  return {
    scope: 'resize',
    pod: POD,
    before: POD,
    changes: [],
    node: { state: 'unscheduled' },
    namespace: { name: 'team-blue', labels: { tier: 'tenant' }, heldByOthers: () => undefined },
    autoscalers: [],
    requester: { name: 'system:serviceaccount:kube-system:vpa-updater', groups: ['system:serviceaccounts'] },
    version: { minor: 35 },
    now: new Date(0),
    ...more,
  };
}

function guardrail(name: string, match: SelectorSettings, exclude: SelectorSettings = {}): Guardrail {
  return { name, match, exclude, rules: RULES.map((rule) => ({ rule, mode: 'enforce', settings: {} })) };
}

function applied(
  match: SelectorSettings,
  exclude: SelectorSettings,
  facts: Facts,
): 'applies' | 'does not' | 'undecided' {
  const { rules, undecided } = createPolicy([guardrail('g', match, exclude)]).select(facts);
  if (undecided.length > 0) return 'undecided';
  return rules.length > 0 ? 'applies' : 'does not';
}

describe('a guardrail', () => {
  const unknown = factsOf({ namespace: { name: 'team-blue', labels: undefined, heldByOthers: () => undefined } });
  const tenant = { matchLabels: { tier: 'tenant' } };
  const cases: readonly (readonly [string, SelectorSettings, SelectorSettings, Facts, ReturnType<typeof applied>])[] = [
    ['without selectors', {}, {}, factsOf(), 'applies'],
    ['for the namespace', { namespaces: ['other', 'team-blue'] }, {}, factsOf(), 'applies'],
    ['for a glob of the namespace', { namespaces: ['team-*'] }, {}, factsOf(), 'applies'],
    ['for another namespace', { namespaces: ['team-green'] }, {}, factsOf(), 'does not'],
    ['for namespaces with that label', { namespaceSelector: tenant }, {}, factsOf(), 'applies'],
    [
      'for namespaces with another label',
      { namespaceSelector: { matchLabels: { tier: 'system' } } },
      {},
      factsOf(),
      'does not',
    ],
    ['for namespaces by label, in a namespace nobody knows', { namespaceSelector: tenant }, {}, unknown, 'undecided'],
    [
      'that excludes namespaces by label, in a namespace nobody knows',
      {},
      { namespaceSelector: tenant },
      unknown,
      'undecided',
    ],
    [
      'that no other setting picks, in a namespace nobody knows',
      { namespaceSelector: tenant, users: ['bob'] },
      {},
      unknown,
      'does not',
    ],
    [
      'for pods with that label',
      { podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] } },
      {},
      factsOf(),
      'applies',
    ],
    ['for pods with another label', { podSelector: { matchLabels: { app: 'db' } } }, {}, factsOf(), 'does not'],
    ['for pods with an annotation', { annotations: ['vpaUpdates'] }, {}, factsOf(), 'applies'],
    ['for pods with another annotation', { annotations: ['none'] }, {}, factsOf(), 'does not'],
    ['for a service account', { serviceAccounts: ['kube-system/vpa-updater'] }, {}, factsOf(), 'applies'],
    [
      'for a service account, asked by a person',
      { serviceAccounts: ['*'] },
      {},
      factsOf({ requester: { name: 'bob', groups: [] } }),
      'does not',
    ],
    ['for a user', { users: ['bob'] }, {}, factsOf({ requester: { name: 'bob', groups: [] } }), 'applies'],
    ['for a group', { groups: ['system:service*'] }, {}, factsOf(), 'applies'],
    ['for two things of which one is not so', { namespaces: ['team-*'], users: ['bob'] }, {}, factsOf(), 'does not'],
    ['that excludes the namespace', {}, { namespaces: ['team-blue'] }, factsOf(), 'does not'],
    ['that excludes any of several', {}, { users: ['bob'], groups: ['system:serviceaccounts'] }, factsOf(), 'does not'],
    ['that excludes others', {}, { users: ['bob'], namespaces: ['x'] }, factsOf(), 'applies'],
  ];
  for (const [what, match, exclude, facts, expected] of cases) {
    it(`${what} ${expected === 'undecided' ? 'is undecided' : expected === 'applies' ? 'applies' : 'does not apply'}`, () => {
      assert.equal(applied(match, exclude, facts), expected);
    });
  }
});

describe('a policy', () => {
  it("gives the rules of a request's scope in the order of the rule list, each guardrail's in turn", () => {
    const policy = createPolicy([
      guardrail('a', {}),
      guardrail('b', { namespaces: ['team-blue'] }),
      guardrail('c', { namespaces: ['x'] }),
    ]);
    for (const scope of ['create', 'resize', 'update'] as const) {
      const expected = RULES.filter(({ scopes }) => scopes.includes(scope)).flatMap(({ id }) => [`${id} a`, `${id} b`]);
      const select = (): readonly string[] =>
        policy.select(factsOf({ scope })).rules.map(({ rule, guardrail: by }) => `${rule.id} ${by}`);
      assert.deepEqual(select(), expected);
      assert.deepEqual(select(), expected);
    }
  });

  it('keeps no more merged lists than it says, however many sets of guardrails match', () => {
    const guardrails = Array.from({ length: 12 }, (_, place) => guardrail(`g${place}`, { users: [`*${place}x*`] }));
    const policy = createPolicy(guardrails);
    for (let set = 0; set < 2 ** 12; set++) {
      const name = guardrails.map((_, place) => ((set >> place) & 1 ? `${place}x` : '')).join(' ');
      const names = new Set(
        policy.select(factsOf({ requester: { name: ` ${name}`, groups: [] } })).rules.map(({ guardrail: by }) => by),
      );
      for (const [place] of guardrails.entries()) if ((set >> place) & 1) assert.ok(names.has(`g${place}`));
    }
  });

  it('without guardrails asks no rule', () => {
    assert.deepEqual(createPolicy([]).select(factsOf()), { rules: [], undecided: [] });
  });
});
