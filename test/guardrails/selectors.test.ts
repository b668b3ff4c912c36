// Selectors that nobody can have meant: each is told where it stands, before a guardrail is thought to hold.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toMistakeText } from '../../src/guardrails/mistake.ts';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';

function mistakesIn(spec: string, name = 'tenants'): readonly string[] {
  const text = `apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: ${name} }\nspec:\n  rules: { container-size: { max: { cpu: 2 } } }\n${spec}`;
  return readGuardrails(text, 'g').mistakes.map(toMistakeText);
}

const match = (selector: string): readonly string[] => mistakesIn(`  match: { ${selector} }\n`);

describe('a selector', () => {
  const fine: readonly string[] = [
    'match: { namespaces: [team-*, payments, "*"], users: ["system:*", ann@example.com], groups: [a b] }',
    'match: { namespaces: [], users: [] }',
    'match: { podSelector: {}, namespaceSelector: { matchExpressions: [] } }',
    'match: { podSelector: { matchLabels: { app.kubernetes.io/name: web, empty: "" } } }',
    'match: { podSelector: { matchLabels: { a: x }, matchExpressions: [{ key: a, operator: In, values: [x, w] }, { key: a, operator: NotIn, values: [w] }] } }',
    'match: { podSelector: { matchExpressions: [{ key: a, operator: NotIn, values: [x] }, { key: a, operator: DoesNotExist }] } }',
    'match: { serviceAccounts: ["*", kube-system/*, kube-*] }',
    'match: { namespaces: [kube-system, team-blue] }',
    'exclude: { namespaces: [], users: [ann], annotations: ["*"], containers: [istio-*] }',
    'exclude: { podSelector: { matchLabels: { app: web } } }',
  ];
  for (const spec of fine) {
    it(`may be ${spec}`, () => assert.deepEqual(mistakesIn(`  ${spec}\n`), []));
  }

  const lists: readonly (readonly [string, string])[] = [
    [
      'namespaces: [Team-*]',
      'spec.match.namespaces[0] must be a namespace or a glob, in lower case letters, digits, "-" and "*"; it is "Team-*"',
    ],
    ['users: [""]', 'spec.match.users[0] must not be empty; it is ""'],
    [
      'serviceAccounts: [vpa-updater]',
      'spec.match.serviceAccounts[0] must be namespace/name, such as kube-system/vpa-updater; it is "vpa-updater"',
    ],
    [
      'namespaces: [kube-system]',
      'spec.match.namespaces picks nothing: podrail judges no pod in kube-system or kube-node-lease',
    ],
    [
      'podSelector: { matchLabels: { "a b": x } }',
      'spec.match.podSelector.matchLabels.a b must be the name of a label, such as app.kubernetes.io/name',
    ],
    [
      'podSelector: { matchLabels: { a: "x y" } }',
      'spec.match.podSelector.matchLabels.a must be the value of a label: at most 63 letters, digits, "-", "_" and "."; it is "x y"',
    ],
    [
      'podSelector: { matchExpressions: [{ key: a, operator: Exists, values: [x] }] }',
      'spec.match.podSelector.matchExpressions[0].values must name at least one value for In and NotIn, and none for Exists and DoesNotExist; it is ["x"]',
    ],
  ];
  for (const [selector, problem] of lists) {
    it(`must not be ${selector}`, () => {
      assert.deepEqual(
        match(selector).map((text) => text.replace(/^\S+ /, '')),
        [problem],
      );
    });
  }

  const contradictions: readonly string[] = [
    '{ matchLabels: { a: x }, matchExpressions: [{ key: a, operator: NotIn, values: [x] }] }',
    '{ matchLabels: { a: x }, matchExpressions: [{ key: a, operator: In, values: [w, z] }] }',
    '{ matchLabels: { a: x }, matchExpressions: [{ key: a, operator: DoesNotExist }] }',
    '{ matchExpressions: [{ key: a, operator: Exists }, { key: a, operator: DoesNotExist }] }',
    '{ matchExpressions: [{ key: a, operator: In, values: [x, w] }, { key: a, operator: In, values: [z] }] }',
    '{ matchExpressions: [{ key: a, operator: In, values: [x] }, { key: a, operator: NotIn, values: [x, w] }] }',
  ];
  for (const selector of contradictions) {
    it(`that contradicts itself is told: ${selector}`, () => {
      const [mistake = '', ...others] = match(`podSelector: ${selector}`);
      assert.deepEqual(others, []);
      assert.match(mistake, /^g:6:25 spec\.match\.podSelector can match nothing: no value of label a fits all of it; /);
    });
  }

  const useless: readonly (readonly [string, string])[] = [
    ['match: { namespaces: [a, b] }\n  exclude: { namespaces: [a, b, c] }', 'spec.exclude.namespaces'],
    ['exclude: { namespaces: ["*"] }', 'spec.exclude.namespaces'],
    ['exclude: { namespaces: [a, "**"] }', 'spec.exclude.namespaces'],
    ['exclude: { users: ["***"] }', 'spec.exclude.users'],
    ['exclude: { groups: ["**"] }', 'spec.exclude.groups'],
    ['exclude: { podSelector: {} }', 'spec.exclude.podSelector'],
    ['exclude: { namespaceSelector: { matchExpressions: [] } }', 'spec.exclude.namespaceSelector'],
  ];
  for (const [spec, field] of useless) {
    it(`that leaves out whom the guardrail is for is told: ${spec.replaceAll('\n', ' ')}`, () => {
      const [mistake = '', ...others] = mistakesIn(`  ${spec}\n`);
      assert.deepEqual(others, []);
      assert.ok(mistake.endsWith(` ${field} leaves out everyone that the guardrail is for`), mistake);
    });
  }

  it('of containers is told where no rule judges containers one by one', () => {
    const text =
      'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: a }\nspec:\n  exclude: { containers: [a] }\n  rules: { pod-size: { max: { requests: { cpu: 2 } } } }\n';
    assert.deepEqual(readGuardrails(text, 'g').mistakes.map(toMistakeText), [
      'g:5:14 spec.exclude.containers leaves out nothing: each rule here judges the pod as a whole',
    ]);
  });
});

