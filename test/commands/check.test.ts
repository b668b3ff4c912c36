// `podrail check`: what is read, what is said, how it ends; and input that is not what it should be.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { Command } from 'commander';
import { addCheck } from '../../src/commands/check.ts';
import { UsageError } from '../../src/commands/usage-error.ts';
import { recordedTerminal } from './recorded-terminal.ts';

const root = mkdtempSync(join(tmpdir(), 'podrail-check-'));
after(() => rmSync(root, { recursive: true }));

let count = 0;
/** A new folder with these files. */
function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = join(root, String(count++));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

interface Ran {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

function run(args: readonly string[], input = '', terminal: object = {}): Ran {
  const recorded = recordedTerminal(input);
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addCheck(program, { ...recorded.terminal, ...terminal });
  program.parse(['check', ...args], { from: 'user' });
  return { code: recorded.code(), out: recorded.out(), err: recorded.err() };
}

const pod = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers:\n  - name: app\n    image: x\n${more}`;
const GOOD = pod('good');
const BAD = pod('bad', '    resources: {limits: {cpu: 200Mi}}\n');

/** `place level [rule]` of every finding. */
function found({ out }: Ran): readonly string[] {
  return [...out.matchAll(/^(\S+:\d+:\d+) (\w+) \[([\w-]+)\]/gm)].map(
    ([, place, level, rule]) => `${place} ${level} ${rule}`,
  );
}

function last({ out }: Ran): string {
  return out.trimEnd().split('\n').at(-1) ?? '';
}

describe('podrail check', () => {
  it('ends with 0 where nothing would be refused, although there are warnings', () => {
    const sidecar = pod(
      'web',
      '  initContainers:\n  - name: proxy\n    image: x\n    restartPolicy: Always\n    ports: [{containerPort: 1}]\n',
    );
    const ran = run(['-'], sidecar);
    assert.deepEqual(
      [ran.code, found(ran)],
      [0, ['-:9:5 warning sidecar-has-requests', '-:9:5 warning sidecar-has-startup-probe']],
    );
    assert.equal(last(ran), 'checked 1 pod in 1 file: 0 errors, 2 warnings');
  });

  it('ends with 1 where something would be refused', () => {
    const ran = run(['-'], BAD);
    assert.deepEqual([ran.code, found(ran), ran.err], [1, ['-:8:31 error quantity-plausible'], '']);
  });

  it('reads files, folders to the bottom in the order of names, and standard input', () => {
    const folder = folderOf({
      'b.yml': BAD,
      'a/z.json': '{"apiVersion":"v1","kind":"Pod"}',
      'a/b.yaml': GOOD,
      'c.txt': BAD,
      '.git/x.yaml': BAD,
      'node_modules/x.yaml': BAD,
    });
    const { findings, totals } = JSON.parse(run([folder, '-', '--output', 'json'], BAD).out) as {
      readonly findings: readonly { readonly file: string; readonly rule: string }[];
      readonly totals: { readonly files: number; readonly pods: number };
    };
    assert.deepEqual(
      findings.map(({ file, rule }) => `${file.replace(folder, '')} ${rule}`),
      ['/a/z.json podrail', '/b.yml quantity-plausible', '- quantity-plausible'],
    );
    assert.deepEqual([totals.files, totals.pods], [4, 4]);
  });

  it('points at the field of a template, and at the nearest parent of one that is not there', () => {
    const deployment = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - name: app\n        resources: {limits: {cpu: 2}, requests: {cpu: 3}}\n      initContainers: 7\n`;
    const ran = run(['-'], deployment);
    assert.match(
      ran.out,
      /^-:10:23 error \[podrail\] podrail cannot read this pod: spec\.initContainers must be a list, not a number\n10 \|       initContainers: 7\n {3}\| {23}\^\n {3}= Deployment default\/web, spec\.template\.spec\.initContainers\n/m,
    );
  });

  it('tells of everything that keeps a pod from being read, each at its place', () => {
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: [x]}\nspec:\n  containers:\n  - {name: app, resources: {limits: {cpu: [1]}}}\n  - {name: 7}\n  hostNetwork: maybe\n`;
    const { out } = run(['-'], pod);
    assert.deepEqual(out.match(/^-:.*$/gm), [
      '-:3:21 error [podrail] podrail cannot read this pod: metadata.labels must be a map, not a list',
      '-:6:38 error [podrail] podrail cannot read this pod: spec.containers[0].resources.limits.cpu must be a quantity, not a list',
      '-:7:12 error [podrail] podrail cannot read this pod: spec.containers[1].name must be a string, not a number',
      '-:8:16 error [podrail] podrail cannot read this pod: spec.hostNetwork must be a boolean, not a string',
    ]);
  });

  for (const [what, text, message] of [
    [
      'a Deployment without spec',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\n',
      'spec.template must be set',
    ],
    [
      'a CronJob whose template is a list',
      'apiVersion: batch/v1\nkind: CronJob\nspec: {jobTemplate: {spec: {template: [1]}}}\n',
      'spec.jobTemplate.spec.template must be a map, not a list',
    ],
    ['a Pod without spec', 'apiVersion: v1\nkind: Pod\n', 'spec must be set'],
  ] as const) {
    it(`names the field that keeps ${what} from being read`, () => {
      const { findings } = JSON.parse(run(['-', '--output', 'json'], text).out) as {
        readonly findings: readonly { readonly message: string }[];
      };
      assert.deepEqual(
        findings.map((finding) => finding.message),
        [`podrail cannot read this pod: ${message}`],
      );
    });
  }

  it('judges the pods of a Deployment as those of its controller, and a Pod as the user’s', () => {
    const guardrails = folderOf({
      'g.yaml':
        'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: {name: g}\nspec:\n  match: {users: [dev-*]}\n  rules:\n    resources-required: {requests: [], limits: [memory]}\n',
      'h.yaml':
        'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: {name: h}\nspec:\n  match: {serviceAccounts: [kube-system/replicaset-controller]}\n  rules:\n    resources-required: {requests: [], limits: [cpu]}\n',
    });
    const both = `${GOOD}---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: app}]}}}\n`;
    const rules = (...args: readonly string[]) => found(run(['-', '--guardrails', guardrails, ...args], both));
    assert.deepEqual(rules(), ['-:12:40 error resources-required']);
    assert.deepEqual(rules('--user', 'dev-lee'), [
      '-:6:5 error resources-required',
      '-:12:40 error resources-required',
    ]);
    const groups = folderOf({
      'g.yaml':
        'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: {name: g}\nspec:\n  match: {groups: [b]}\n  rules:\n    resources-required: {requests: [], limits: [memory]}\n',
    });
    assert.deepEqual(found(run(['-', '--guardrails', groups, '--group', 'a', '--group', 'b'], both)), [
      '-:6:5 error resources-required',
    ]);
  });

  it('takes --namespace for what names none, and leaves alone what podrail leaves alone', () => {
    const guardrails = folderOf({
      'g.yaml':
        'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: {name: g}\nspec:\n  match: {namespaces: [blue]}\n  rules:\n    resources-required: {requests: [], limits: [memory]}\n',
    });
    assert.deepEqual(found(run(['-', '--guardrails', guardrails], GOOD)), []);
    assert.deepEqual(found(run(['-', '--guardrails', guardrails, '-n', 'blue'], GOOD)), [
      '-:6:5 error resources-required',
    ]);
    const ran = run(['-', '-n', 'kube-system'], BAD);
    assert.deepEqual(
      [ran.code, last(ran)],
      [0, 'checked 0 pods in 1 file: 0 errors, 0 warnings; 1 pod of namespaces that podrail leaves alone'],
    );
  });

  it('judges by the version and the cluster it is told', () => {
    const never = pod('web', '    restartPolicy: Never\n');
    assert.notDeepEqual(
      found(run(['-', '--kubernetes-version', '1.33'], never)),
      found(run(['-', '--kubernetes-version', '1.37'], never)),
    );
    const guardrails = folderOf({
      'g.yaml':
        'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: {name: g}\nspec:\n  match: {namespaceSelector: {matchLabels: {tier: tenant}}}\n  rules:\n    resources-required: {requests: [], limits: [memory]}\n',
      'c.txt': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: default, labels: {tier: tenant}}\n',
    });
    const args = ['-', '--guardrails', join(guardrails, 'g.yaml')];
    assert.match(
      run(args, GOOD).out,
      /error \[podrail\] guardrail "g" selects namespaces by label, and namespace "default" is not known; --cluster FILE can tell it\n/,
    );
    assert.deepEqual(found(run([...args, '--cluster', join(guardrails, 'c.txt')], GOOD)), [
      '-:6:5 error resources-required',
    ]);
  });

  it('tells what a webhook would repair, and what would only be recorded', () => {
    const guardrails = folderOf({
      'g.yaml':
        'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: {name: g}\nspec:\n  mode: fix\n  rules:\n    container-size: {limits: {max: {cpu: "2"}}}\n    resources-required: {requests: [], limits: [memory], mode: audit}\n',
    });
    const ran = run(['-', '--guardrails', guardrails], pod('web', '    resources: {limits: {cpu: 4}}\n'));
    assert.deepEqual(
      [ran.code, found(ran)],
      [0, ['-:8:5 fixed container-size', '-:8:17 audit resources-required', '-:8:31 fixed container-size']],
    );
    assert.match(ran.out, /it limits it to 4 and is given 2\n/);
  });

  it('explains each rule in SARIF by its page, in words and as Markdown, without marks for our own tools', () => {
    const { runs } = JSON.parse(run(['-', '-o', 'sarif'], BAD).out) as {
      readonly runs: readonly {
        readonly tool: {
          readonly driver: {
            readonly rules: readonly { readonly id: string; readonly help: Readonly<Record<string, string>> }[];
          };
        };
      }[];
    };
    for (const { id, help } of runs[0]?.tool.driver.rules ?? []) {
      assert.match(help['text'] ?? '', new RegExp(`^${id}\n=+\n`));
      assert.match(help['markdown'] ?? '', new RegExp(`^# ${id}\n`));
      assert.doesNotMatch(Object.values(help).join('\n'), /<!--/);
    }
  });

  it('gives values as they are written, without the quotes that a sentence puts around them', () => {
    const { findings } = JSON.parse(
      run(['-', '-o', 'json'], pod('x', '    resources: {limits: {cpu: "2 x"}}\n')).out,
    ) as {
      readonly findings: readonly { readonly actual: string }[];
    };
    assert.deepEqual(
      findings.map(({ actual }) => actual),
      ['2 x'],
    );
  });

  for (const output of ['json', 'sarif', 'junit', 'github']) {
    it(`prints ${output}, and mistakes on standard error as well`, () => {
      const ran = run(['-', '-o', output], `${BAD}---\na: [\n`);
      assert.equal(ran.code, 2);
      assert.match(ran.out, /quantity-plausible/);
      assert.match(ran.err, /^-:11:1 a list in .*\n$/);
    });
  }

  it('shows how far it is on a terminal only, and takes that away before it says something', () => {
    const folder = folderOf({ 'a.yaml': GOOD, 'b.yaml': BAD });
    let clock = 0;
    const now = (): Date => new Date((clock += 1000));
    assert.equal(run([folder], '', { now }).err, '');
    assert.equal(
      run([folder], '', { now, hasProgress: true }).err,
      '\r\u001B[K0 files checked…\r\u001B[K1 files checked…\r\u001B[K',
    );
  });

  it('is in colour where the terminal wants that, and never as a diff', () => {
    assert.ok(run(['-'], BAD, { hasColor: true }).out.includes('\u001B[1;31merror\u001B[0m'));
    assert.ok(!run(['-', '--diff'], BAD, { hasColor: true }).err.includes('\u001B'));
  });
});

