// `--fix` as bytes: only what the patch says is added or changed, whatever the file looks like; and the diff that shows it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { checkText } from '../../src/commands/check-text.ts';
import { toUnifiedDiff } from '../../src/manifests/diff.ts';
import { applyEdits } from '../../src/manifests/edited-text.ts';
import { type Fixed, fixManifest } from '../../src/manifests/fix.ts';
import { guardrailsOf, pod, settings } from '../admission/arbitrary-request.ts';
import { contextOf } from '../admission/reviewing.ts';

const folder = mkdtempSync(join(tmpdir(), 'podrail-fix-'));
after(() => rmSync(folder, { recursive: true }));

const MAX = { 'container-size': { max: { cpu: '2', memory: '1Gi' }, min: { memory: '16Mi' } } };

function fixOf(text: string, all: readonly object[] = [MAX]): Fixed {
  const requester = { name: 'dev-lee', groups: [] };
  const context = contextOf({ guardrails: guardrailsOf(all) });
  const { patched } = checkText('a.yaml', text, { ...context, namespace: 'default', requester, now: context.now() });
  return fixManifest(patched);
}

function fixed(text: string, all?: readonly object[]): string {
  const { edits, problems } = fixOf(text, all);
  assert.deepEqual(problems, []);
  return applyEdits(text, edits);
}

/** What `git apply` makes of the diff. */
function applied(text: string, diff: string): string {
  writeFileSync(join(folder, 'a.yaml'), text);
  if (diff !== '') execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: diff });
  return readFileSync(join(folder, 'a.yaml'), 'utf8');
}

const POLICY = (indent: string): string =>
  `${indent}- resourceName: cpu\n${indent}  restartPolicy: NotRequired\n${indent}- resourceName: memory\n${indent}  restartPolicy: NotRequired\n`;
const FLOW =
  'resizePolicy: [{ resourceName: cpu, restartPolicy: NotRequired }, { resourceName: memory, restartPolicy: NotRequired }]';
const HEAD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n';

