// From body to response: the envelope, the two phases, modes, faults, exemptions, dry run, and the record of it all.
import { EMPTY_CLUSTER } from '../../src/admission/cluster-view.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { InvalidReview } from '../../src/admission/invalid-review.ts';
import { review } from '../../src/admission/review.ts';
import { PASS } from '../../src/admission/verdict.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import type { GuardrailRule } from '../../src/guardrails/read-rules.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import type { Mode } from '../../src/guardrails/mode.ts';
import { defineRule, type Finding, type Rule } from '../../src/rules/rule.ts';
import { contextOf, post, RECORD_ID, resizeReview, reviewOf, type Setting, UID } from './reviewing.ts';

const POD = {
  metadata: {
    name: 'web',
    namespace: 'team-blue',
    uid: 'u-1',
    ownerReferences: [{ kind: 'ReplicaSet', name: 'web-1', apiVersion: 'apps/v1', controller: true }],
  },
  spec: {
    nodeName: 'n1',
    containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
  },
};

function withCpu(cpu: string, more: object = {}): unknown {
  return {
    ...POD,
    ...more,
    spec: {
      ...POD.spec,
      containers: [{ ...POD.spec.containers[0], resources: { requests: { cpu, memory: '64Mi' } } }],
    },
  };
}

const PATH = 'spec.containers[0].resources.requests[cpu]';

interface Made {
  readonly id?: string;
  readonly findings?: readonly Finding[];
  readonly core?: boolean;
  readonly throws?: string;
  readonly fix?: Rule['fix'];
  readonly quietFix?: true;
  /** A label that mends what is found. */
  readonly mendedBy?: string;
}

/** A guardrail with one rule that finds what it is told to find, whatever the request. */
function guardrail(mode: Mode, made: Made = {}, more: Partial<Guardrail> = {}): Guardrail {
  const rule = defineRule({
    id: made.id ?? 'says-so',
    summary: 'A rule of this test.',
    scopes: ['create', 'resize', 'update'],
    core: () => made.core ?? false,
    settings: z.strictObject({}),
    check: ({ pod }) => {
      if (made.throws !== undefined) throw new Error(made.throws);
      if (made.mendedBy !== undefined && Object.hasOwn(pod.labels, made.mendedBy)) return [];
      return made.findings ?? [{ path: PATH, message: 'container "app" must do better', actual: '1', bound: '2' }];
    },
    ...(made.fix ? { fix: made.fix } : {}),
    ...(made.quietFix ? { quietFix: made.quietFix } : {}),
  });
  const own: GuardrailRule = { rule: rule as Rule, mode, settings: {} };
  return { name: 'test', match: {}, exclude: {}, rules: [own], ...more };
}

function contextWith(guardrails: readonly Guardrail[], setting: Setting = {}) {
  return { ...contextOf(setting), policy: createPolicy(guardrails) };
}

const CREATE = reviewOf({ object: POD });
const RESIZE = resizeReview(POD, withCpu('200m'));

