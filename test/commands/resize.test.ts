// `podrail resize`: what it says of the example pod, and what it cannot read.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Command } from 'commander';
import { addResize } from '../../src/commands/resize.ts';
import { UsageError } from '../../src/commands/usage-error.ts';
import type { ResizeReport } from '../../src/trial/resize-report.ts';
import { recordedTerminal } from './recorded-terminal.ts';

const examples = join(import.meta.dirname, '../../examples');
const POD = join(examples, 'pods/nginx.yaml');
const CLUSTER = ['--cluster', join(examples, 'cluster.yaml')];

const folder = mkdtempSync(join(tmpdir(), 'podrail-resize-'));
after(() => rmSync(folder, { recursive: true }));
/** The head of a guardrail. */
const TENANTS = `apiVersion: podrail.dev/v1alpha1
kind: Guardrail
metadata: { name: tenants }
`;

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const run = (args: readonly string[], input = '') => {
  const recorded = recordedTerminal(input);
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addResize(program, recorded.terminal);
  program.parse(['resize', ...args], { from: 'user' });
  return { code: recorded.code(), out: recorded.out(), err: recorded.err() };
};

const reported = (args: readonly string[]): ResizeReport =>
  JSON.parse(run([...args, '-o', 'json']).out) as ResizeReport;

/** A patch of the container of the example pod. */
const patchOf = (resources: object): string => JSON.stringify({ spec: { containers: [{ name: 'nginx', resources }] } });
const cpu = (request: string, limit?: string): string =>
  patchOf({ requests: { cpu: request }, ...(limit === undefined ? {} : { limits: { cpu: limit } }) });