describe('a guardrail that is right', () => {
  const warningsIn = (spec: string): readonly string[] => {
    const text = `apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: a }\nspec: ${spec}\n`;
    const { guardrails, mistakes, warnings } = readGuardrails(text, 'g');
    assert.deepEqual([guardrails.length, mistakes], [1, []]);
    return warnings.map(toMistakeText);
  };
  const RULES = 'rules: { resize-restarts: {} }';

  for (const [what, spec, warning] of [
    ['names no rule', '{ rules: {} }', 'g:4:16 spec.rules names no rule, so it does nothing'],
    [
      'leaves out by glob everyone whom it is for',
      `{ match: { namespaces: [team-a, team-b-*] }, exclude: { namespaces: [team-*] }, ${RULES} }`,
      'g:4:75 spec.exclude.namespaces leaves out everyone that the guardrail is for, so it does nothing',
    ],
    [
      'leaves out by label everyone whom it is for',
      `{ match: { podSelector: { matchLabels: { a: x } } }, exclude: { podSelector: { matchLabels: { a: x } } }, ${RULES} }`,
      'g:4:84 spec.exclude.podSelector leaves out everyone that the guardrail is for, so it does nothing',
    ],
  ] as const) {
    it(`and ${what} is told of in a warning`, () => assert.deepEqual(warningsIn(spec), [warning]));
  }

  for (const spec of [
    `{ match: { namespaces: [team-*] }, exclude: { namespaces: [team-a, team-b-*] }, ${RULES} }`,
    `{ match: { namespaces: [team-a, web] }, exclude: { namespaces: [team-*] }, ${RULES} }`,
    `{ match: { users: ["*"], serviceAccounts: [a/b] }, ${RULES} }`,
    `{ match: { users: [ann, "system:serviceaccount:a:*"], serviceAccounts: [a/b] }, ${RULES} }`,
    `{ match: { users: [ann] }, exclude: { serviceAccounts: [a/b] }, ${RULES} }`,
    '{ mode: off, rules: { resize-restarts: {}, container-size: { mode: off }, pod-size: { mode: "off" } } }',
  ]) {
    it(`has no warning: ${spec}`, () => assert.deepEqual(warningsIn(spec), []));
  }
});

describe('the name of a guardrail', () => {
  it('is not that of the built-in one', () => {
    assert.deepEqual(mistakesIn('', 'baseline'), [
      'g:3:19 metadata.name must be another than baseline, which is the built-in guardrail',
    ]);
  });
});