describe('the answer to a request', () => {
  it('that breaks no rule is allowed and not recorded', () => {
    const context = contextWith([guardrail('enforce', { findings: [] })]);
    const { decided, ...reply } = review(JSON.stringify(CREATE), 'validate', context);
    assert.deepEqual(decided?.verdict, PASS);
    assert.deepEqual(reply, {
      body: `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"${UID}","allowed":true}}`,
      record: undefined,
      faults: [],
    });
  });

  it('that an enforced rule finds fault with is a 403 with one line and one cause a finding, and its record', () => {
    const { response, record } = post(RESIZE, 'validate', contextWith([guardrail('enforce')]));
    assert.deepEqual(response, {
      uid: UID,
      allowed: false,
      status: {
        status: 'Failure',
        code: 403,
        reason: 'Forbidden',
        message: `[says-so] container "app" must do better\npodrail recorded this as ${RECORD_ID}`,
        details: {
          name: 'web',
          kind: 'pods',
          causes: [{ reason: 'says-so', field: PATH, message: 'container "app" must do better' }],
        },
      },
      auditAnnotations: { record: RECORD_ID, rules: 'says-so' },
    });
    assert.deepEqual(record, {
      schema: 'podrail.dev/audit/v1',
      id: RECORD_ID,
      time: '2026-09-20T10:00:00.000Z',
      uid: UID,
      retryOf: null,
      decision: 'deny',
      mode: 'enforce',
      operation: 'resize',
      dryRun: false,
      user: { name: 'dev-lee', groups: ['team-blue-devs', 'system:authenticated'], serviceAccount: null },
      pod: {
        namespace: 'team-blue',
        name: 'web',
        uid: 'u-1',
        owner: { kind: 'ReplicaSet', name: 'web-1' },
        node: 'n1',
      },
      changes: [{ container: 'app', kind: 'main', path: PATH, from: '100m', to: '200m' }],
      findings: [
        {
          rule: 'says-so',
          guardrail: 'test',
          mode: 'enforce',
          path: PATH,
          actual: '1',
          bound: '2',
          message: 'container "app" must do better',
        },
      ],
      excepted: [],
      faults: [],
      patch: [],
      unlisted: { findings: 0, changes: 0 },
      kubernetes: '1.35',
      durationMs: 0,
    });
  });

  it('names the cause that autoscalers know where a rule gives one', () => {
    const findings: readonly Finding[] = [{ path: 'spec', message: 'pod "web" must fit', cause: 'NodeCapacity' }];
    const { response } = post(RESIZE, 'validate', contextWith([guardrail('enforce', { findings })]));
    assert.deepEqual(response.status?.details.causes, [
      { reason: 'NodeCapacity', field: 'spec', message: 'pod "web" must fit' },
    ]);
  });

  it('in mode warn is allowed with a warning, in mode audit only recorded, and in mode off neither', () => {
    const seen = (['warn', 'audit', 'off'] as const).map((mode) => {
      const rules = mode === 'off' ? [] : guardrail(mode).rules;
      const { response, record } = post(RESIZE, 'validate', contextWith([guardrail(mode, {}, { rules })]));
      return [mode, response.allowed, response.warnings, record?.decision, record?.mode, record?.findings[0]?.mode];
    });
    assert.deepEqual(seen, [
      ['warn', true, ['[says-so] container "app" must do better'], 'warn', 'warn', 'warn'],
      ['audit', true, undefined, 'allow', 'audit', 'audit'],
      ['off', true, undefined, undefined, undefined, undefined],
    ]);
  });

  it('is never more than a warning for advice', () => {
    const findings: readonly Finding[] = [{ path: PATH, message: 'container "app" must consider it', advice: true }];
    for (const mode of ['enforce', 'fix', 'warn'] as const) {
      const { response } = post(RESIZE, 'validate', contextWith([guardrail(mode, { findings })]));
      assert.deepEqual([response.allowed, response.warnings], [true, ['[says-so] container "app" must consider it']]);
    }
  });

  it('says what two guardrails find alike once, and in the heavier mode of each when they differ in it', () => {
    const twice = post(
      RESIZE,
      'validate',
      contextWith([guardrail('enforce'), guardrail('enforce', {}, { name: 'other' })]),
    );
    assert.equal(twice.response.status?.details.causes.length, 1);
    const both = post(
      RESIZE,
      'validate',
      contextWith([guardrail('warn'), guardrail('enforce', {}, { name: 'other' })]),
    );
    assert.deepEqual([both.response.allowed, both.response.warnings?.length], [false, 1]);
  });

  it('leaves out what later rules find once a conclusive violation is there', () => {
    const first = guardrail('enforce', {
      findings: [{ path: PATH, message: 'container "app" must be readable', conclusive: true }],
    });
    const later = guardrail('enforce', { id: 'later' }, { name: 'later' });
    const { response } = post(RESIZE, 'validate', contextWith([first, later]));
    assert.deepEqual(
      response.status?.details.causes.map(({ message }) => message),
      ['container "app" must be readable'],
    );
    const warned = guardrail('warn', {
      findings: [{ path: PATH, message: 'container "app" must be readable', conclusive: true }],
    });
    assert.deepEqual(post(RESIZE, 'validate', contextWith([warned, later])).response.status?.details.causes.length, 1);
  });

  it('on dry run is the same, with a record that is marked', () => {
    const { response, record } = post(
      resizeReview(POD, withCpu('200m'), { dryRun: true }),
      'validate',
      contextWith([guardrail('enforce')]),
    );
    assert.deepEqual([response.allowed, record?.dryRun], [false, true]);
  });

  it('is recorded for every request when the audit level is all', () => {
    const { record } = post(CREATE, 'validate', contextWith([], { auditLevel: 'all' }));
    assert.deepEqual(
      [record?.decision, record?.mode, record?.operation, record?.changes],
      ['allow', 'audit', 'create', []],
    );
  });
});