describe('podrail resize', () => {
  it('allows what fits, and says what changes', () => {
    assert.deepEqual(run([POD, '--patch', cpu('200m'), ...CLUSTER]), {
      code: 0,
      out: `allowed: resize of pod default/nginx on node "worker-1", Kubernetes 1.37

changes       container "nginx" requests[cpu]: 100m -> 200m
restarts      nothing
fits          node "worker-1" now
`,
      err: '',
    });
  });

  it('refuses in the words of the cluster, and names what would pass', () => {
    assert.deepEqual(run([POD, '--patch', cpu('64', '64'), ...CLUSTER]), {
      code: 1,
      out: `refused: resize of pod default/nginx on node "worker-1", Kubernetes 1.37
  [resize-within-node] pod "nginx" must request at most 3920m cpu to fit node "worker-1"; it requests 64

changes       container "nginx" requests[cpu]: 100m -> 64
              container "nginx" limits[cpu]: 300m -> 64
would restart nothing
fits          node "worker-1" never

This would pass:
  kubectl patch pod nginx -n default --subresource resize --patch '{"spec":{"containers":[{"name":"nginx","resources":{"requests":{"cpu":"3920m"},"limits":{"cpu":"64"}}}]}}'
`,
      err: '',
    });
  });

  it('says which containers restart', () => {
    const { outcome } = reported([POD, '--patch', patchOf({ requests: { memory: '600Mi' } }), ...CLUSTER]);
    assert.deepEqual(outcome?.restarts, [{ container: 'nginx', resources: ['memory'] }]);
  });

  const fits: readonly (readonly [string, string, readonly string[]])[] = [
    ['now', cpu('200m'), CLUSTER],
    ['later', cpu('2500m', '3'), CLUSTER],
    ['never', cpu('64', '64'), CLUSTER],
    ['unknown', cpu('200m'), []],
  ];
  for (const [state, patch, cluster] of fits) {
    it(`says of a fit that it is ${state}`, () => {
      const { outcome } = reported([POD, '--patch', patch, ...cluster]);
      assert.deepEqual([outcome?.fits.state, outcome?.fits.node], [state, 'worker-1']);
    });
  }

  it('says of a manifest, which is on no node, what would restart once it runs, and that nobody knows whether it fits', () => {
    const pod = write('manifest.yaml', readFileSync(POD, 'utf8').replace(/^ +nodeName: .*\n/m, ''));
    const asked = [pod, '--patch', patchOf({ requests: { cpu: '200m', memory: '600Mi' } })];
    const { outcome } = reported(asked);
    assert.deepEqual(
      [outcome?.restarts, outcome?.restartsOnceRunning, outcome?.fits],
      [[], [{ container: 'nginx', resources: ['memory'] }], { state: 'unscheduled', node: null, reasons: [] }],
    );
    assert.match(
      run(asked).out,
      /\nrestarts {6}nothing, since the pod is on no node yet; once it runs: "nginx" \(memory\)\nfits {10}no node yet: the pod has no spec\.nodeName, so nobody knows whether it fits\n$/,
    );
    assert.match(run([pod, '--patch', cpu('200m')]).out, /; once it runs: nothing\n/);
    assert.equal(reported([POD, '--patch', cpu('200m')]).outcome?.restartsOnceRunning, null);
  });

  const NOTHING = 'the patch changes nothing: what a resize takes of it is stored already';
  it('says that a patch changes nothing', () => {
    assert.match(
      run([POD, '--patch', cpu('0.1'), ...CLUSTER]).out,
      /\n {2}note: the patch changes nothing: .*\n\nchanges {3}nothing\n$/,
    );
    assert.deepEqual(reported([POD, '--patch', '{}']).notes, [NOTHING]);
  });

  it('does not say so of a patch that changes resizePolicy alone', () => {
    const policy = { name: 'nginx', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] };
    const { notes } = reported([POD, '--patch', JSON.stringify({ spec: { containers: [policy] } })]);
    assert.deepEqual(notes, []);
  });

  const inContainer = (fields: object): string =>
    JSON.stringify({ spec: { containers: [{ name: 'nginx', ...fields }] } });
  const unknown: readonly (readonly [patch: string, type: string, note: string])[] = [
    ['{"spce":{}}', 'strategic', '"spce"; did you mean spec?'],
    ['{"spec":{"contaners":[{"name":"nginx"}]}}', 'strategic', '"spec.contaners"; did you mean containers?'],
    ['{"spec":{"contaners":[{"name":"nginx"}]}}', 'merge', '"spec.contaners"; did you mean containers?'],
    [inContainer({ resource: {} }), 'strategic', '"spec.containers[0].resource"; did you mean resources?'],
    [inContainer({ Resources: {} }), 'strategic', '"spec.containers[0].Resources"; did you mean resources?'],
    [
      inContainer({ resources: { request: {} } }),
      'strategic',
      '"spec.containers[0].resources.request"; did you mean requests?',
    ],
    ['{"spec":{"resources":{"limit":{}}}}', 'strategic', '"spec.resources.limit"; did you mean limits?'],
    [
      '[{"op":"add","path":"/spec/containers/0/resource","value":{}}]',
      'json',
      '"spec.containers[0].resource"; did you mean resources?',
    ],
    ['{"spec":{"sizes":{}}}', 'strategic', '"spec.sizes"'],
  ];
  for (const [patch, type, note] of unknown) {
    it(`names the field that Kubernetes does not know in ${patch} of type ${type}`, () => {
      const { notes } = reported([POD, '-p', patch, '--type', type]);
      const drops = notes.filter((one) => one !== NOTHING);
      assert.deepEqual(drops, [`Kubernetes drops the unknown field ${note}`]);
    });
  }

  it('says nothing of an unknown field that the pod has already', () => {
    const pod = write('odd.yaml', readFileSync(POD, 'utf8').replace('spec:\n', 'spec:\n  odd: 1\n'));
    assert.deepEqual(reported([pod, '-p', cpu('200m'), ...CLUSTER]).notes, []);
  });

  it('says in one line that a guardrail needs to know the namespace, and how to tell it', () => {
    const own = write(
      'selector.yaml',
      `${TENANTS}spec: { match: { namespaceSelector: { matchLabels: { tier: gold } } }, rules: { container-size: { max: { cpu: "4" } } } }
`,
    );
    const why = 'guardrail "tenants" selects namespaces by label, and namespace "default" is not known';
    const { code, out, err } = run([POD, '-p', cpu('200m'), '--guardrails', own]);
    assert.deepEqual([code, out.split('\n')[1], err], [1, `  ${why}`, `podrail: ${why}; --cluster FILE can tell it\n`]);
  });

  it('shows what mode fix gives instead of what was asked', () => {
    const guardrails = ['--guardrails', join(examples, 'guardrails/vpa-managed.yaml')];
    const pod = write('api.yaml', readFileSync(POD, 'utf8').replace('namespace: default', 'namespace: apps-shop'));
    const asked = [pod, '--patch', cpu('2', '8'), ...guardrails];
    const updater = ['--service-account', 'kube-system/vpa-updater'];
    const { allowed, outcome } = reported([...asked, ...updater]);
    assert.deepEqual(
      [allowed, outcome?.values.map(({ path, asked: wanted, given }) => [path, wanted, given])],
      [
        true,
        [
          ['spec.containers[0].resources.requests[cpu]', '2', '2'],
          ['spec.containers[0].resources.limits[cpu]', '8', '4'],
        ],
      ],
    );
    assert.match(
      run([...asked, ...updater]).out,
      /^allowed, with other values: .*limits\[cpu\]: 300m -> 8, given 4\n/s,
    );
    assert.equal(reported([...asked, '--user', 'dev-lee']).allowed, false);
  });

  it('leaves the namespaces alone that podrail does not judge', () => {
    const pod = write('system.yaml', readFileSync(POD, 'utf8').replace('namespace: default', 'namespace: kube-system'));
    const { allowed, outcome, notes } = reported([pod, '--patch', cpu('64', '64'), ...CLUSTER]);
    assert.deepEqual(
      [allowed, outcome, notes],
      [true, undefined, ['podrail judges nothing in this namespace, or of this requester']],
    );
  });

  it('judges by the version and the moment it is told', () => {
    const lowered = patchOf({ requests: { memory: '100Mi' }, limits: { memory: '512Mi' } });
    const text = readFileSync(POD, 'utf8').replace('restartPolicy: RestartContainer', 'restartPolicy: NotRequired');
    const pod = write('lowered.yaml', text);
    const codes = ['1.33', '1.34'].map((version) => run([pod, '-p', lowered, '--kubernetes-version', version]).code);
    assert.deepEqual(codes, [1, 0]);
  });

  it('reads a pod from standard input, from a list, and a patch from a file', () => {
    const text = readFileSync(POD, 'utf8');
    const list = JSON.stringify({ kind: 'List', apiVersion: 'v1', items: [] }).replace('[]', '[%]');
    const json = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'nginx' },
      spec: { containers: [{ name: 'nginx' }] },
    });
    const patch = write('patch.yaml', 'spec:\n  containers:\n    - name: nginx\n      image: nginx:2\n');
    assert.deepEqual(
      [run(['-', '-p', patch], text).code, run(['-', '-p', patch], list.replace('%', json)).code],
      [0, 0],
    );
  });

  it('reads a patch of each type', () => {
    const json = '[{"op":"replace","path":"/spec/containers/0/resources/requests/cpu","value":"200m"}]';
    const merge =
      '{"spec":{"containers":[{"name":"nginx","image":"nginx","resources":{"requests":{"cpu":"200m","memory":"500Mi"},"limits":{"cpu":"300m","memory":"1Gi"}}}]}}';
    const values = [
      ['json', json],
      ['merge', merge],
      ['strategic', cpu('200m')],
    ].map(([type = '', patch = '']) =>
      reported([POD, '--type', type, '-p', patch]).outcome?.values.map(({ given }) => given),
    );
    assert.deepEqual(values, [['200m'], ['200m'], ['200m']]);
  });

  const asText: readonly (readonly [title: string, patch: string, type: string])[] = [
    ['a list in YAML', '- {op: replace, path: /spec/containers/0/resources/requests/cpu, value: 200m}', 'json'],
    [
      'a list in YAML, a key first',
      '- op: replace\n  path: /spec/containers/0/resources/requests/cpu\n  value: 200m',
      'json',
    ],
    [
      'a list in YAML, further in',
      '  - {op: replace, path: /spec/containers/0/resources/requests/cpu, value: 200m}',
      'json',
    ],
    ['a list in JSON', '[{"op":"replace","path":"/spec/containers/0/resources/requests/cpu","value":"200m"}]', 'json'],
    ['a map in JSON', cpu('200m'), 'strategic'],
    [
      'a map in YAML on one line',
      'spec: {containers: [{name: nginx, resources: {requests: {cpu: 200m}}}]}',
      'strategic',
    ],
    [
      'a map in YAML, its key in quotes',
      '"spec": {containers: [{name: nginx, resources: {requests: {cpu: 200m}}}]}',
      'strategic',
    ],
  ];
  for (const [title, patch, type] of asText) {
    for (const flag of ['--patch', '-p', '--patch=']) {
      it(`takes ${title} as the patch itself behind ${flag}`, () => {
        const given = flag.endsWith('=') ? [flag + patch] : [flag, patch];
        assert.deepEqual(
          reported([POD, ...given, '--type', type]).outcome?.values.map(({ path, asked }) => `${path} ${asked}`),
          ['spec.containers[0].resources.requests[cpu] 200m'],
        );
      });
    }
  }

  it('names the container that a patch probably means', () => {
    const { allowed, notes } = reported([POD, '-p', cpu('1').replace('"nginx"', '"ngnix"')]);
    assert.deepEqual([allowed, notes], [false, ['the pod has no "ngnix" in containers; did you mean "nginx"?']]);
  });

  it('shows the sums behind the verdict', () => {
    const { out } = run([POD, '-p', cpu('2500m', '3'), ...CLUSTER, '--explain']);
    assert.match(out, /free for this pod {21}= {5}2020m\n {2}2500m is more than the 2020m that is free\n/);
    const { sums } = JSON.parse(run([POD, '-p', cpu('200m'), '--explain', '-o', 'json']).out) as {
      readonly sums: readonly { readonly title: string; readonly terms: readonly object[] }[];
    };
    assert.deepEqual(sums[0], {
      title: 'cpu requests',
      terms: [
        { sign: ' ', label: 'container "nginx"', amount: '200m', note: 'was 100m' },
        { sign: '=', label: 'pod "nginx"', amount: '200m', note: '' },
      ],
    });
  });

  it('shows how each rule comes to its bound, kept or not, and names who fills a budget', () => {
    const guardrail = write(
      'sums.yaml',
      `${TENANTS}spec:
  rules:
    container-size: { max: { memory: 4Gi } }
    pod-size: { max: { requests: { cpu: "2" } } }
    limit-request-ratio: { cpu: 4 }
    resize-step: { grow: { factor: 2, amount: { cpu: 500m } } }
    resize-cooldown: { period: 10m }
    namespace-budget: { requests: { cpu: 350m } }
`,
    );
    const time = '2026-11-30T08:55:00Z';
    const resized = `managedFields: [{ manager: kubectl, operation: Update, subresource: resize, time: "${time}" }]\n  name: nginx`;
    const pod = write('resized.yaml', readFileSync(POD, 'utf8').replace('name: nginx', resized));
    const { out } = run([pod, '-p', cpu('250m'), ...CLUSTER, '--guardrails', guardrail, '--explain']);
    assert.equal(
      out.slice(out.indexOf('[resize-step] cpu')),
      `[resize-step] cpu requests of container "nginx" in one step, guardrail "tenants"
  stored                                                  100m
  factor                                ×                    2
  at most                               =                 200m
  stored                                                  100m
  amount                                +                 500m
  at most                               =                 600m
  asked                                                   250m
  250m is more than 200m

[resize-cooldown] time since the last resize, guardrail "tenants"
  last resize                             2026-11-30T08:55:00Z
  period                                +                  10m
  next resize from                      = 2026-11-30T09:05:00Z
  now it is 2026-11-30T09:00:00Z, 5m too early

[pod-size] cpu requests of pod "nginx" in all, guardrail "tenants"
  pod "nginx"                                             250m  was 100m
  at most                                                    2
  250m is within 2

[limit-request-ratio] cpu limit of container "nginx", guardrail "tenants"
  request                                                 250m  was 100m
  ratio                                 ×                    4
  limit at most                         =                    1
  limit asked                                             300m
  300m is within 1

[namespace-budget] cpu requests in namespace "default", guardrail "tenants"
  pod "nginx"                                             250m  was 100m
  default/test-wordpress-pod            +                 100m
  default/test-pod                      +                  50m
  the namespace                         =                 400m
  its budget                                              350m
  400m is more than 350m
`,
    );
  });

  it('shows a factor as the plain number that it is', () => {
    const own = write(
      'factors.yaml',
      `${TENANTS}spec: { rules: { resize-step: { grow: { factor: 1.5 }, shrink: { factor: 10 } }, limit-request-ratio: { cpu: 3.3333 } } }
`,
    );
    const asked = [POD, '-p', cpu('120m', '200m'), ...CLUSTER, '--guardrails', own, '--explain'];
    const { out } = run(asked);
    assert.deepEqual(
      out.match(/[×÷] +\S+/g)?.map((row) => row.replace(/ +/, ' ')),
      ['× 1.5', '÷ 10', '× 3.3333'],
    );
    const { sums } = JSON.parse(run([...asked, '-o', 'json']).out) as {
      readonly sums: readonly { readonly terms: readonly { readonly sign: string; readonly amount: string }[] }[];
    };
    const factors = sums.flatMap(({ terms }) => terms).filter(({ sign }) => sign === '×' || sign === '÷');
    assert.deepEqual(
      factors.map(({ amount }) => amount),
      ['1.5', '10', '3.3333'],
    );
  });

  it('shows no sums of containers and rules that a guardrail or an exception leaves out', () => {
    const guardrail = `${TENANTS}spec:
  rules: { container-size: { max: { cpu: "4" } } }
`;
    const exception = (match: string): string => `---
apiVersion: podrail.dev/v1alpha1
kind: GuardrailException
metadata: { name: own }
spec: { guardrail: tenants, rules: [container-size], match: ${match}, reason: why, expires: 2027-01-01T00:00:00Z }
`;
    const isExplained = (text: string): boolean =>
      run([POD, '-p', cpu('200m'), '--guardrails', write('left-out.yaml', text), '--explain']).out.includes(
        '[container-size] cpu requests of container "nginx"',
      );
    assert.equal(isExplained(guardrail), true);
    assert.equal(isExplained(`${guardrail}  exclude: { containers: [nginx] }\n`), false);
    assert.equal(isExplained(`${guardrail}  exclude: { containers: [other] }\n`), true);
    assert.equal(isExplained(guardrail + exception('{ namespaces: [default] }')), false);
    assert.equal(isExplained(guardrail + exception('{ containers: [nginx] }')), false);
  });

  describe('cannot read', () => {
    const DEPLOYMENT = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\n';
    const TWO = 'apiVersion: v1\nkind: Pod\nspec: { containers: [] }\n---\nkind: Pod\n';
    const wanted = 'must be a Pod, such as kubectl get pod NAME -o yaml gives';
    const pods: readonly (readonly [string, string, string])[] = [
      ['a workload', DEPLOYMENT, `-:2:7 ${wanted}; it is apps/v1 Deployment`],
      ['two pods', TWO, '-:5:1 must be the only one; it is one of 2: give one pod'],
      ['no pod', '# nothing\n', `- holds nothing; it ${wanted}`],
      ['a text', 'web', `-:1:1 ${wanted}; it is a string`],
      ['a map that is none', 'a: 1', `-:1:1 ${wanted}; it has no kind`],
      ['a pod without containers', 'apiVersion: v1\nkind: Pod\nspec: {}\n', '-:3:7 spec.containers must be set'],
      ['broken YAML', 'a: [', '-:1:5 '],
    ];
    for (const [title, text, line] of pods) {
      it(`${title} as a pod`, () => {
        const [first, ...others] = mistakesOf(['-', '-p', '{}'], text);
        assert.ok(first?.startsWith(line), first);
        assert.deepEqual(others, []);
      });
    }

    const patches: readonly (readonly [title: string, patch: string, type: string, line: string])[] = [
      [
        'a list as a strategic patch',
        '[]',
        'strategic',
        '1:1 the patch must be a map such as {"spec": {"containers": […]}}; it is a list, which a patch of type json is',
      ],
      [
        'a map as a JSON patch',
        '{}',
        'json',
        '1:1 the patch must be a list of operations, since its type is json; it is a map',
      ],
      [
        'a container without a name',
        '{"spec":{"containers":[{"image":"a"}]}}',
        'strategic',
        '1:24 spec.containers[0] must have name, which says which one it changes',
      ],
      [
        'containers that are a map',
        '{"spec":{"containers":{}}}',
        'strategic',
        '1:23 spec.containers leaves a pod that Kubernetes cannot read: spec.containers must be a list, not a map',
      ],
      [
        'resources that are no quantity',
        '{"spec":{"containers":[{"name":"nginx","resources":{"limits":{"cpu":[]}}}]}}',
        'strategic',
        '1:69 spec.containers[0].resources.limits.cpu leaves a pod that Kubernetes cannot read: spec.containers[0].resources.limits.cpu must be a quantity, not a list',
      ],
      ['another name', 'metadata: { name: web }', 'strategic', '1:19 metadata.name must stay "nginx"; it is "web"'],
      [
        'an unknown directive',
        '{"spec":{"$retainKeys":[]}}',
        'strategic',
        '1:24 spec.$retainKeys is a directive that no field of a resize has',
      ],
      [
        'an operation on nothing',
        '[{"op":"remove","path":"/spec/nothing"}]',
        'json',
        '1:24 [0].path leads nowhere: the pod has nothing at /spec/nothing',
      ],
      [
        'an unknown operation',
        '[{"op":"set","path":"/spec"}]',
        'json',
        '1:8 [0].op must be one of add, remove, replace, move, copy, test; it is "set"',
      ],
      [
        'a test that fails',
        '[{"op":"test","path":"/spec/nodeName","value":"n2"}]',
        'json',
        '1:47 [0].value is not what stands at /spec/nodeName, so the test fails',
      ],
      ['two documents', '{}\n---\n{}', 'strategic', '3:1 must not be here: a patch is one document'],
    ];
    for (const [title, patch, type, line] of patches) {
      it(title, () => assert.deepEqual(mistakesOf([POD, '-p', patch, '--type', type]), [`--patch:${line}`]));
    }

    it('a pod and a patch that are both wrong, and says both', () => {
      const patch = write('broken.yaml', 'a: [');
      const lines = mistakesOf(['-', '-p', patch], DEPLOYMENT).map((line) => line.split(' ')[0]);
      assert.deepEqual(lines, ['-:2:7', `${patch}:1:5`]);
    });

    it('files that are not there', () => {
      const none = join(folder, 'none.yaml');
      assert.deepEqual(mistakesOf([none, '-p', '{}']), [`${none} does not exist`]);
      assert.deepEqual(mistakesOf([POD, '-p', none]), [`${none} does not exist`]);
    });

    it('standard input twice, or two requesters', () => {
      assert.deepEqual(mistakesOf(['-', '-p', '-']), ['podrail: the pod and the patch cannot both be standard input']);
      const two = [POD, '-p', '{}', '--user', 'a', '--service-account', 'b/c'];
      assert.deepEqual(mistakesOf(two), ['podrail: --user and --service-account cannot both ask']);
    });

    const flags: readonly (readonly [readonly string[], RegExp])[] = [
      [['--type', 'apply'], /Allowed choices are strategic, merge, json/],
      [['--service-account', 'vpa-updater'], /It must be NAMESPACE\/NAME, such as kube-system\/vpa-updater/],
      [['--output', 'yaml'], /Allowed choices are text, json/],
    ];
    for (const [args, message] of flags) {
      it(args.join(' '), () => assert.throws(() => run([POD, '-p', '{}', ...args]), message));
    }
  });
});

function mistakesOf(args: readonly string[], input?: string): readonly string[] {
  try {
    run(args, input);
  } catch (error) {
    if (error instanceof UsageError) return error.lines;
    throw error;
  }
  return [];
}