const cases: readonly (readonly [title: string, before: string, after: string])[] = [
  [
    'behind the resources, and behind the comments that belong to them',
    `# front\n---\n${HEAD}  containers:\n    - name: app   # serves\n      image: "nginx:1" # pinned\n      resources:\n        limits:\n          cpu: 1 # one\n          # memory: 2Gi\n\n        # nothing more\n      # the environment\n      env: []\n`,
    `# front\n---\n${HEAD}  containers:\n    - name: app   # serves\n      image: "nginx:1" # pinned\n      resources:\n        limits:\n          cpu: 1 # one\n          # memory: 2Gi\n\n        # nothing more\n      resizePolicy:\n${POLICY('        ')}      # the environment\n      env: []\n`,
  ],
  [
    'with dashes where the file has them',
    `${HEAD}  containers:\n  - name: app\n    image: x\n    args: [a]`,
    `${HEAD}  containers:\n  - name: app\n    image: x\n    resizePolicy:\n${POLICY('    ')}    args: [a]`,
  ],
  [
    'at the end of a file without a last line end',
    `${HEAD}  containers:\n  - name: app`,
    `${HEAD}  containers:\n  - name: app\n    resizePolicy:\n${POLICY('    ')}`.slice(0, -1),
  ],
  [
    'behind a block scalar',
    `${HEAD}  containers:\n  - command: |\n      a\n      b\n\n  restartPolicy: Never\n`,
    `${HEAD}  containers:\n  - command: |\n      a\n      b\n    resizePolicy:\n${POLICY('    ')}\n  restartPolicy: Never\n`,
  ],
  [
    'in braces',
    `${HEAD}  containers: [{name: app, image: x}] # short\n`,
    `${HEAD}  containers: [{name: app, image: x, ${FLOW}}] # short\n`,
  ],
  [
    'behind the entries that are there',
    `${HEAD}  containers:\n  - name: app\n    resizePolicy:\n    - restartPolicy: RestartContainer # slow\n      resourceName: memory\n`,
    `${HEAD}  containers:\n  - name: app\n    resizePolicy:\n    - restartPolicy: RestartContainer # slow\n      resourceName: memory\n    - resourceName: cpu\n      restartPolicy: NotRequired\n`,
  ],
  [
    'behind the entries that are there, in brackets',
    `${HEAD}  containers:\n  - name: app\n    resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}]\n`,
    `${HEAD}  containers:\n  - name: app\n    resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}, { resourceName: memory, restartPolicy: NotRequired }]\n`,
  ],
  [
    'where an empty list or nothing stands',
    `${HEAD}  containers:\n  - name: app\n    resizePolicy: []\n  - name: b\n    resizePolicy: # none\n  - name: c\n    resizePolicy: ~\n`,
    `${HEAD}  containers:\n  - name: app\n    resizePolicy: [{ resourceName: cpu, restartPolicy: NotRequired }, { resourceName: memory, restartPolicy: NotRequired }]\n  - name: b\n    ${FLOW} # none\n  - name: c\n    ${FLOW}\n`,
  ],
  [
    'another value in the quotes of the old one',
    `${HEAD}  containers:\n  - name: app\n    ${FLOW}\n    resources:\n      limits: {cpu: '4', memory: "8Gi"}\n      requests:\n        cpu: 3     # many\n        memory: 2Gi\n`,
    `${HEAD}  containers:\n  - name: app\n    ${FLOW}\n    resources:\n      limits: {cpu: '2', memory: "1Gi"}\n      requests:\n        cpu: 1500m     # many\n        memory: 256Mi\n`,
  ],
  [
    'another text into a block scalar, whose comments and line ends stay',
    `${HEAD}  containers:\n  - name: app\n    ${FLOW}\n    resources:\n      limits:\n        memory: >- # many\n         3Gi\n        cpu: |-\n          4\n\n      # none\n      requests: {}\n`,
    `${HEAD}  containers:\n  - name: app\n    ${FLOW}\n    resources:\n      limits:\n        memory: >- # many\n         1Gi\n        cpu: |-\n          2\n\n      # none\n      requests: {}\n`,
  ],
  [
    'with every comment where it was, in braces on many lines',
    `${HEAD}  containers: [\n    {\n      name: app,\n      image: x, # last\n    }, # one\n    {\n      name: b, # first\n      args: [a]\n    }, {\n      name: c # first\n    }, { name: d, # first\n      args: [] }, { name: e # first\n      , args: [] } ]\n`,
    `${HEAD}  containers: [\n    {\n      name: app,\n      image: x, # last\n      ${FLOW},\n    }, # one\n    {\n      name: b, # first\n      ${FLOW},\n      args: [a]\n    }, {\n      name: c # first\n      , ${FLOW}\n    }, { name: d, # first\n         ${FLOW},\n      args: [] }, { name: e # first\n                    , ${FLOW}\n      , args: [] } ]\n`,
  ],
  [
    'with every comment where it was, in brackets',
    `${HEAD}  containers:\n  - name: app\n    resizePolicy: [\n      { resourceName: cpu, restartPolicy: NotRequired }, # one\n    ]\n  - name: b\n    resizePolicy: [ # none\n    ]\n`,
    `${HEAD}  containers:\n  - name: app\n    resizePolicy: [\n      { resourceName: cpu, restartPolicy: NotRequired }, # one\n      { resourceName: memory, restartPolicy: NotRequired },\n    ]\n  - name: b\n    resizePolicy: [ # none\n                  { resourceName: cpu, restartPolicy: NotRequired }, { resourceName: memory, restartPolicy: NotRequired }\n    ]\n`,
  ],
  [
    'with the line ends of the file',
    `${HEAD}  containers:\n  - name: app\n    image: x\n  restartPolicy: Never\n`.replaceAll('\n', '\r\n'),
    `${HEAD}  containers:\n  - name: app\n    image: x\n    resizePolicy:\n${POLICY('    ')}  restartPolicy: Never\n`.replaceAll(
      '\n',
      '\r\n',
    ),
  ],
  [
    'in JSON on one line',
    '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"app","resources":{"limits":{"cpu":4}}}]}}\n',
    '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"app","resources":{"limits":{"cpu":"2"}}, "resizePolicy": [ { "resourceName": "cpu", "restartPolicy": "NotRequired" }, { "resourceName": "memory", "restartPolicy": "NotRequired" } ]}]}}\n',
  ],
  [
    'in JSON on many lines',
    '{\n  "kind": "Pod",\n  "apiVersion": "v1",\n  "spec": {\n    "containers": [\n      {\n        "name": "app",\n        "image": "x"\n      }\n    ]\n  }\n}',
    '{\n  "kind": "Pod",\n  "apiVersion": "v1",\n  "spec": {\n    "containers": [\n      {\n        "name": "app",\n        "image": "x",\n        "resizePolicy": [\n          {\n            "resourceName": "cpu",\n            "restartPolicy": "NotRequired"\n          },\n          {\n            "resourceName": "memory",\n            "restartPolicy": "NotRequired"\n          }\n        ]\n      }\n    ]\n  }\n}',
  ],
  [
    'in every document and every kind',
    `kind: Service\napiVersion: v1\n---\napiVersion: batch/v1\nkind: CronJob\nmetadata: {name: n}\nspec:\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          containers:\n          - name: a\n            image: x\n---\n${HEAD}  initContainers:\n    -   name: proxy\n        restartPolicy: Always\n  containers: []\n`,
    `kind: Service\napiVersion: v1\n---\napiVersion: batch/v1\nkind: CronJob\nmetadata: {name: n}\nspec:\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          containers:\n          - name: a\n            image: x\n            resizePolicy:\n${POLICY('            ')}---\n${HEAD}  initContainers:\n    -   name: proxy\n        resizePolicy:\n${POLICY('          ')}        restartPolicy: Always\n  containers: []\n`,
  ],
  [
    'once, where two containers are one through an alias',
    `${HEAD}  containers: [&c {name: app, image: x}, *c]\n`,
    `${HEAD}  containers: [&c {name: app, image: x, ${FLOW}}, *c]\n`,
  ],
  [
    'beside a merge key',
    `x: &x\n  image: x\n${HEAD}  containers:\n  - <<: *x\n    name: app\n`,
    `x: &x\n  image: x\n${HEAD}  containers:\n  - <<: *x\n    name: app\n    resizePolicy:\n${POLICY('    ')}`,
  ],
];