describe('a request that breaks rules a thousand times', () => {
  const findings: readonly Finding[] = Array.from({ length: 1_000 }, (_, index) => ({
    path: PATH,
    message: `container "c${index}" must do better`,
  }));

  it('is told and recorded the first fifty, and how many more there are', () => {
    const { response, record } = post(RESIZE, 'validate', contextWith([guardrail('enforce', { findings })]));
    const lines = response.status?.message.split('\n') ?? [];
    assert.deepEqual([lines.length, lines.at(-2)], [52, 'and 950 more']);
    assert.deepEqual([record?.findings.length, record?.unlisted], [50, { findings: 950, changes: 0 }]);
  });

  it('has the first hundred of its changes in the record', () => {
    const names = Array.from({ length: 100 }, (_, index) => `a.b/r${index}`);
    const requests = Object.fromEntries(names.map((name) => [name, '1']));
    const containers = ['app', 'two'].map((name) => ({ name, image: 'a', resources: { requests } }));
    const before = {
      ...POD,
      spec: {
        ...POD.spec,
        containers: [
          { name: 'app', image: 'a' },
          { name: 'two', image: 'a' },
        ],
      },
    };
    const { record } = post(
      resizeReview(before, { ...POD, spec: { ...POD.spec, containers } }),
      'validate',
      contextWith([guardrail('audit')]),
    );
    assert.deepEqual([record?.changes.length, record?.unlisted], [100, { findings: 0, changes: 100 }]);
  });
});

describe('a resize that changes nothing', () => {
  it('passes before any rule runs, however its values are written', () => {
    for (const same of [POD, withCpu('0.1'), withCpu('100m', { metadata: { ...POD.metadata, labels: { a: 'b' } } })]) {
      const { response } = post(resizeReview(POD, same), 'validate', contextWith([guardrail('enforce')]));
      assert.equal(response.allowed, true);
    }
  });

  it('is not one that adds a claim, a resizePolicy entry or a container', () => {
    const [app] = POD.spec.containers;
    const others = [
      [{ ...app, resources: { ...app?.resources, claims: [{ name: 'gpu' }] } }],
      [{ ...app, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }],
      [app, { name: 'more', image: 'more' }],
    ];
    for (const containers of others) {
      const changed = { ...POD, spec: { ...POD.spec, containers } };
      assert.equal(
        post(resizeReview(POD, changed), 'validate', contextWith([guardrail('enforce')])).response.allowed,
        false,
      );
    }
  });

  it('is a plain update that leaves resources alone', () => {
    const update = reviewOf({
      operation: 'UPDATE',
      oldObject: POD,
      object: { ...POD, metadata: { ...POD.metadata, labels: { a: 'b' } } },
    });
    assert.equal(post(update, 'validate', contextWith([guardrail('enforce')])).response.allowed, true);
  });
});

