// `podrail test`: the starter sets by their own tests, a test that fails, and tests with mistakes.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Command } from 'commander';
import { parseAllDocuments } from 'yaml';
import { addTest } from '../../src/commands/test.ts';
import { UsageError } from '../../src/commands/usage-error.ts';
import { recordedTerminal } from './recorded-terminal.ts';

const sets = join(import.meta.dirname, '../../examples/guardrails');
const folder = mkdtempSync(join(tmpdir(), 'podrail-test-'));
after(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const run = (...args: readonly string[]) => {
  const recorded = recordedTerminal();
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addTest(program, recorded.terminal);
  program.parse(['test', ...args], { from: 'user' });
  return { code: recorded.code(), out: recorded.out() };
};

const mistakesOf = (...args: readonly string[]): readonly string[] => {
  try {
    run(...args);
  } catch (error) {
    if (error instanceof UsageError) return error.lines;
    throw error;
  }
  return [];
};

interface Json {
  readonly passed: number;
  readonly failed: number;
  readonly cases: readonly {
    readonly name: string;
    readonly rules: readonly string[];
    readonly problems: readonly string[];
  }[];
}

const SETS = ['batch', 'development', 'multi-tenant', 'strict', 'vpa-managed'];

describe('a starter set', () => {
  for (const set of SETS) {
    it(`${set} does what its tests say`, () => {
      const { code, out } = run(join(sets, 'tests', `${set}.yaml`));
      assert.equal(code, 0, out);
    });

    it(`${set} has a case for each of its rules`, () => {
      const { cases } = JSON.parse(run(join(sets, 'tests', `${set}.yaml`), '-o', 'json').out) as Json;
      const found = new Set(cases.flatMap(({ rules }) => rules));
      assert.deepEqual(
        rulesOf(`${set}.yaml`).filter((rule) => !found.has(rule) && !UNTOUCHED.includes(`${set} ${rule}`)),
        [],
      );
    });
  }

  it('is tested when it is there', () => {
    const tests = readdirSync(join(sets, 'tests')).map((file) => basename(file, '.yaml'));
    assert.deepEqual(tests.sort(), SETS);
  });
});

// What these rules find is shown by their own fixtures.
const UNTOUCHED = [
  'strict container-size',
  'strict resize-pending',
  'strict resize-memory-limit',
  'strict sidecar-is-native',
  'strict sidecar-starts-first',
  'strict sidecar-ports-unique',
  'batch resources-required',
  'batch container-size',
  'development limit-request-ratio',
  'development resize-restarts',
  'vpa-managed limit-request-ratio',
];

function rulesOf(file: string): readonly string[] {
  const documents = parseAllDocuments(readFileSync(join(sets, file), 'utf8'));
  return documents.flatMap((document) => {
    const { spec } = document.toJS() as { readonly spec: { readonly rules: object } };
    return Object.keys(spec.rules);
  });
}

const GUARDRAIL = `
    - apiVersion: podrail.dev/v1alpha1
      kind: Guardrail
      metadata: { name: small }
      spec: { rules: { container-size: { max: { cpu: "1" } } } }`;

const testOf = (cases: string, more = ''): string => `apiVersion: podrail.dev/v1alpha1
kind: PolicyTest
metadata: { name: mine }
spec:
  guardrails:${GUARDRAIL}
${more}  cases:
${cases}`;

const CASE = `    - name: two cores
      pod: { metadata: { name: web }, spec: { containers: [{ name: app, resources: { requests: { cpu: "2" } } }] } }
`;

describe('podrail test', () => {
  it('says of a case that fails what is expected, what is there, and what was said', () => {
    const file = write(
      'fails.yaml',
      testOf(
        `${CASE}      expect: { verdict: allow, rules: [], messages: nothing, pod: { spec: { nodeName: n1 } } }\n`,
      ),
    );
    const { code, out } = run(file);
    assert.deepEqual(
      { code, out },
      {
        code: 1,
        out: `mine (${file})
  FAILED  two cores
          ${file}:11:7
          the verdict must be allow; it is deny
          the rules must be none; they are container-size
          nothing says "nothing"
          spec.nodeName must be "n1"; it is not set
          said: [container-size] container "app" must request at most 1 cpu; it requests 2

1 of 1 case failed
`,
      },
    );
  });

  it('reports as JUnit XML', () => {
    const file = write(
      'junit.yaml',
      testOf(
        `${CASE}      expect: { verdict: allow }\n${CASE.replace('two', 'two <')}      expect: { verdict: deny }\n`,
      ),
    );
    const said = '[container-size] container &quot;app&quot; must request at most 1 cpu; it requests 2';
    assert.deepEqual(run(file, '--output', 'junit'), {
      code: 1,
      out: `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="podrail">
  <testsuite name="mine" tests="2" failures="1">
    <testcase classname="mine" name="two cores" file="${file}">
      <failure type="verdict" message="the verdict must be allow; it is deny">${file}:11:7
the verdict must be allow; it is deny
said: ${said}</failure>
    </testcase>
    <testcase classname="mine" name="two &lt; cores" file="${file}"/>
  </testsuite>
</testsuites>
`,
    });
  });

  it('compares quantities by what they are worth, and containers by their names', () => {
    const pod = '{ spec: { containers: [{ name: app, resources: { requests: { cpu: 2000m } } }] } }';
    const file = write(
      'worth.yaml',
      testOf(`${CASE}      expect: { verdict: deny, rules: [container-size], pod: ${pod} }\n`),
    );
    assert.equal(run(file).code, 0);
  });

  it('can leave the baseline out', () => {
    const resized = `{ metadata: { name: web }, spec: { containers: [{ name: app, resources: { requests: { cpu: 200Mi } } }] } }`;
    const without = testOf(
      `${CASE}      resized: ${resized}\n      expect: { verdict: deny, rules: [container-size] }\n`,
      '  baseline: off\n',
    );
    assert.equal(run(write('off.yaml', without)).code, 0);
    assert.equal(run(write('on.yaml', without.replace('  baseline: off\n', ''))).code, 1);
  });

  it('reads what a test names from beside it', () => {
    write(
      'small.yaml',
      `apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: { name: small }\nspec: { rules: { container-size: { max: { cpu: "1" } } } }\n`,
    );
    write(
      'pod.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: app, resources: { requests: { cpu: 500m } } }] }\n',
    );
    write('patch.json', '[{"op":"replace","path":"/spec/containers/0/resources/requests/cpu","value":"2"}]');
    const file = write(
      'beside.yaml',
      testOf(
        '    - { name: grows, pod: pod.yaml, patch: patch.json, patchType: json, expect: { verdict: deny } }\n',
      ).replace(GUARDRAIL, ' [small.yaml]'),
    );
    assert.equal(run(file).code, 0);
  });

  it('says every mistake at its place, in all files at once', () => {
    const file = write(
      'mistakes.yaml',
      testOf(
        `${CASE}      patch: { spec: { containers: [{ image: a }] } }\n      expect: { verdict: deny }\n` +
          '    - { name: none, pod: none.yaml, expect: { verdict: allow } }\n',
        '  cluster: [none.yaml, { apiVersion: v1, kind: Node, metadata: { name: n1 } }]\n',
      ).replace('container-size', 'container-sizes'),
    );
    const other = write(
      'schema.yaml',
      testOf(`${CASE}      expects: {}\n      now: today\n      expect: { verdict: refuse, rules: [] }\n`),
    );
    const rule = write('rule.yaml', testOf(`${CASE}      expect: { verdict: deny, rules: [container-siz] }\n`));
    const none = write('none.txt', 'a: 1');
    const missing = join(folder, 'none.yaml');
    assert.deepEqual(mistakesOf(file, other, rule, none, missing), [
      `${other}:13:7 unknown setting expects; did you mean expect?`,
      `${other}:14:12 spec.cases[0].now must be a time such as 2026-11-30T09:00:00Z; it is "today"`,
      `${other}:15:26 spec.cases[0].expect.verdict must be one of allow, deny, warn, fix; it is "refuse"`,
      `${rule}:13:40 unknown rule container-siz; did you mean container-size?`,
      `${none} holds no PolicyTest`,
      `${missing} does not exist`,
      `${file}:9:24 unknown rule container-sizes; did you mean container-size?`,
      `${file}:10:13 ${missing} does not exist`,
      `${file}:10:24 status must be set`,
      `${file}:14:37 spec.containers[0] must have name, which says which one it changes`,
      `${file}:16:26 ${missing} does not exist`,
    ]);
  });

  it('wants a case, a guardrail, and one of patch and resized', () => {
    const file = write('empty.yaml', testOf('').replace(GUARDRAIL, ' []').replace('cases:\n', 'cases: []\n'));
    const both = write(
      'both.yaml',
      testOf(`${CASE}      patch: {}\n      resized: {}\n      expect: { verdict: allow }\n`),
    );
    assert.deepEqual(mistakesOf(file, both), [
      `${file}:5:15 spec.guardrails must name a guardrail; it is []`,
      `${file}:6:10 spec.cases must have a case; it is []`,
      `${both}:11:7 spec.cases[0] must not have both patch and resized; it is {"name":"two cores","pod":{"metadata":{…`,
    ]);
  });
});
