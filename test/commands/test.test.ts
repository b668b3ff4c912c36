// `podrail test`: the starter sets by their own tests, a test that fails, and tests with mistakes.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Command } from 'commander';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { readDecisionFiles } from '../../src/commands/decision-files.ts';
import { addTest } from '../../src/commands/test.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import { type Mistake, toMistakeText } from '../../src/guardrails/mistake.ts';
import { RULES } from '../../src/rules/index.ts';
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
  return { code: recorded.code(), out: recorded.out(), err: recorded.err() };
};

const mistakesOf = (...args: readonly string[]): readonly string[] => {
  const { code, err } = run(...args, '-o', 'json');
  assert.equal(code, 2);
  return err.trimEnd().split('\n');
};

interface Json {
  readonly passed: number;
  readonly failed: number;
  readonly cases: readonly {
    readonly name: string;
    readonly verdict: string;
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
        rulesOf(`${set}.yaml`).filter((rule) => !found.has(rule)),
        [],
      );
    });

    it(`${set} has a case that is allowed, for each kind of request that its rules are asked about`, () => {
      const { cases } = JSON.parse(run(join(sets, 'tests', `${set}.yaml`), '-o', 'json').out) as Json;
      const text = readFileSync(join(sets, 'tests', `${set}.yaml`), 'utf8');
      const { spec } = parse(text.split(/^---$/m)[0] ?? '') as {
        readonly spec: { readonly cases: readonly { readonly patch?: unknown }[] };
      };
      const allowed = cases.flatMap(({ verdict }, index) =>
        verdict === 'allow' ? [spec.cases[index]?.patch === undefined ? 'create' : 'resize'] : [],
      );
      const asked = rulesOf(`${set}.yaml`).flatMap((id) => RULES.find((rule) => rule.id === id)?.scopes ?? []);
      const wanted = ['create', 'resize'].filter((scope) => asked.some((one) => one === scope));
      assert.deepEqual(
        wanted.filter((scope) => !allowed.includes(scope)),
        [],
      );
    });
  }

  it('is tested when it is there', () => {
    const tests = readdirSync(join(sets, 'tests')).map((file) => basename(file, '.yaml'));
    assert.deepEqual(tests.sort(), SETS);
  });
});

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
      err: '',
      out: `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="podrail">
  <testsuite name="mine" tests="2" failures="1" errors="0" skipped="0">
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
      `${none} holds no PolicyTest`,
      `${missing} does not exist`,
      `${file}:9:24 unknown rule container-sizes; did you mean container-size?`,
      `${file}:10:13 ${missing} does not exist`,
      `${file}:10:24 status must be set`,
      `${file}:14:37 spec.containers[0] must have name, which says which one it changes`,
      `${file}:16:26 ${missing} does not exist`,
      `${other}:13:7 unknown setting expects; did you mean expect?`,
      `${other}:14:12 spec.cases[0].now must be a time such as 2026-11-30T09:00:00Z; it is "today"`,
      `${other}:15:26 spec.cases[0].expect.verdict must be one of allow, deny, warn, fix; it is "refuse"`,
      `${rule}:13:40 unknown rule container-siz; did you mean container-size?`,
    ]);
  });

  it('says every mistake of a case and of its test, whatever else is wrong in them', () => {
    const file = write(
      'hidden.yaml',
      testOf(
        `${CASE}      patch: gone.yaml\n      resized: { spec: { containers: 1 } }\n      patchTypes: json\n      requester: { user: a, serviceAccount: b }\n      expect: { verdict: maybe, rules: [container-siz] }\n`,
        '  baseline: on\n  cluster: [none.yaml]\n',
      ).replace('container-size', 'container-sizes'),
    );
    assert.deepEqual(mistakesOf(file), [
      `${file}:9:24 unknown rule container-sizes; did you mean container-size?`,
      `${file}:10:13 spec.baseline must be one of enforce, warn, audit, off; it is true`,
      `${file}:11:13 ${folder}/none.yaml does not exist`,
      `${file}:13:7 spec.cases[0] must not have both patch and resized; it is {"name":"two cores","pod":{"metadata":{…`,
      `${file}:15:14 ${folder}/gone.yaml does not exist`,
      `${file}:16:38 spec.containers must be a list, not a number`,
      `${file}:17:7 unknown setting patchTypes; did you mean patchType?`,
      `${file}:18:18 spec.cases[0].requester must have a user or a serviceAccount, not both; it is {"user":"a","serviceAccount":"b"}`,
      `${file}:18:45 spec.cases[0].requester.serviceAccount must be namespace/name; it is "b"`,
      `${file}:19:26 spec.cases[0].expect.verdict must be one of allow, deny, warn, fix; it is "maybe"`,
      `${file}:19:41 unknown rule container-siz; did you mean container-size?`,
    ]);
  });

  const broken: readonly (readonly [title: string, broken: string, mistake: string])[] = [
    [
      'a patch of the wrong type',
      `${CASE}      patch: [{ op: replace }]\n      expect: { verdict: deny }\n`,
      '16:14 the patch must be a map such as {"spec": {"containers": […]}}; it is a list, which a patch of type json is',
    ],
    [
      'a patch that leaves no pod',
      `${CASE}      patch: { spec: { containers: 3 } }\n      expect: { verdict: deny }\n`,
      '16:36 spec.containers leaves a pod that Kubernetes cannot read: spec.containers must be a list, not a number',
    ],
    [
      'a JSON Patch that leads nowhere',
      `${CASE}      patch: [{ op: remove, path: /spec/none }]\n      patchType: json\n      expect: { verdict: deny }\n`,
      '16:35 [0].path leads nowhere: the pod has nothing at /spec/none',
    ],
    [
      'a patch in a file that is not there',
      `${CASE}      patch: gone.yaml\n      expect: { verdict: deny }\n`,
      `16:14 ${folder}/gone.yaml does not exist`,
    ],
    [
      'a pod that is none',
      '    - { name: two cores, pod: { spec: { containers: x } }, expect: { verdict: allow } }\n',
      '14:53 spec.containers must be a list, not a string',
    ],
    [
      'no verdict',
      `${CASE}      expect: { rules: [] }\n`,
      '16:15 spec.cases[1].expect.verdict must be set to one of allow, deny, warn, fix',
    ],
    [
      'a setting that there is not',
      `${CASE}      expect: { verdict: deny }\n      expct: 1\n`,
      '17:7 unknown setting expct; did you mean expect?',
    ],
    ['what is no case', '    - 12\n', '14:7 spec.cases[1] must be a map; it is 12'],
  ];
  for (const [title, bad, mistake] of broken) {
    it(`reports a case with ${title} at its place, and runs every other`, () => {
      const good = (verdict: string): string => `${CASE}      expect: { verdict: ${verdict} }\n`;
      const file = write('broken.yaml', testOf(good('deny') + bad + good('allow')));
      const name = bad.includes('two cores') ? 'two cores' : 'case 2';
      const text = run(file);
      assert.equal(text.code, 2);
      assert.deepEqual(
        text.out.split('\n').filter((line) => /^ {2}\S|^\d/.test(line)),
        [
          '  ok      two cores',
          `  ERROR   ${name}`,
          '  FAILED  two cores',
          '1 of 3 cases failed, 1 of 3 cases could not be run',
        ],
      );
      assert.ok(text.out.includes(`\n          ${file}:${mistake}\n`), text.out);
      const json = JSON.parse(run(file, '-o', 'json').out) as {
        readonly errors: number;
        readonly cases: readonly { readonly status: string; readonly mistakes: readonly Mistake[] }[];
      };
      assert.deepEqual(
        [json.errors, json.cases.map(({ status }) => status), json.cases[1]?.mistakes.map(toMistakeText)],
        [1, ['passed', 'error', 'failed'], [`${file}:${mistake}`]],
      );
      const { out, err } = run(file, '-o', 'junit');
      assert.equal(err, `${file}:${mistake}\n`);
      assert.match(out, /<testsuite name="mine" tests="3" failures="1" errors="1" skipped="0">/);
      assert.equal(out.match(/<error /g)?.length, 1);
    });
  }

  it('names the cases that are not run because of what they share', () => {
    const file = write(
      'shared.yaml',
      testOf(`${CASE}      expect: { verdict: deny }\n`).replace('container-size', 'containr-size'),
    );
    const mistake = `${file}:9:24 unknown rule containr-size; did you mean container-size?\n`;
    assert.deepEqual(run(file), {
      code: 2,
      out: `mine (${file})\n  not run two cores\n\n1 of 1 case could not be run\n`,
      err: mistake,
    });
    const { out } = run(file, '-o', 'junit');
    assert.match(out, /<testsuite name="podrail" tests="1" failures="0" errors="1">/);
    assert.match(
      out,
      /<testcase classname="mine" name="two cores" file=".*">\n {6}<skipped message="its test has mistakes"\/>/,
    );
    const good = write('good.yaml', testOf(`${CASE}      expect: { verdict: deny }\n`));
    assert.match(
      run(file, good).out,
      / {2}not run two cores\n\nmine .*\n {2}ok {6}two cores\n\n1 of 2 cases could not be run\n$/,
    );
  });

  it('warns of guardrails and exceptions as check does', () => {
    const exception = (name: string, rule: string): string => `
    - apiVersion: podrail.dev/v1alpha1
      kind: GuardrailException
      metadata: { name: ${name} }
      spec: { guardrail: small, rules: [${rule}], match: {}, reason: why, expires: 2026-01-01T00:00:00Z }`;
    const file = write(
      'warns.yaml',
      testOf(`${CASE}      expect: { verdict: deny }\n`).replace(
        GUARDRAIL,
        GUARDRAIL + exception('old', 'container-size'),
      ),
    );
    const documents = parse(readFileSync(file, 'utf8')) as {
      readonly spec: { readonly guardrails: readonly object[] };
    };
    const alone = write('alone.yaml', documents.spec.guardrails.map((one) => stringify(one)).join('---\n'));
    const expected = readDecisionFiles(createBaseline('enforce'), [alone], [], new Date('2026-11-30T09:00:00Z'));
    const { code, err } = run(file);
    assert.deepEqual(
      [
        code,
        err
          .trimEnd()
          .split('\n')
          .map((line) => line.replace(/^\S+ /, '')),
      ],
      [0, expected.warnings.map((line) => line.replace(/^\S+ /, ''))],
    );
    assert.equal(expected.warnings.length, 1);
  });

  it('wants a case, a guardrail, and one of patch and resized', () => {
    const file = write('empty.yaml', testOf('').replace(GUARDRAIL, ' []').replace('cases:\n', 'cases: []\n'));
    const both = write(
      'both.yaml',
      testOf(`${CASE}      patch: {}\n      resized: { spec: { containers: [] } }\n      expect: { verdict: allow }\n`),
    );
    assert.deepEqual(mistakesOf(file, both), [
      `${file}:5:15 spec.guardrails must name a guardrail; it is []`,
      `${file}:6:10 spec.cases must have a case; it is []`,
      `${both}:11:7 spec.cases[0] must not have both patch and resized; it is {"name":"two cores","pod":{"metadata":{…`,
    ]);
  });
});