describe('the mutating phase', () => {
  it('refuses no create, whatever its rules say', () => {
    assert.equal(post(CREATE, 'mutate', contextWith([guardrail('enforce', { core: true })])).response.allowed, true);
  });

  it('says of a create, as a warning, what Kubernetes is about to refuse by itself, and records it', () => {
    const { response, record } = post(CREATE, 'mutate', contextWith([guardrail('enforce', { core: true })]));
    assert.deepEqual([response.allowed, response.warnings], [true, ['[says-so] container "app" must do better']]);
    assert.deepEqual([record?.decision, record?.findings[0]?.mode], ['warn', 'warn']);
    const ours: readonly Finding[] = [{ path: PATH, message: 'container "app" must do better', ours: true }];
    const later = post(CREATE, 'mutate', contextWith([guardrail('enforce', { core: true, findings: ours })]));
    assert.deepEqual([later.response.warnings, later.record], [undefined, undefined]);
  });

  it('refuses a resize for whatever is enforced, since Kubernetes may refuse it next for what podrail does not know', () => {
    const allowed = (['enforce', 'warn', 'audit'] as const).map((mode) => {
      const { response, record } = post(RESIZE, 'mutate', contextWith([guardrail(mode)]));
      return [mode, response.allowed, response.warnings, record?.decision];
    });
    assert.deepEqual(allowed, [
      ['enforce', false, undefined, 'deny'],
      ['warn', true, undefined, undefined],
      ['audit', true, undefined, undefined],
    ]);
  });

  it('leaves a rule that fails to the validating phase', () => {
    const context = contextWith([guardrail('enforce', { core: true, throws: 'x' })]);
    assert.deepEqual(
      [post(RESIZE, 'mutate', context).response.allowed, post(RESIZE, 'validate', context).response.allowed],
      [true, false],
    );
  });

  it('refuses a plain update of resources, which never comes to the validating phase', () => {
    const update = reviewOf({ operation: 'UPDATE', oldObject: POD, object: withCpu('200m') });
    const { response } = post(update, 'mutate', contextOf());
    assert.match(response.status?.message ?? '', /^\[resize-by-subresource\] /);
  });

  it('warns of edits that a resize drops, without a record', () => {
    const edited = withCpu('200m', { metadata: { ...POD.metadata, labels: { tier: 'gold' } } });
    const { response, record } = post(resizeReview(POD, edited), 'mutate', contextWith([]));
    assert.deepEqual(
      [response.allowed, response.warnings, record],
      [
        true,
        ['a resize changes only resources; Kubernetes drops what pod "web" changes in metadata.labels'],
        undefined,
      ],
    );
  });

  it('warns of them also where the resize has nothing else in it, but not of what a plain update edits', () => {
    const labelled = withCpu('100m', { metadata: { ...POD.metadata, labels: { tier: 'gold' } } });
    const said = (body: unknown) => post(body, 'mutate', contextWith([])).response.warnings;
    assert.deepEqual(said(resizeReview(POD, labelled)), [
      'a resize changes only resources; Kubernetes drops what pod "web" changes in metadata.labels',
    ]);
    const grown = withCpu('200m', { metadata: { ...POD.metadata, labels: { tier: 'gold' } } });
    for (const object of [labelled, grown]) {
      assert.equal(said(reviewOf({ operation: 'UPDATE', oldObject: POD, object })), undefined);
    }
  });

  it('names only the first of many edits that a resize drops', () => {
    const containers = Array.from({ length: 20 }, (_, index) => ({ name: `c${index}`, image: 'a' }));
    const pod = { metadata: { name: 'web' }, spec: { containers } };
    const resources = { requests: { cpu: '1' } };
    const edited = { ...pod, spec: { containers: containers.map((one) => ({ ...one, image: 'b', resources })) } };
    const { response } = post(resizeReview(pod, edited), 'mutate', contextWith([]));
    assert.deepEqual(response.warnings, [
      'a resize changes only resources; Kubernetes drops what pod "web" changes in spec.containers[0].image, spec.containers[1].image, spec.containers[2].image and 17 more',
    ]);
  });

  const add =
    (name: string): Rule['fix'] =>
    ({ pod }) =>
      Object.hasOwn(pod.labels, name) ? [] : [{ op: 'add', path: `/metadata/labels`, value: { [name]: 'x' } }];

  it('applies a fix, says so as a warning, and records what was found', () => {
    const mending = guardrail('fix', { fix: add('a'), mendedBy: 'a' });
    const { response, patch, record } = post(CREATE, 'mutate', contextWith([mending]));
    assert.deepEqual(patch, [{ op: 'add', path: '/metadata/labels', value: { a: 'x' } }]);
    assert.deepEqual(
      [response.patchType, response.warnings],
      ['JSONPatch', ['[says-so] fixed: container "app" must do better']],
    );
    assert.deepEqual(
      [record?.decision, record?.mode, record?.patch, record?.findings[0]?.mode],
      ['fix', 'fix', patch, 'fix'],
    );
  });

  it('applies a quiet fix without a word or a record', () => {
    const { response, patch, record } = post(
      CREATE,
      'mutate',
      contextWith([guardrail('fix', { fix: add('a'), quietFix: true })]),
    );
    assert.deepEqual(
      [patch, response.warnings, record],
      [[{ op: 'add', path: '/metadata/labels', value: { a: 'x' } }], undefined, undefined],
    );
    const all = post(
      CREATE,
      'mutate',
      contextWith([guardrail('fix', { fix: add('a'), quietFix: true })], { auditLevel: 'all' }),
    );
    assert.deepEqual([all.record?.decision, all.record?.mode, all.record?.patch.length], ['allow', 'fix', 1]);
  });

  it('lets a later fix see what an earlier one has made', () => {
    const second = guardrail(
      'fix',
      {
        fix: ({ pod }) =>
          Object.hasOwn(pod.annotations, 'a') ? [] : [{ op: 'add', path: '/metadata/annotations', value: pod.labels }],
      },
      { name: 'second' },
    );
    const { patch } = post(CREATE, 'mutate', contextWith([guardrail('fix', { fix: add('a') }), second]));
    assert.deepEqual(patch, [
      { op: 'add', path: '/metadata/labels', value: { a: 'x' } },
      { op: 'add', path: '/metadata/annotations', value: { a: 'x' } },
    ]);
  });

  it('leaves a pod as it is when a fix fails, and says so', () => {
    const fails: Rule['fix'] = () => {
      throw new Error('no such thing');
    };
    const reply = review(
      JSON.stringify(CREATE),
      'mutate',
      contextWith([guardrail('fix', { fix: fails }), guardrail('fix', { fix: add('b') })]),
    );
    const { response } = JSON.parse(reply.body) as {
      response: { allowed: boolean; patch: string; warnings: readonly string[] };
    };
    assert.equal(response.allowed, true);
    assert.deepEqual(response.warnings, [
      `[says-so] podrail could not check this for guardrail "test"; its log has ${RECORD_ID}`,
    ]);
    assert.deepEqual(JSON.parse(Buffer.from(response.patch, 'base64').toString()), [
      { op: 'add', path: '/metadata/labels', value: { b: 'x' } },
    ]);
    assert.deepEqual(
      reply.faults.map(({ error }) => error.message),
      ['no such thing'],
    );
  });
});