describe('podrail check --fix', () => {
  it('writes what the webhook would patch, keeps the mode of the file, and leaves nothing else behind', () => {
    const folder = folderOf({ 'a.yaml': `\uFEFF# mine\n${GOOD}`, 'b.yaml': 'kind: Service\n' });
    chmodSync(join(folder, 'a.yaml'), 0o640);
    symlinkSync('a.yaml', join(folder, 'link.yaml'));
    const before = statSync(join(folder, 'b.yaml')).mtimeMs;
    const ran = run(['--fix', join(folder, 'link.yaml'), join(folder, 'b.yaml')]);
    assert.deepEqual([ran.code, ran.err], [0, `${join(folder, 'link.yaml')} has been fixed\n`]);
    assert.equal(
      readFileSync(join(folder, 'a.yaml'), 'utf8'),
      `\uFEFF# mine\n${GOOD}    resizePolicy:\n    - resourceName: cpu\n      restartPolicy: NotRequired\n    - resourceName: memory\n      restartPolicy: NotRequired\n`,
    );
    assert.equal(statSync(join(folder, 'a.yaml')).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(folder).sort(), ['a.yaml', 'b.yaml', 'link.yaml']);
    assert.equal(statSync(join(folder, 'b.yaml')).mtimeMs, before);
    assert.deepEqual(run(['--fix', folder]).err, '');
  });

  it('tells of what is left where it stands then', () => {
    const folder = folderOf({ 'a.yaml': `${GOOD}---\n${BAD}` });
    assert.deepEqual(found(run(['--fix', folder])), [`${folder}/a.yaml:21:31 error quantity-plausible`]);
  });

  it('says what it changed, where that stands now, and counts it', () => {
    const guardrails = folderOf({
      'g.yaml':
        'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: {name: g}\nspec:\n  mode: fix\n  rules:\n    container-size: {limits: {max: {cpu: "2"}}}\n    resources-required: {requests: [], limits: [memory], mode: audit}\n',
    });
    const large = pod('web', '    resources: {limits: {cpu: 4}}\n');
    const unwritten = large.replace('{cpu: 4}}', '&l {cpu: 4}}\n  x: *l');
    const folder = folderOf({ 'a.yaml': `${large}---\n${large}`, 'b.yaml': `${unwritten}---\n${large}` });
    const ran = run(['--fix', '--guardrails', guardrails, join(folder, 'a.yaml')]);
    const at = (file: string, lines: readonly number[]): readonly string[] =>
      lines.flatMap((line) => [
        `${folder}/${file}:${line}:5 fixed container-size`,
        `${folder}/${file}:${line}:17 audit resources-required`,
        `${folder}/${file}:${line}:31 fixed container-size`,
      ]);
    assert.deepEqual(found(ran), at('a.yaml', [8, 22]));
    assert.match(ran.out, /it limits it to 4 and is given 2\n8 \| {5}resources: \{limits: \{cpu: 2\}/);
    assert.equal(last(ran), 'checked 2 pods in 1 file: 0 errors, 0 warnings, 4 fixed, 2 for the audit log only');
    assert.equal(
      last(run(['--fix', '--guardrails', guardrails, join(folder, 'a.yaml')])),
      'checked 2 pods in 1 file: 0 errors, 0 warnings, 2 for the audit log only',
    );
    const partly = run(['--fix', '--guardrails', guardrails, join(folder, 'b.yaml')]);
    const unfixed = at('b.yaml', [8]).map((one) => one.replace(':31 ', ':34 '));
    assert.deepEqual([partly.code, found(partly)], [2, [...unfixed, ...at('b.yaml', [18])]]);
  });

  it('says what it could not write, and ends with 2', () => {
    const shared = 'x: &x\n  name: app\napiVersion: v1\nkind: Pod\nspec:\n  containers: [*x]\n';
    const folder = folderOf({ 'a.yaml': shared });
    const ran = run(['--fix', folder]);
    assert.equal(ran.code, 2);
    assert.match(
      ran.err,
      /a\.yaml:6:16 cannot be fixed in place: what would be changed is also used elsewhere, through alias \*x; change it by hand\n$/,
    );
    assert.equal(readFileSync(join(folder, 'a.yaml'), 'utf8'), shared);
  });

  it('leaves the document that it cannot write, says where, and writes the others of the file', () => {
    const good = 'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: app\n';
    const shared = 'x: &x\n  name: app\napiVersion: v1\nkind: Pod\nspec:\n  containers: [*x]\n';
    const folder = folderOf({ 'a.yaml': `${good}---\n${shared}` });
    const ran = run(['--fix', folder]);
    assert.match(ran.err, /a\.yaml:12:16 cannot be fixed in place: .*\*x/);
    const [first = '', second] = readFileSync(join(folder, 'a.yaml'), 'utf8').split('---\n');
    assert.deepEqual([first.startsWith(`${good}    resizePolicy:\n`), second, ran.code], [true, shared, 2]);
  });

  it('prints a diff instead with --diff, which changes nothing, and says the rest on standard error', () => {
    const folder = folderOf({ 'a.yaml': BAD });
    const ran = run(['--diff', folder]);
    assert.equal(ran.code, 1);
    assert.match(ran.out, /^--- a\/.*\n\+\+\+ b\/.*\n@@ -6,3 \+6,8 @@\n(?: .*\n){3}(?:\+.*\n){5}$/);
    assert.match(ran.err, /quantity-plausible/);
    assert.equal(readFileSync(join(folder, 'a.yaml'), 'utf8'), BAD);
  });

  const usage: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['-', '--fix'], /--fix writes files, and - is standard input/],
    [['a', '--diff', '-o', 'json'], /--diff prints a diff, and not json/],
    [['a', '--fix', '--diff'], /cannot be used with/],
    [['a', '-o', 'xml'], /Allowed choices are text, json, sarif, junit, github/],
    [[], /missing required argument/],
  ];
  for (const [args, message] of usage)
    it(`refuses ${args.join(' ') || 'nothing'}`, () => assert.throws(() => run(args), message));
});

