// GuardrailExceptions: what is read, every mistake at its place, and what they take from a guardrail.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expiredExceptions } from '../../src/guardrails/exception.ts';
import { toMistakeText } from '../../src/guardrails/mistake.ts';
import { readAllGuardrails, readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { contextOf, post, RECORD_ID, resizeReview, reviewOf } from '../admission/reviewing.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';

const GUARDRAIL = `apiVersion: podrail.dev/v1alpha1
kind: Guardrail
metadata: { name: tenants }
spec:
  rules:
    container-size: { max: { cpu: 1 } }
    pod-size: { max: { requests: { cpu: 3 } } }
    resize-actor: { grow: { groups: [platform-sre] } }
    resize-cooldown: {}
`;
const exception = (spec: string): string =>
  `---\napiVersion: podrail.dev/v1alpha1\nkind: GuardrailException\nmetadata: { name: migration }\nspec:\n${spec}`;
const GOOD = `  guardrail: tenants
  rules: [container-size, resize-actor]
  match: { namespaces: [payments], containers: [db-*] }
  reason: CHG-1042 data migration
  expires: 2027-01-31T00:00:00Z
`;

function mistakesIn(text: string): readonly string[] {
  return readGuardrails(text, 'g.yaml').mistakes.map(toMistakeText);
}

describe('a GuardrailException document', () => {
  it('names a guardrail, rules of it, whom it is for, why and until when', () => {
    const { exceptions, mistakes, warnings } = readGuardrails(GUARDRAIL + exception(GOOD), 'g.yaml');
    assert.deepEqual([mistakes, warnings], [[], []]);
    assert.deepEqual(
      exceptions.map((one) => ({ ...one, rules: one.rules.map(({ id }) => id) })),
      [
        {
          name: 'migration',
          guardrail: 'tenants',
          rules: ['container-size', 'resize-actor'],
          match: { namespaces: ['payments'] },
          containers: ['db-*'],
          reason: 'CHG-1042 data migration',
          expires: new Date('2027-01-31T00:00:00Z'),
          place: { file: 'g.yaml', line: 19, column: 12 },
        },
      ],
    );
  });

  it('may be for the built-in guardrail, and stand in another file or in a list that kubectl gives', () => {
    const spec = GOOD.replace('tenants', 'baseline').replace('container-size, resize-actor', 'quantity-plausible');
    assert.deepEqual(mistakesIn(exception(spec)), []);
    const apart = [
      { file: 'a.yaml', text: exception(GOOD) },
      { file: 'b.yaml', text: GUARDRAIL },
    ];
    assert.deepEqual(readAllGuardrails(apart).mistakes, []);
    const items = readGuardrails(GUARDRAIL + exception(GOOD), 'g.yaml');
    assert.equal(items.exceptions.length, 1);
    const list = `apiVersion: v1\nkind: List\nitems:\n  - ${GUARDRAIL.replaceAll('\n', '\n    ').trim()}\n    status: { conditions: [] }\n  - kind: Guardrial\n`;
    assert.deepEqual(mistakesIn(list), [
      'g.yaml:14:5 apiVersion must be set to podrail.dev/v1alpha1',
      'g.yaml:14:5 metadata must be set, such as { name: team-blue }',
      'g.yaml:14:5 spec must be set to a map of mode, match, exclude, rules',
      'g.yaml:14:11 kind must be Guardrail or GuardrailException; it is "Guardrial"; did you mean Guardrail?',
    ]);
  });

  it('is told of at once when it has expired, and when it is for a rule that its guardrail does not ask', () => {
    const text = GUARDRAIL + exception(GOOD.replace('resize-actor', 'resize-step'));
    const { exceptions, mistakes, warnings } = readGuardrails(text, 'g.yaml');
    assert.deepEqual(
      [mistakes, warnings.map(toMistakeText)],
      [[], ['g.yaml:16:27 guardrail tenants does not ask resize-step anyway']],
    );
    const expired = (now: string) => expiredExceptions(exceptions, new Date(now)).map(toMistakeText);
    assert.deepEqual(expired('2027-01-30T23:59:59Z'), []);
    assert.deepEqual(expired('2027-01-31T00:00:00Z'), [
      'g.yaml:19:12 exception migration has expired at 2027-01-31T00:00:00Z and is ignored; remove it or renew it',
    ]);
  });

  const bad: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'no spec',
      '  {}\n',
      [
        'g.yaml:15:3 spec.guardrail must be set, such as tenants',
        'g.yaml:15:3 spec.rules must be set, such as [resize-step]',
        'g.yaml:15:3 spec.match must be set, such as { namespaces: [payments] }; {} is everyone',
        'g.yaml:15:3 spec.reason must be set, such as CHG-1042 data migration',
        'g.yaml:15:3 spec.expires must be set, such as 2027-01-31T00:00:00Z',
      ],
    ],
    [
      'a guardrail that is not there',
      GOOD.replace('tenants', 'tenant'),
      ['g.yaml:15:14 spec.guardrail names no guardrail that there is; it is "tenant"; did you mean tenants?'],
    ],
    [
      'rules that there are not',
      GOOD.replace('container-size', 'container-sizes'),
      ['g.yaml:16:11 unknown rule container-sizes; did you mean container-size?'],
    ],
    [
      'no rules',
      GOOD.replace('container-size, resize-actor', ''),
      ['g.yaml:16:10 spec.rules must name at least one rule; it is []'],
    ],
    [
      'containers for a rule that judges the pod as a whole',
      GOOD.replace('resize-actor', 'pod-size'),
      ['g.yaml:17:36 pod-size judges the pod as a whole, so there is no exception for some of its containers'],
    ],
    [
      'no reason',
      GOOD.replace('CHG-1042 data migration', '"  "'),
      ['g.yaml:18:11 spec.reason must say why; it is "  "'],
    ],
    [
      'a day in the place of a time',
      GOOD.replace('T00:00:00Z', ''),
      ['g.yaml:19:12 spec.expires must be a time with its zone, such as 2027-01-31T00:00:00Z; it is "2027-01-31"'],
    ],
    [
      'a day that no month has',
      GOOD.replace('2027-01-31', '2027-13-31'),
      [
        'g.yaml:19:12 spec.expires must be a time that there is, such as 2027-01-31T00:00:00Z; it is "2027-13-31T00:00:00Z"',
      ],
    ],
    [
      'unknown settings',
      GOOD.replace('containers:', 'container:').replace('reason:', 'reasons:'),
      [
        'g.yaml:15:3 spec.reason must be set, such as CHG-1042 data migration',
        'g.yaml:17:36 unknown setting container; did you mean containers?',
        'g.yaml:18:3 unknown setting reasons; did you mean reason?',
      ],
    ],
  ];
  for (const [what, spec, expected] of bad) {
    it(`with ${what} is told as a mistake at its place`, () => {
      assert.deepEqual(mistakesIn(GUARDRAIL + exception(spec)), expected);
    });
  }

  it('of the same kind and name as another is a mistake that says where the other stands', () => {
    const sources = [
      { file: 'a.yaml', text: GUARDRAIL + exception(GOOD) },
      { file: 'b.yaml', text: `${GUARDRAIL}---\n${GUARDRAIL.replace('tenants', 'migration')}${exception(GOOD)}` },
    ];
    assert.deepEqual(readAllGuardrails(sources).mistakes.map(toMistakeText), [
      'b.yaml:3:19 there is a Guardrail tenants already, at a.yaml:3:19',
      'b.yaml:23:19 there is a GuardrailException migration already, at a.yaml:13:19',
    ]);
  });
});

