// Guardrails as documents: what is read, and every mistake at its place.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASELINE_MODES, createBaseline } from '../../src/guardrails/baseline.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import { toMistakeText } from '../../src/guardrails/mistake.ts';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { RULES } from '../../src/rules/index.ts';

const HEAD = 'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: tenants }\n';

function plain({ name, match, exclude, rules }: Guardrail): unknown {
  return { name, match, exclude, rules: rules.map(({ rule, mode, settings }) => [rule.id, mode, settings]) };
}

function read(text: string): unknown {
  const { guardrails, mistakes } = readGuardrails(text, 'g.yaml');
  assert.deepEqual(mistakes, []);
  return guardrails.map(plain);
}

function mistakesIn(text: string): readonly string[] {
  const { guardrails, mistakes } = readGuardrails(text, 'g.yaml');
  assert.deepEqual(guardrails, []);
  return mistakes.map(toMistakeText);
}

describe('a Guardrail document', () => {
  it('enforces its rules, in the order of the rule list, with their settings made whole', () => {
    const text = `${HEAD}spec:\n  rules:\n    resize-restarts: { mode: warn }\n    quantity-plausible: { maxCpu: 64 }\n`;
    const [guardrail] = read(text) as [{ rules: readonly [string, string, Record<string, unknown>][] }];
    assert.deepEqual(
      guardrail.rules.map(([id, mode]) => [id, mode]),
      [
        ['quantity-plausible', 'enforce'],
        ['resize-restarts', 'warn'],
      ],
    );
  });

  it('gives its own mode to the rules that set none, and leaves out rules that are off', () => {
    const text = `${HEAD}spec:\n  mode: audit\n  match: { namespaces: [team-*] }\n  exclude: { groups: [sre] }\n  rules:\n    resize-restarts: {}\n    resize-fits-now: { mode: off }\n    resize-within-node: { mode: "off" }\n`;
    assert.deepEqual(read(text), [
      {
        name: 'tenants',
        match: { namespaces: ['team-*'] },
        exclude: { groups: ['sre'] },
        rules: [['resize-restarts', 'audit', {}]],
      },
    ]);
  });

  it('may stand beside others in one file, as YAML or JSON', () => {
    const json = JSON.stringify({
      apiVersion: 'podrail.dev/v1alpha1',
      kind: 'Guardrail',
      metadata: { name: 'b' },
      spec: { rules: {} },
    });
    assert.deepEqual(
      (read(`${HEAD}spec: { rules: {} }\n---\n${json}\n`) as { name: string }[]).map(({ name }) => name),
      ['tenants', 'b'],
    );
  });
});