describe('input that podrail check cannot read', () => {
  it('is told, every mistake at its place, and everything else is checked', () => {
    const folder = folderOf({
      'a.yaml': BAD,
      'binary.yaml': Buffer.concat([Buffer.from('a: b\nc: é\uFFFD'), Buffer.from([0xff, 0xfe])]),
      'broken.json': '{"kind": "Pod",\n "spec": [}',
      'empty.yaml': '',
      'twice.yaml': `${GOOD}---\nkind: Pod\nkind: Pod\n---\n${BAD}`,
      'utf16.yaml': Buffer.from(`\uFEFF${GOOD}`, 'utf16le'),
    });
    symlinkSync('loop.yaml', join(folder, 'loop.yaml'));
    symlinkSync('nowhere', join(folder, 'nowhere.yaml'));
    symlinkSync('.', join(folder, 'again'));
    symlinkSync('.', join(folder, 'again.yaml'));
    const ran = run([folder, join(folder, 'none.yaml')]);
    assert.equal(ran.code, 2);
    assert.deepEqual(
      ran.err.replaceAll(`${folder}/`, '').trimEnd().split('\n'),
      [
        'binary.yaml:2:6 is not UTF-8; save it as UTF-8',
        'broken.json:2:11 a list in [ ] must be closed with ], and each of its lines must be indented by more than the key it belongs to',
        'loop.yaml is a link that leads back to itself',
        'nowhere.yaml does not exist',
        'twice.yaml:10:1 key kind must stand once in its map; it stands twice',
        'utf16.yaml:1:1 is not UTF-8; save it as UTF-8',
        'none.yaml does not exist',
      ].filter((line) => line !== ''),
    );
    assert.deepEqual(
      found(ran).map((line) => line.replace(`${folder}/`, '')),
      ['a.yaml:8:31 error quantity-plausible', 'twice.yaml:19:31 error quantity-plausible'],
    );
  });

  it('may be a folder without manifests, told as a mistake', () => {
    const folder = folderOf({ 'readme.txt': 'x', 'sub/x.md': 'y' });
    assert.deepEqual([run([folder]).code, run([folder]).err], [2, `${folder} holds no .yaml, .yml or .json file\n`]);
  });

  it('may have nothing to check, which is no success', () => {
    const folder = folderOf({ 'empty.yaml': '', 'comments.yaml': '# a\n---\n# b\n', 'values.yaml': 'replicas: 3\n' });
    const nothing = 'holds nothing to check: no document in it is a Kubernetes object\n';
    const empty = [
      [join(folder, 'empty.yaml')],
      [join(folder, 'comments.yaml')],
      [join(folder, 'values.yaml')],
      [folder],
      ['-'],
      [folder, '-'],
    ];
    for (const paths of empty) {
      const { code, err } = run(paths);
      assert.deepEqual([code, err], [2, paths.map((path) => `${path} ${nothing}`).join('')]);
    }
    assert.equal(
      last(run([folder])),
      'checked 0 pods in 3 files: 0 errors, 0 warnings; 1 document that is no Kubernetes object skipped; 1 mistake that kept something from being read',
    );
    const { mistakes } = JSON.parse(run(['-', '-o', 'json'], '').out) as { readonly mistakes: readonly object[] };
    assert.deepEqual(mistakes, [{ file: '-', line: 0, column: 0, message: nothing.trimEnd() }]);
  });

  it('may have objects of other kinds only, which are counted', () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n';
    const summaryOf = (input: string) => [run(['-'], input).code, last(run(['-'], input))];
    assert.deepEqual(summaryOf(`${service}---\n${service}`), [
      0,
      'checked 0 pods in 1 file: 0 errors, 0 warnings; 2 objects of other kinds skipped',
    ]);
    assert.deepEqual(summaryOf('apiVersion: v1\nkind: List\nitems: []\n'), [
      0,
      'checked 0 pods in 1 file: 0 errors, 0 warnings; 1 object of other kinds skipped',
    ]);
    assert.deepEqual(summaryOf(pod('x').replace('{name: x}', '{name: x, namespace: kube-system}')), [
      0,
      'checked 0 pods in 1 file: 0 errors, 0 warnings; 1 pod of namespaces that podrail leaves alone',
    ]);
    assert.deepEqual(summaryOf(`a: b\n---\n${GOOD}`), [
      0,
      'checked 1 pod in 1 file: 0 errors, 0 warnings; 1 document that is no Kubernetes object skipped',
    ]);
  });

  it('may be mistakes in its guardrails, which it cannot do without', () => {
    const folder = folderOf({
      'g.yaml':
        'apiVersion: podrail.dev/v1alpha1\nkind: Guardrail\nmetadata: {name: g}\nspec:\n  rules:\n    nothing: {}\n',
    });
    assert.throws(
      () => run(['-', '--guardrails', folder], GOOD),
      new UsageError(`${folder}/g.yaml:6:5 unknown rule nothing; podrail rules lists those there are`),
    );
  });
});