describe('an exception for everyone', () => {
  const warned = (match: string): readonly string[] => {
    const text = GUARDRAIL + exception(GOOD.replace(/^ *match:.*$/m, `  match: ${match}`));
    const { exceptions, mistakes, warnings } = readGuardrails(text, 'g.yaml');
    assert.deepEqual([exceptions.length, mistakes], [1, []]);
    return warnings.map(({ message }) => message);
  };
  for (const match of [
    '{ users: [] }',
    '{ namespaces: [], podSelector: {} }',
    '{ podSelector: { matchLabels: {} } }',
  ]) {
    it(`is told of in a warning where it names some and lists nobody: ${match}`, () =>
      assert.deepEqual(warned(match), ['spec.match sets nothing, so the exception is for everyone; {} says that']));
  }
  for (const match of ['{}', '{ users: [], groups: [sre] }', '{ podSelector: { matchLabels: { a: b } } }']) {
    it(`is not told of where that is said, and where it is for some: ${match}`, () =>
      assert.deepEqual(warned(match), []));
  }
});

const container = (name: string, cpu: string) => ({
  name,
  image: name,
  resources: { requests: { cpu, memory: '1Gi' } },
});
const podOf = (...containers: readonly object[]) => ({
  metadata: { name: 'web', namespace: 'payments', labels: { app: 'web' } },
  spec: { containers },
});
const SMALL = podOf(container('db-a', '1'), container('app', '1'));