describe('a fix writes', () => {
  for (const [title, before, after] of cases) {
    it(title, () => {
      assert.equal(fixed(before), after);
      assert.equal(fixed(after), after);
      assert.equal(applied(before, toUnifiedDiff('a.yaml', before, fixOf(before).edits)), after);
    });
  }

  it('what is further inside first, where both come behind one line', () => {
    const text = `${HEAD}  containers:\n  - name: app\n    resources:\n      limits:\n        memory: 8Mi\n`;
    const after = `${HEAD}  containers:\n  - name: app\n    resources:\n      limits:\n        memory: 16Mi\n      requests:\n        memory: 8Mi\n    resizePolicy:\n${POLICY('    ')}`;
    assert.equal(fixed(text, [{ 'container-size': { limits: { min: { memory: '16Mi' } } } }]), after);
  });

  const empties = [
    '{"name":"app","resizePolicy":[]}',
    '{}',
    '{"resizePolicy":[ ]}',
    '{"resources":{"limits":{}},"resizePolicy":null}',
  ];
  for (const container of empties) {
    const json = `{"apiVersion":"v1","kind":"Pod","spec":{"containers":[${container}]}}`;
    for (const [where, text] of [
      ['a file', json],
      ['a file on many lines', JSON.stringify(JSON.parse(json), undefined, 2)],
      ['one document of several', `${json}\n${json}\n`],
      ['a document among YAML', `kind: Service\n---\n${json}\n---\nkind: Service\n`],
      ['JSON inside YAML', `# mine\n${HEAD}  containers: [{"name":"b","resizePolicy":[]},${container}]\n`],
    ] as const)
      it(`JSON into ${container}, in ${where}`, () => {
        const after = fixed(text);
        assert.notEqual(after, text);
        for (const [one] of after.matchAll(/\{".*|\{\n[^]*/g)) JSON.parse(`[${one.replace(/\]$/, '')}]`);
        assert.equal(fixed(after), after);
      });
  }

  it('JSON that JSON.parse reads, for any pod that is JSON', () => {
    fc.assert(
      fc.property(pod, settings, fc.constantFrom(undefined, 2, '\t'), fc.boolean(), (object, all, indent, isEmpty) => {
        const { resizePolicy: _left, ...bare } = object.spec.containers[0] as object & { resizePolicy: unknown };
        const container = isEmpty ? { ...bare, resizePolicy: [] } : bare;
        const manifest = {
          apiVersion: 'v1',
          kind: 'Pod',
          ...object,
          spec: { ...object.spec, containers: [container] },
        };
        const once = fixed(JSON.stringify(manifest, undefined, indent), all);
        assert.deepEqual(JSON.parse(fixed(once, all)), JSON.parse(once));
      }),
    );
  });

  for (const [title, containers] of [
    ['a key behind a question mark', '\n  - ? name\n    : app\n'],
    ['a map without braces', ' [ name: app ]\n'],
  ] as const)
    it(`nothing at ${title}, and says that nothing else may change`, () => {
      assert.deepEqual(fixOf(`${HEAD}  containers:${containers}`), {
        edits: [],
        problems: [
          {
            offset: 0,
            message:
              'cannot be fixed in place: it cannot be written without changing something else; change it by hand',
          },
        ],
      });
    });

  it('nothing where a value is shared through an alias with something that stays', () => {
    const text = `${HEAD}  containers:\n  - name: app\n    env: [{name: MEMORY, value: &m 4Gi}]\n    ${FLOW}\n    resources: {limits: {memory: *m, cpu: 1}}\n`;
    assert.equal(fixed(text), text.replace('*m', '1Gi'));
    const shared = text
      .replace('{memory: *m, cpu: 1}', '{memory: 4Gi, cpu: 1}')
      .replace('containers:', 'x: &l {memory: 4Gi}\n  containers:');
    const merged = shared
      .replace('{memory: 4Gi, cpu: 1}', '{<<: *l, cpu: 1}')
      .replace('env: [{name: MEMORY, value: &m 4Gi}]', 'y: *l');
    const { edits, problems } = fixOf(merged);
    assert.deepEqual(
      edits.map(({ text: written }) => written),
      [', memory: 1Gi'],
    );
    assert.deepEqual(problems, []);
    const whole = merged.replace('{<<: *l, cpu: 1}', '*l');
    assert.deepEqual(fixOf(whole).edits, []);
    assert.match(
      fixOf(whole).problems[0]?.message ?? '',
      /^cannot be fixed in place: .*through alias \*l; change it by hand$/,
    );
  });

  it('what says the same as the webhook’s patch, for any pod in any style, and a second time nothing', () => {
    const style = fc.record({
      indentSeq: fc.boolean(),
      indent: fc.constantFrom(2, 4),
      defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const, 'QUOTE_SINGLE' as const),
      collectionStyle: fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
      lineWidth: fc.constantFrom(0, 40),
    });
    fc.assert(
      fc.property(pod, settings, style, fc.boolean(), (object, all, options, isJson) => {
        const { resizePolicy: _left, ...bare } = object.spec.containers[0] as object & { resizePolicy: unknown };
        const manifest = { apiVersion: 'v1', kind: 'Pod', ...object, spec: { ...object.spec, containers: [bare] } };
        const text = isJson ? JSON.stringify(manifest, undefined, options.indent) : stringify(manifest, options);
        const once = fixed(text, all);
        assert.equal(fixed(once, all), once);
      }),
    );
  });
});

describe('the diff', () => {
  it('is what git applies, whatever the edits', () => {
    const line = fc.constantFrom('a', 'b', '', '  c');
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(), fc.nat(4), fc.constantFrom('', 'x', 'x\ny', '\nz', '\nz\n')), { maxLength: 4 }),
        (lines, hasEnd, places) => {
          const text = lines.join('\n') + (hasEnd ? '\n' : '');
          if (text === '') return;
          let last = 0;
          const edits = places
            .map(([at, length, replacement]) => ({ at: at % (text.length + 1), length, replacement }))
            .sort((a, b) => a.at - b.at)
            .flatMap(({ at, length, replacement }) => {
              if (at < last) return [];
              const end = Math.min(text.length, at + length);
              last = end + 1;
              return [{ start: at, end, text: replacement }];
            });
          const wanted = applyEdits(text, edits);
          if (wanted === '') return;
          assert.equal(applied(text, toUnifiedDiff('a.yaml', text, edits)), wanted);
        },
      ),
      { numRuns: 60 },
    );
  });
});