const project = join(import.meta.dirname, '../..');

/** Writes to a pipe once somebody reads it, at the latest when the test ends. */
function writtenTo(pipe: string, text: string, context: TestContext): Promise<void> {
  context.after(() => closeSync(openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)));
  return writeFile(pipe, text);
}

/** The code and standard error of podrail with these arguments. */
async function ended(args: readonly string[], input: number | 'ignore' = 'ignore') {
  const child = spawn(process.execPath, ['src/main.ts', ...args], { cwd: project, stdio: [input, 'ignore', 'pipe'] });
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, err];
}

describe('podrail check as a process', { timeout: 120_000 }, () => {
  it('ends with its code, and quietly, when its reader has seen enough', async () => {
    const text = Array.from({ length: 3000 }, () => BAD).join('---\n');
    const folder = folderOf({ 'a.yaml': text });
    const child = spawn(process.execPath, ['src/main.ts', 'check', folder], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = (await once(child, 'close')) as [number | null];
    assert.deepEqual([code, err], [1, '']);
  });

  it('reads 100 MB and says what is wrong with them', async () => {
    const folder = folderOf({
      'a.yaml': Buffer.concat([Buffer.from(`${BAD}---\n`), Buffer.alloc(100 * 1024 * 1024, 'a: b\n')]),
    });
    const child = spawn(process.execPath, ['src/main.ts', 'check', folder], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let err = '';
    let out = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    assert.deepEqual(
      [code, err],
      [2, `${folder}/a.yaml:9:1 this document is larger than 16 MiB, which no API server takes; split it\n`],
    );
    assert.match(out, /a\.yaml:8:31 error \[quantity-plausible\]/);
  });

  for (const device of ['/dev/zero', '/dev/full']) {
    it(`ends reading ${device}, which does not end`, async () => {
      assert.deepEqual(await ended(['check', device]), [
        2,
        `${device} gives more than the 256 MiB that are read; split it, or name the right file\n`,
      ]);
    });
  }

  it('ends reading standard input that does not end', async () => {
    const zero = openSync('/dev/zero', 'r');
    assert.deepEqual(await ended(['check', '-'], zero), [
      2,
      '- gives more than the 256 MiB that are read; split it, or name the right file\n',
    ]);
    closeSync(zero);
  });

  it('reads a pipe that has a writer, and does not wait for one that has none', async (context) => {
    const pipe = join(folderOf({}), 'pipe.yaml');
    execFileSync('mkfifo', [pipe]);
    assert.deepEqual(await ended(['check', pipe]), [2, `${pipe} is a pipe that nobody writes to\n`]);
    const written = writtenTo(pipe, BAD, context);
    assert.deepEqual(await ended(['check', pipe]), [1, '']);
    await written;
  });

  it('leaves a pipe one, where --fix would put a file in its place', async (context) => {
    const pipe = join(folderOf({}), 'pipe.yaml');
    execFileSync('mkfifo', [pipe]);
    const written = writtenTo(pipe, GOOD, context);
    assert.deepEqual(await ended(['check', pipe, '--fix']), [2, `${pipe} cannot be written: is no file\n`]);
    await written;
    assert.ok(statSync(pipe).isFIFO());
  });

  it('reads standard input through a pipe, and refuses what is no UTF-8 there', async () => {
    const child = spawn(process.execPath, ['src/main.ts', 'check', '-'], {
      cwd: project,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
    child.stdout.resume();
    child.stdin.end(Buffer.from([0x61, 0xff]));
    const [code] = (await once(child, 'close')) as [number | null];
    assert.deepEqual([code, err], [2, '- is not UTF-8\n']);
  });
});