function policyOf(...specs: readonly string[]) {
  const documents = specs.map((spec, index) => exception(spec).replace('migration', `migration-${index}`));
  const { guardrails, exceptions, mistakes } = readGuardrails([GUARDRAIL, ...documents].join(''), 'g.yaml');
  assert.deepEqual(mistakes, []);
  return createPolicy([...guardrails, createBaseline('off')], exceptions);
}

const NOW = '2026-11-30T09:00:00Z';
function resized(policy: ReturnType<typeof createPolicy>, to: object, now = NOW, known = true) {
  const cluster = createClusterView(
    known ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'payments', labels: { tier: 'tenant' } } }] : [],
  );
  const context = { ...contextOf({ now, cluster }), policy };
  const { response, record } = post(resizeReview(SMALL, to, { namespace: 'payments' }), 'validate', context);
  return {
    allowed: response.allowed,
    causes: response.status?.details.causes.map(({ reason, field }) => `${reason} ${field}`) ?? [],
    excepted: record?.excepted.map(({ exception: by, rule, path }) => `${by} ${rule} ${path}`) ?? [],
  };
}

const CPU = (index: number): string => `spec.containers[${index}].resources.requests[cpu]`;

describe('an exception', () => {
  const whole = GOOD.replace(', containers: [db-*]', '');
  const grownDb = podOf(container('db-a', '1500m'), container('app', '1'));
  const grownBoth = podOf(container('db-a', '1500m'), container('app', '1500m'));
  const refused = { allowed: false, causes: [`resize-actor ${CPU(0)}`, `container-size ${CPU(0)}`], excepted: [] };

  it('keeps its rules from refusing, and the record says what they would have found and why that did not count', () => {
    const policy = policyOf(whole);
    assert.deepEqual(resized(policyOf(), grownDb), refused);
    assert.deepEqual(resized(policy, grownDb), {
      allowed: true,
      causes: [],
      excepted: [`migration-0 resize-actor ${CPU(0)}`, `migration-0 container-size ${CPU(0)}`],
    });
    const context = { ...contextOf({ now: NOW }), policy };
    const { record } = post(resizeReview(SMALL, grownDb, { namespace: 'payments' }), 'validate', context);
    assert.deepEqual(
      [record?.id, record?.decision, record?.findings, record?.excepted.at(-1)],
      [
        RECORD_ID,
        'allow',
        [],
        {
          exception: 'migration-0',
          reason: 'CHG-1042 data migration',
          rule: 'container-size',
          guardrail: 'tenants',
          path: CPU(0),
          actual: '1500m',
          bound: '1',
          message: 'container "db-a" must request at most 1 cpu; it requests 1500m',
        },
      ],
    );
  });

  it('leaves no trace where there was nothing to except', () => {
    const context = { ...contextOf({ now: NOW }), policy: policyOf(whole) };
    const shrunk = podOf(container('db-a', '500m'), container('app', '1'));
    assert.equal(post(resizeReview(SMALL, shrunk, { namespace: 'payments' }), 'validate', context).record, undefined);
  });

  it('is recorded once, although both webhooks are asked', () => {
    const context = { ...contextOf({ now: NOW }), policy: policyOf(whole) };
    const body = resizeReview(SMALL, grownDb, { namespace: 'payments' });
    const records = (['mutate', 'validate'] as const).map((phase) => post(body, phase, context).record);
    assert.deepEqual(
      records.map((record) => record?.excepted.length),
      [undefined, 2],
    );
  });

  it('for some containers leaves the others judged, also by rules that say once for all changes what is wrong', () => {
    const policy = policyOf(GOOD);
    assert.deepEqual(resized(policy, grownDb).allowed, true);
    assert.deepEqual(resized(policy, grownBoth), {
      allowed: false,
      causes: [`resize-actor ${CPU(1)}`, `container-size ${CPU(1)}`],
      excepted: [`migration-0 resize-actor ${CPU(0)}`, `migration-0 container-size ${CPU(0)}`],
    });
  });

  it('beside another one covers what either is for', () => {
    const other = GOOD.replace('db-*', 'app').replace('container-size, resize-actor', 'container-size');
    assert.deepEqual(resized(policyOf(GOOD, other), grownBoth), {
      allowed: false,
      causes: [`resize-actor ${CPU(1)}`],
      excepted: [
        `migration-0 resize-actor ${CPU(0)}`,
        `migration-0 container-size ${CPU(0)}`,
        `migration-1 container-size ${CPU(1)}`,
      ],
    });
  });

  it('leaves the sums of the pod whole', () => {
    const huge = podOf(container('db-a', '2500m'), container('app', '1'));
    assert.deepEqual(resized(policyOf(GOOD), huge).causes, [`pod-size ${CPU(0)}`]);
  });

  const ignored: readonly (readonly [string, string, string, boolean])[] = [
    ['has expired', whole, '2027-01-31T00:00:00Z', true],
    ['is for another namespace', whole.replace('payments', 'other'), NOW, true],
    ['is for somebody else', whole.replace('{ namespaces', '{ users: [ann], namespaces'), NOW, true],
    [
      'is for other pods',
      whole.replace('{ namespaces', '{ podSelector: { matchLabels: { app: db } }, namespaces'),
      NOW,
      true,
    ],
    [
      'asks for labels of a namespace that nobody knows',
      whole.replace('{ namespaces', '{ namespaceSelector: { matchLabels: { tier: tenant } }, namespaces'),
      NOW,
      false,
    ],
  ];
  for (const [what, spec, now, known] of ignored) {
    it(`that ${what} takes nothing from its guardrail`, () => {
      assert.deepEqual(resized(policyOf(spec), grownDb, now, known), refused);
    });
  }

  it('keeps a fix from being made', () => {
    const spec = whole.replace('container-size, resize-actor', 'container-size');
    const text = GUARDRAIL.replace('{ max: { cpu: 1 } }', '{ mode: fix, max: { cpu: 1 } }') + exception(spec);
    const { guardrails, exceptions } = readGuardrails(text, 'g.yaml');
    const patchOf = (policy: ReturnType<typeof createPolicy>): unknown => {
      const created = podOf(container('db-a', '2'), container('app', '1'));
      return post(reviewOf({ object: created, namespace: 'payments' }), 'mutate', {
        ...contextOf({ now: NOW }),
        policy,
      }).patch;
    };
    assert.deepEqual(patchOf(createPolicy(guardrails)), [
      { op: 'add', path: '/spec/containers/0/resources/requests/cpu', value: '1' },
    ]);
    assert.equal(patchOf(createPolicy(guardrails, exceptions)), undefined);
  });
});