describe('the validating phase', () => {
  it('enforces what a fix has left over, unless the fix only writes down what is true without it', () => {
    const fix: Rule['fix'] = () => [];
    assert.equal(post(CREATE, 'validate', contextWith([guardrail('fix', { fix })])).response.allowed, false);
    const quiet = post(CREATE, 'validate', contextWith([guardrail('fix', { fix, quietFix: true })]));
    assert.deepEqual([quiet.response.allowed, quiet.record], [true, undefined]);
  });
});

describe('a request that cannot be judged', () => {
  it('is refused when an enforcing rule throws, with the record to look up and nothing of the error', () => {
    const reply = review(
      JSON.stringify(RESIZE),
      'validate',
      contextWith([guardrail('enforce', { throws: 'secret inside' })]),
    );
    const { response } = JSON.parse(reply.body) as {
      response: { allowed: boolean; status: { code: number; message: string } };
    };
    assert.deepEqual(response.status.message.split('\n'), [
      `[says-so] podrail could not check this for guardrail "test"; its log has ${RECORD_ID}`,
      `podrail recorded this as ${RECORD_ID}`,
    ]);
    assert.deepEqual(
      [response.allowed, response.status.code, reply.record?.faults],
      [false, 403, [{ rule: 'says-so', error: 'secret inside' }]],
    );
    assert.match(reply.faults[0]?.error.stack ?? '', /review\.test/);
  });

  it('is let through with a warning when onFault says so, or when the rule only warns', () => {
    const cases: readonly (readonly [Mode, 'deny' | 'allow'])[] = [
      ['enforce', 'allow'],
      ['warn', 'deny'],
      ['audit', 'deny'],
    ];
    for (const [mode, onFault] of cases) {
      const { response, record } = post(
        RESIZE,
        'validate',
        contextWith([guardrail(mode, { throws: 'x' })], { onFault }),
      );
      assert.deepEqual(
        [response.allowed, response.warnings, record?.decision],
        [true, [`[says-so] podrail could not check this for guardrail "test"; its log has ${RECORD_ID}`], 'warn'],
      );
    }
  });

  it('is a fault when a rule throws something that is no Error', () => {
    const rule: Rule = {
      ...(guardrail('enforce').rules[0] as GuardrailRule).rule,
      check: () => {
        throw 'text';
      },
    };
    const reply = review(
      JSON.stringify(RESIZE),
      'validate',
      contextWith([guardrail('enforce', {}, { rules: [{ rule, mode: 'enforce', settings: {} }] })]),
    );
    assert.deepEqual(
      reply.faults.map(({ error }) => error.message),
      ['text'],
    );
  });

  it('is refused when a guardrail asks for the labels of a namespace that is not known', () => {
    const match = { namespaceSelector: { matchLabels: { tier: 'tenant' } } };
    const { response } = post(RESIZE, 'validate', contextWith([guardrail('enforce', {}, { match })]));
    assert.equal(
      response.status?.message.split('\n')[0],
      'guardrail "test" selects namespaces by label, and namespace "team-blue" is not known',
    );
  });

  it('is judged as the guardrail would have: one that only warns, or has no rule for it, refuses nothing', () => {
    const match = { namespaceSelector: { matchLabels: { tier: 'tenant' } } };
    const warned = post(RESIZE, 'validate', contextWith([guardrail('warn', {}, { match })]));
    assert.deepEqual(
      [warned.response.allowed, warned.response.warnings?.length, warned.record?.decision],
      [true, 1, 'warn'],
    );
    const none = post(RESIZE, 'validate', contextWith([guardrail('enforce', {}, { match, rules: [] })]));
    assert.deepEqual([none.response.allowed, none.response.warnings, none.record], [true, undefined, undefined]);
    assert.equal(post(CREATE, 'mutate', contextWith([guardrail('enforce', {}, { match })])).response.allowed, true);
  });

  it('tells nobody but the log what failed inside podrail', () => {
    const cluster = {
      ...EMPTY_CLUSTER,
      node: () => {
        throw new TypeError('reading secretInternal');
      },
    };
    const reply = review(JSON.stringify(RESIZE), 'validate', contextOf({ cluster }));
    assert.ok(!reply.body.includes('secretInternal'), reply.body);
    assert.ok(reply.body.includes(`podrail could not check this`), reply.body);
    assert.ok(reply.faults.some(({ error }) => error.message === 'reading secretInternal'));
    const context = {
      ...contextOf(),
      policy: {
        guardrails: [],
        exceptions: [],
        select: (): never => {
          throw new TypeError('secretInternal');
        },
      },
    };
    const broken = review(JSON.stringify(RESIZE), 'validate', context);
    assert.match(broken.body, new RegExp(`"message":"podrail could not check this; its log has ${RECORD_ID}`));
    assert.ok(!broken.body.includes('secretInternal'), broken.body);
  });

  const many = <Item>(count: number, item: (index: number) => Item): readonly Item[] =>
    Array.from({ length: count }, (_, index) => item(index));
  const absurd: readonly (readonly [string, unknown, string])[] = [
    ['40,000 containers', many(40_000, () => ({})), 'spec.containers must have at most 1000 items; it has 40000'],
    [
      '40,000 entries of a resizePolicy',
      [{ name: 'a', resizePolicy: many(40_000, () => ({ resourceName: 'cpu', restartPolicy: 'NotRequired' })) }],
      'spec.containers[0].resizePolicy must have at most 1000 items; it has 40000',
    ],
    [
      '10,000 resources in a container',
      [{ name: 'a', resources: { requests: Object.fromEntries(many(10_000, (index) => [`a/r${index}`, '1'])) } }],
      'spec.containers[0].resources.requests must have at most 100 resources; it has 10000',
    ],
    [
      '9,000 resources in 100 containers',
      many(100, (index) => ({
        name: `c${index}`,
        resources: { limits: Object.fromEntries(many(45, (one) => [`a/r${one}`, '1'])) },
      })),
      'spec must have at most 2000 requests and limits in all; it has 9000',
    ],
  ];
  for (const [what, containers, problem] of absurd) {
    it(`is a pod with ${what}, which would take longer to judge than anyone waits`, () => {
      const { response } = post(
        reviewOf({ object: { metadata: { name: 'a' }, spec: { containers } } }),
        'validate',
        contextOf(),
      );
      assert.deepEqual(response.status?.message.split('\n')[0], `podrail cannot read this pod: ${problem}`);
    });
  }

  const unreadable: readonly (readonly [string, unknown, string])[] = [
    ['no object', reviewOf({ object: null }), 'object must be a Pod; it is not there'],
    ['an object that is a text', reviewOf({ object: 'pod' }), 'must be a map, not a string'],
    ['no spec', reviewOf({ object: { metadata: { name: 'a' } } }), 'spec must be'],
    [
      'containers that are a text',
      reviewOf({ object: { spec: { containers: 'app' } } }),
      'spec.containers must be a list, not a string',
    ],
    [
      'a number where a name belongs',
      reviewOf({ object: { spec: { containers: [{ name: 7 }] } } }),
      'spec.containers[0].name must be a string, not a number',
    ],
    [
      'a list of quantities',
      reviewOf({ object: { spec: { containers: [{ name: 'a', resources: { requests: ['1'] } }] } } }),
      'spec.containers[0].resources.requests must be a map of quantities, not a list',
    ],
    ['a resize without the stored pod', resizeReview(null, POD), 'oldObject must be a Pod; it is not there'],
    ['a stored pod without a spec', resizeReview({ metadata: {} }, POD), 'oldObject.spec must be'],
  ];
  for (const [what, body, problem] of unreadable) {
    it(`(${what}) is a 400 that names the field in the validating phase, and let through by the mutating one`, () => {
      const context = contextOf();
      const { response, record } = post(body, 'validate', context);
      assert.deepEqual([response.allowed, response.status?.code, response.status?.reason], [false, 400, 'BadRequest']);
      assert.ok(response.status?.message.startsWith(`podrail cannot read this pod: `), response.status?.message);
      assert.ok(response.status?.message.includes(problem), response.status?.message);
      assert.deepEqual([record?.decision, record?.changes, record?.pod.uid], ['deny', [], null]);
      const mutated = post(body, 'mutate', context).response;
      assert.deepEqual([mutated.allowed, mutated.warnings?.length], [true, 1]);
      assert.equal(post(body, 'validate', contextOf({ onFault: 'allow' })).response.allowed, true);
    });
  }
});