describe('every mistake in a Guardrail document', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['no map', '- a\n', ['g.yaml:1:1 the document must be a map; it is ["a"]']],
    [
      'another kind',
      'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { rules: {} }\n',
      ['g.yaml:2:7 kind must be Guardrail or GuardrailException; it is "Pod"'],
    ],
    [
      'another version, and a name that Kubernetes would refuse',
      'apiVersion: podrail.dev/v1\nkind: Guardrail\nmetadata: { name: Tenants }\nspec: { rules: {} }\n',
      [
        'g.yaml:1:13 apiVersion must be podrail.dev/v1alpha1; it is "podrail.dev/v1"',
        'g.yaml:3:19 metadata.name must be a name such as team-blue, in lower case letters, digits, "-" and "."; it is "Tenants"',
      ],
    ],
    [
      'a number that is none and a key that stands twice, beside other mistakes',
      `${HEAD}spec:\n  mode: warn\n  mode: warns\n  rules:\n    limit-request-ratio: { cpu: .inf, memory: 0.1 }\n    foo: {}\n    container-size: { max: { cpu: 2x } }\n`,
      [
        'g.yaml:6:3 key mode must stand once in its map; it stands twice',
        'g.yaml:6:9 spec.mode must be one of enforce, fix, warn, audit, off; it is "warns"; did you mean warn?',
        'g.yaml:8:33 .inf is no number that JSON can hold',
        'g.yaml:8:47 spec.rules.limit-request-ratio.memory must be a number of at least 1, such as 2 or 1.5; it is 0.1',
        'g.yaml:9:5 unknown rule foo; podrail rules lists those there are',
        'g.yaml:10:35 spec.rules.container-size.max.cpu must be a quantity such as 500m or 2Gi; it is "2x"',
      ],
    ],
    ['no spec', HEAD, ['g.yaml:1:1 spec must be set to a map of mode, match, exclude, rules']],
    [
      'no rules',
      `${HEAD}spec: {}\n`,
      ['g.yaml:4:7 spec.rules must be set, such as { container-size: { max: { cpu: "2" } } }'],
    ],
    [
      'unknown settings and modes',
      `${HEAD}spec:\n  mode: enforced\n  matches: {}\n  match:\n    namespace: [a]\n    users: bob\n  rules: {}\n`,
      [
        'g.yaml:5:9 spec.mode must be one of enforce, fix, warn, audit, off; it is "enforced"; did you mean enforce?',
        'g.yaml:6:3 unknown setting matches; did you mean match?',
        'g.yaml:8:5 unknown setting namespace; did you mean namespaces?',
        'g.yaml:9:12 spec.match.users must be a list; it is "bob"',
      ],
    ],
    [
      'unknown rules, rules that are no map, and settings that a rule does not have',
      `${HEAD}spec:\n  rules:\n    quantity-plausable: {}\n    resize-restarts: warn\n    resize-fits-now: { mode: wran }\n    quantity-plausible: { maxcpu: 5, minMemory: 1Q }\n    resize-policy-declared: { memory: restart }\n`,
      [
        'g.yaml:6:5 unknown rule quantity-plausable; did you mean quantity-plausible?',
        'g.yaml:7:22 spec.rules.resize-restarts must be a map of settings, such as { mode: warn }',
        'g.yaml:8:30 spec.rules.resize-fits-now.mode must be one of enforce, fix, warn, audit, off; it is "wran"; did you mean warn?',
        'g.yaml:9:27 unknown setting maxcpu; did you mean maxCpu?',
        'g.yaml:9:49 spec.rules.quantity-plausible.minMemory must be a quantity such as 500m or 2Gi; it is "1Q"',
        'g.yaml:10:39 spec.rules.resize-policy-declared.memory must be one of NotRequired, RestartContainer; it is "restart"',
      ],
    ],
    [
      'settings that are no time, name nobody, say nothing, or stand in a list',
      `${HEAD}spec:\n  rules:\n    resize-within-node: { nodes: [{ selector: {}, cpumanager: static }] }\n    resize-cooldown: { period: 10 }\n    resize-actor: { grow: {}, shrink: { group: [a] } }\n    resources-required: { limits: [memroy], kinds: [sidecars] }\n    resize-frozen: { allowShrink: true }\n---\n${HEAD.replace('tenants', 'others')}spec:\n  rules:\n    resize-actor: {}\n    resize-frozen: { reason: "..." }\n`,
      [
        'g.yaml:6:51 unknown setting cpumanager; did you mean cpuManager?',
        'g.yaml:7:32 spec.rules.resize-cooldown.period must be a duration such as 90s, 10m or 1h30m; it is 10',
        'g.yaml:8:27 spec.rules.resize-actor.grow must name users, groups or serviceAccounts; it is {}',
        'g.yaml:8:41 unknown setting group; did you mean groups?',
        'g.yaml:9:36 spec.rules.resources-required.limits[0] must be cpu, memory, ephemeral-storage, hugepages-… or a resource such as nvidia.com/gpu; it is "memroy"',
        'g.yaml:9:53 spec.rules.resources-required.kinds[0] must be one of main, sidecar, init; it is "sidecars"; did you mean sidecar?',
        'g.yaml:10:20 spec.rules.resize-frozen.reason must be set, such as migration CHG-1042',
        'g.yaml:17:19 spec.rules.resize-actor must say who may grow or who may shrink; it is {}',
        'g.yaml:18:30 spec.rules.resize-frozen.reason must be one line of at most 100 characters; it is "..."',
      ],
    ],
    [
      'sizes that no container can have, and resources that are none',
      `${HEAD}spec:\n  rules:\n    container-size:\n      max: { cpu: 1, memroy: 1Gi }\n      min: { cpu: 2 }\n      requests: { min: { memory: 2Gi } }\n      sidecar: { limits: { max: { memory: 1Gi } } }\n`,
      [
        'g.yaml:7:22 spec.rules.container-size.max.memroy must be cpu, memory, ephemeral-storage, hugepages-… or a resource such as nvidia.com/gpu',
        'g.yaml:8:19 spec.rules.container-size.min.cpu must be at most the max, 1; it is 2',
        'g.yaml:9:34 spec.rules.container-size.requests.min.memory must be at most the max, 1Gi; it is "2Gi"',
      ],
    ],
    [
      'a minimum above its maximum',
      `${HEAD}spec:\n  rules:\n    container-size:\n      max: { cpu: 1 }\n      min: { cpu: 2, memory: 1Mi }\n      requests: { min: { memory: 2Gi } }\n      sidecar: { limits: { max: { memory: 1Gi } } }\n      init: { min: { cpu: 1500m } }\n    pod-size: { min: { limits: { cpu: 2, memory: 1Gi } }, max: { limits: { cpu: 1, memory: 1Gi } } }\n`,
      [
        'g.yaml:8:19 spec.rules.container-size.min.cpu must be at most the max, 1; it is 2',
        'g.yaml:9:34 spec.rules.container-size.requests.min.memory must be at most the max, 1Gi; it is "2Gi"',
        'g.yaml:11:27 spec.rules.container-size.init.min.cpu must be at most the max, 1; it is "1500m"',
        'g.yaml:12:39 spec.rules.pod-size.min.limits.cpu must be at most the max, 1; it is 2',
      ],
    ],
    [
      'an unknown setting in a list',
      `${HEAD}spec:\n  rules:\n    resize-within-node: { nodes: [{ selector: {}, cpumanager: static }] }\n`,
      ['g.yaml:6:51 unknown setting cpumanager; did you mean cpuManager?'],
    ],
    [
      'factors and amounts that are none',
      `${HEAD}spec:\n  rules:\n    resize-step: { grow: { factor: 0.5, amount: { cpu: 1u } }, shrink: { factor: half } }\n    limit-request-ratio: { cpu: 0, disk: 2 }\n`,
      [
        'g.yaml:6:36 spec.rules.resize-step.grow.factor must be a number of at least 1, such as 2 or 1.5; it is 0.5',
        'g.yaml:6:56 spec.rules.resize-step.grow.amount.cpu must be no finer than 1m; it is "1u"',
        'g.yaml:6:82 spec.rules.resize-step.shrink.factor must be a number of at least 1, such as 2 or 1.5; it is "half"',
        'g.yaml:7:33 spec.rules.limit-request-ratio.cpu must be a number of at least 1, such as 2 or 1.5; it is 0',
        'g.yaml:7:36 unknown setting disk; spec.rules.limit-request-ratio may have mode, cpu, memory, ephemeral-storage',
      ],
    ],
    [
      'broken YAML',
      'a: [\n',
      [
        'g.yaml:2:1 a list in [ ] must be closed with ], and each of its lines must be indented by more than the key it belongs to',
      ],
    ],
  ];
  for (const [what, text, expected] of cases) {
    it(`(${what}) is told at once, with its place`, () => {
      assert.deepEqual(mistakesIn(text), expected);
    });
  }
});