describe('a guardrail that leaves containers out', () => {
  const text = GUARDRAIL.replace('  rules:', '  mode: fix\n  exclude: { containers: [db-*] }\n  rules:');
  const { guardrails, mistakes } = readGuardrails(text, 'g.yaml');

  it('judges and fixes the others, counts all of them in the sums of the pod, and says nothing of it', () => {
    assert.deepEqual(mistakes, []);
    const policy = createPolicy(guardrails);
    const to = podOf(container('db-a', '1500m'), container('app', '1500m'));
    assert.deepEqual(resized(policy, to), {
      allowed: false,
      causes: [`resize-actor ${CPU(1)}`, `container-size ${CPU(1)}`],
      excepted: [],
    });
    const created = podOf(container('db-a', '2'), container('app', '2'));
    const context = { ...contextOf({ now: NOW }), policy };
    assert.deepEqual(post(reviewOf({ object: created, namespace: 'payments' }), 'mutate', context).patch, [
      { op: 'add', path: '/spec/containers/1/resources/requests/cpu', value: '1' },
    ]);
    assert.deepEqual(resized(policy, podOf(container('db-a', '2500m'), container('app', '1'))).causes, [
      `pod-size ${CPU(0)}`,
    ]);
  });

  it('tells the first container from the eleventh', () => {
    const twelve = (cpu: string) => podOf(...Array.from({ length: 12 }, (_, index) => container(`c${index}`, cpu)));
    const one = text.replace('db-*', 'c1').replace(/    (pod-size|resize-).*\n/g, '');
    const policy = createPolicy(readGuardrails(one, 'g.yaml').guardrails);
    const context = { ...contextOf({ now: NOW }), policy };
    const { response } = post(reviewOf({ object: twelve('2'), namespace: 'payments' }), 'validate', context);
    assert.deepEqual(
      response.status?.details.causes.map(({ field }) => field),
      [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(CPU),
    );
  });
});