describe('what podrail has no say in', () => {
  const refusing = contextWith([guardrail('enforce', { core: true })]);

  for (const namespace of ['kube-system', 'kube-node-lease', 'podrail']) {
    it(`is a pod in ${namespace}`, () => {
      assert.equal(post(reviewOf({ object: POD, namespace }), 'validate', refusing).response.allowed, true);
    });
  }

  it('is what a kubelet does, while a mirror annotation of a tenant exempts nothing', () => {
    const mirror = { ...POD, metadata: { ...POD.metadata, annotations: { 'kubernetes.io/config.mirror': 'x' } } };
    const kubelet = { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
    assert.equal(post(reviewOf({ object: mirror, userInfo: kubelet }), 'validate', refusing).response.allowed, true);
    assert.equal(post(reviewOf({ object: mirror }), 'validate', refusing).response.allowed, false);
  });

  const notOurs: readonly (readonly [object, string])[] = [
    [{ operation: 'UPDATE', subResource: 'ephemeralcontainers' }, 'UPDATE of pods/ephemeralcontainers'],
    [{ operation: 'DELETE' }, 'DELETE of pods'],
    [{ operation: 'CONNECT', subResource: 'exec' }, 'CONNECT of pods/exec'],
    [{ operation: 'CREATE', subResource: 'binding' }, 'CREATE of pods/binding'],
  ];
  for (const [of, what] of notOurs) {
    it(`is ${what}: allowed, and said so, since its webhook rules should not match it`, () => {
      const { response } = post(reviewOf({ object: POD, ...of }), 'validate', refusing);
      assert.deepEqual(response, {
        uid: UID,
        allowed: true,
        warnings: [`podrail does not judge ${what}; its webhook rules should not match it`],
      });
    });
  }

  it('is another resource', () => {
    const body = reviewOf({ object: POD }) as { request: { resource: object } };
    body.request.resource = { group: 'apps', version: 'v1', resource: 'deployments' };
    assert.match(post(body, 'validate', refusing).response.warnings?.[0] ?? '', /CREATE of deployments\.v1\.apps;/);
  });
});

describe('a body that is no v1 AdmissionReview', () => {
  const good = reviewOf({ object: POD }) as { request: object };
  const bodies: readonly (readonly [string, unknown, string])[] = [
    ['text', 'hello', 'the body is no JSON that podrail can read'],
    ['a list', [], 'the body is no AdmissionReview'],
    ['null', null, 'the body is no AdmissionReview'],
    ['a Pod', { kind: 'Pod', apiVersion: 'v1' }, 'the body is no AdmissionReview'],
    [
      'v1beta1',
      { ...good, apiVersion: 'admission.k8s.io/v1beta1' },
      'the AdmissionReview must be admission.k8s.io/v1; it is "admission.k8s.io/v1beta1"',
    ],
    [
      'no version',
      { ...good, apiVersion: undefined },
      'the AdmissionReview must be admission.k8s.io/v1; it is not set',
    ],
    ['no request', { ...good, request: undefined }, 'the AdmissionReview has no request'],
    ['no uid', { ...good, request: { ...good.request, uid: '' } }, 'request.uid must be set'],
    ['a number as uid', { ...good, request: { ...good.request, uid: 7 } }, 'request: uid must be a string; it is 7'],
    ['no resource', { ...good, request: { ...good.request, resource: {} } }, 'request.resource.resource must be set'],
    ['no operation', { ...good, request: { ...good.request, operation: undefined } }, 'request.operation must be set'],
    [
      'a resource that is a text',
      { ...good, request: { ...good.request, resource: 'pods' } },
      'request.resource must be a map; it is "pods"',
    ],
    [
      'groups that are a text',
      { ...good, request: { ...good.request, userInfo: { groups: 'all' } } },
      'request.userInfo.groups must be a list',
    ],
  ];
  for (const [what, body, problem] of bodies) {
    it(`(${what}) is answered to nobody: ${problem}`, () => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      assert.throws(
        () => review(text, 'validate', contextOf()),
        (error: unknown) => error instanceof InvalidReview && error.message.startsWith(problem),
      );
    });
  }
});