describe('the baseline', () => {
  it('names only rules that there are', () => {
    const ids = RULES.map(({ id }) => id);
    assert.deepEqual(
      Object.keys(BASELINE_MODES).filter((id) => !ids.includes(id)),
      [],
    );
  });

  it('asks every rule that it names in the mode it names', () => {
    const modes = Object.fromEntries(createBaseline('enforce').rules.map(({ rule, mode }) => [rule.id, mode]));
    assert.deepEqual(modes, BASELINE_MODES);
  });

  it('weighed down to warn refuses nothing and still injects; to audit it only records; off asks no rule', () => {
    const modes = (most: 'warn' | 'audit' | 'off'): readonly string[] =>
      [...new Set(createBaseline(most).rules.map(({ mode }) => mode))].sort();
    assert.deepEqual([modes('warn'), modes('audit'), modes('off')], [['fix', 'warn'], ['audit'], []]);
  });

  it("takes the operator's own setting of a rule, and leaves out what he has turned off", () => {
    const restarts = RULES.find(({ id }) => id === 'resize-restarts');
    assert.ok(restarts);
    const baseline = createBaseline(
      'enforce',
      [{ rule: restarts, mode: 'enforce', settings: {} }],
      new Set(['resize-fits-now']),
    );
    const ids = baseline.rules.map(({ rule, mode }) => `${rule.id} ${mode}`);
    assert.ok(ids.includes('resize-restarts enforce'));
    assert.ok(!ids.some((id) => id.startsWith('resize-fits-now')));
    const warned = createBaseline('warn', [{ rule: restarts, mode: 'enforce', settings: {} }]);
    assert.ok(warned.rules.some(({ rule, mode }) => rule.id === 'resize-restarts' && mode === 'warn'));
  });
});
