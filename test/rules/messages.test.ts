// Whatever a tenant writes, a message stays one readable line: nothing has been validated when a rule names it.
import { test } from 'node:test';
import fc from 'fast-check';
import { RULES } from '../../src/rules/index.ts';
import { assertGrammar } from './grammar.ts';
import { factsOf, readFixture } from './read-fixture.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    `${'x'.repeat(70)} y`,
    'app',
    'Always',
    'always',
    'cpu',
    'memory',
    'hugepages-2Mi',
    'nvidia.com/gpu',
    '512MB',
    '200Mi',
    '128m',
    '1e100',
    '-1',
  ),
);
const resources = fc.record({
  requests: fc.dictionary(anyText, anyText, { maxKeys: 3 }),
  limits: fc.dictionary(anyText, anyText, { maxKeys: 3 }),
});
const resizePolicy = fc.array(fc.record({ resourceName: anyText, restartPolicy: anyText }), { maxLength: 3 });
const container = fc.record(
  {
    name: anyText,
    resources,
    resizePolicy,
    restartPolicy: anyText,
    ports: fc.constant([{ containerPort: 65535 }]),
    lifecycle: fc.constant({}),
    readinessProbe: fc.constant({}),
    livenessProbe: fc.constant({}),
    startupProbe: fc.constant({}),
  },
  { requiredKeys: ['name'] },
);
const pod = fc.record({
  metadata: fc.record({ name: anyText, namespace: fc.constant('team-blue') }),
  spec: fc.record(
    {
      containers: fc.array(container, { maxLength: 2 }),
      initContainers: fc.array(container, { maxLength: 3 }),
      resources,
      restartPolicy: fc.constantFrom('Always', 'Never'),
    },
    { requiredKeys: ['containers'] },
  ),
});

/** For rules that find nothing without any: every value of the pod is outside. */
const SETTINGS: Readonly<Record<string, object>> = {
  'container-size': { max: { cpu: '1m', memory: 1 }, requests: { min: { 'hugepages-2Mi': '1Ti' } } },
  'pod-size': { max: { requests: { cpu: '1m', memory: 1 }, limits: { cpu: '1m', 'nvidia.com/gpu': 0 } } },
  'limit-request-ratio': { cpu: 1, memory: 1 },
  'namespace-budget': { requests: { cpu: '1m', memory: 1, 'nvidia.com/gpu': 0 } },
};

const NAMESPACE = '{ apiVersion: v1, kind: Namespace, metadata: { name: team-blue } }';
const FIXTURE = `{ scope: create, pod: {}, namespaces: [${NAMESPACE}] }`;

test('a message on a create obeys the grammar whatever the pod says', () => {
  const rules = RULES.filter((rule) => rule.scopes.includes('create'));
  fc.assert(
    fc.property(pod, fc.constantFrom('1.33', '1.34', '1.35', '1.36', '1.37'), (sent, version) => {
      const facts = factsOf({ ...readFixture(FIXTURE), version }, sent);
      for (const rule of rules) rule.check(facts, rule.settings.parse(SETTINGS[rule.id] ?? {})).forEach(assertGrammar);
    }),
    { numRuns: 500 },
  );
});
