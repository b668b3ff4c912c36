// `podrail resize` says beforehand what the API server then says: pods as `kubectl get` gives them, patches of every type, with
// podrail registered, sent by a tenant.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { Command } from 'commander';
import { addResize } from '../../src/commands/resize.ts';
import { parseQuantity } from '../../src/model/quantity.ts';
import type { ResizeReport } from '../../src/trial/resize-report.ts';
import { recordedTerminal } from '../commands/recorded-terminal.ts';
import type { Cluster } from './cluster.ts';
import { createNode, runOn } from './kubelet-stand-in.ts';
import type { Said } from './people.ts';
import { registerPodrail, startPodrail } from './podrail.ts';
import { podsPath, untilCached } from './pods.ts';
import { clusterForSuite } from './suite-cluster.ts';

const GUARDRAIL = {
  apiVersion: 'podrail.dev/v1alpha1',
  kind: 'Guardrail',
  metadata: { name: 'tenants' },
  spec: {
    match: { groups: ['team-blue-devs'] },
    rules: {
      'container-size': { max: { cpu: '2', memory: '2Gi' } },
      'pod-size': { max: { requests: { cpu: '2500m' } }, mode: 'warn' },
      'limit-request-ratio': { cpu: 4, mode: 'fix' },
      'resize-step': { grow: { factor: 4 } },
    },
  },
};
const COOLDOWN = {
  apiVersion: 'podrail.dev/v1alpha1',
  kind: 'Guardrail',
  metadata: { name: 'slowly' },
  spec: { match: { podSelector: { matchLabels: { pace: 'slow' } } }, rules: { 'resize-cooldown': { period: '10m' } } },
};

const resourcesOf = (cpu: string, memory: string, limit = cpu) => ({
  requests: { cpu, memory },
  limits: { cpu: limit, memory },
});
const podOf = (name: string, labels: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels },
  spec: {
    initContainers: [
      { name: 'proxy', image: 'proxy', restartPolicy: 'Always', resources: resourcesOf('100m', '64Mi') },
    ],
    containers: [
      {
        name: 'app',
        image: 'app',
        resources: resourcesOf('500m', '512Mi', '1'),
        resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }],
      },
      { name: 'log', image: 'log', resources: resourcesOf('0.1', '64Mi', '200m') },
    ],
  },
});

type Type = 'strategic' | 'merge' | 'json';
interface Stored {
  readonly spec: {
    readonly containers: readonly {
      readonly name: string;
      readonly resources: Record<string, Record<string, string>>;
    }[];
    readonly initContainers: Stored['spec']['containers'];
  };
}
type Patch = (stored: Stored) => unknown;

const strategic =
  (container: string, resources: object): Patch =>
  () => ({
    spec: { [container === 'proxy' ? 'initContainers' : 'containers']: [{ name: container, resources }] },
  });
// A merge patch replaces the whole list.
const merge =
  (container: string, resources: object): Patch =>
  ({ spec }) => ({
    spec: { containers: spec.containers.map((one) => (one.name === container ? { ...one, resources } : one)) },
  });
const json =
  (...operations: readonly (readonly [op: string, place: string, value?: string])[]): Patch =>
  () =>
    operations.map(([op, place, value]) => ({ op, path: `/spec/containers/0/resources/${place}`, value }));

const CASES: readonly (readonly [title: string, type: Type, patch: Patch])[] = [
  ['a little more, which is allowed', 'strategic', strategic('app', { requests: { cpu: '600m' } })],
  ['more memory, which restarts', 'strategic', strategic('app', resourcesOf('600m', '768Mi', '1'))],
  ['more than a container may have', 'strategic', strategic('app', resourcesOf('2200m', '768Mi', '3'))],
  ['more than the node has', 'strategic', strategic('app', resourcesOf('600m', '64Gi', '1'))],
  ['a slip of the unit', 'strategic', strategic('app', { requests: { cpu: '200Mi' } })],
  ['a large step of the sidecar', 'strategic', strategic('proxy', resourcesOf('450m', '64Mi'))],
  ['a limit that is brought into its ratio', 'strategic', strategic('log', { limits: { cpu: '600m' } })],
  ['a container that is not there', 'strategic', strategic('aap', { requests: { cpu: '1' } })],
  ['a request taken away', 'strategic', strategic('app', { requests: { cpu: null } })],
  ['a whole list with a larger one', 'merge', merge('log', resourcesOf('120m', '64Mi', '240m'))],
  ['a whole list, and too much', 'merge', merge('log', resourcesOf('3', '64Mi', '3'))],
  ['one value replaced', 'json', json(['replace', 'requests/cpu', '700m'])],
  ['two values, one too large', 'json', json(['replace', 'requests/cpu', '800m'], ['replace', 'limits/memory', '4Gi'])],
  ['a value removed', 'json', json(['remove', 'limits/cpu'])],
  [
    'the same in other words',
    'json',
    json(['test', 'requests/memory', '768Mi'], ['replace', 'requests/memory', '805306368']),
  ],
];

describe('podrail resize says what the API server says of', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let guardrails: string;
  const verdicts: boolean[] = [];

  before(async () => {
    cluster = started();
    await createNode(cluster.admin, 'n1', { cpu: '4', memory: '8Gi', pods: '110' });
    guardrails = join(cluster.place.folder, 'guardrails.json');
    await writeFile(guardrails, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [GUARDRAIL, COOLDOWN] }));
    const podrail = await startPodrail(cluster, ['--guardrails', guardrails]);
    await registerPodrail(cluster, podrail);
    for (const pod of [podOf('web'), podOf('slow', { pace: 'slow' })]) {
      await cluster.tenant.must('kubectl create -f -', JSON.stringify(pod));
      await runOn(cluster.admin, 'n1', pod.metadata.name);
    }
  });

  const getPod = (name: string, form: string): Promise<string> =>
    cluster.tenant.must(`kubectl get pod ${name} --show-managed-fields --output ${form}`);

  const foretold = async (name: string, patch: string, type: Type): Promise<ResizeReport> => {
    const recorded = recordedTerminal(await getPod(name, 'yaml'));
    const program = new Command().exitOverride();
    addResize(program, { ...recorded.terminal, now: () => new Date() });
    const snapshot = join(cluster.place.folder, 'snapshot.json');
    const known = ['--cluster', snapshot, '--guardrails', guardrails, '--kubernetes-version', cluster.kubernetes.minor];
    const who = ['--user', 'dev-lee', '--group', 'team-blue-devs'];
    program.parse(['resize', '-', '--patch', patch, '--type', type, ...known, ...who, '-o', 'json'], { from: 'user' });
    return JSON.parse(recorded.out()) as ResizeReport;
  };

  const send = async (name: string, patch: string, type: Type): Promise<Said> => {
    await untilCached(cluster.tenant, podsPath(name));
    return cluster.tenant.run(
      `cat > patch.json; kubectl patch pod ${name} --subresource resize --type ${type} --patch-file patch.json`,
      patch,
    );
  };

  const compare = async (name: string, toPatch: Patch, type: Type): Promise<ResizeReport> => {
    const patch = JSON.stringify(toPatch(JSON.parse(await getPod(name, 'json')) as Stored));
    const report = await foretold(name, patch, type);
    const said = await send(name, patch, type);
    const { allowed, denials, warnings } = report;
    assert.deepEqual(
      {
        allowed: said.code === 0,
        denials: denialsIn(said).map(timeless).toSorted(),
        warnings: warningsIn(said).map(timeless).toSorted(),
      },
      { allowed, denials: denials.map(timeless).toSorted(), warnings: warnings.map(timeless).toSorted() },
      said.err,
    );
    verdicts.push(allowed);
    if (allowed) assertStored(report, JSON.parse(await getPod(name, 'json')) as Stored);
    return report;
  };

  for (const [title, type, patch] of CASES) {
    it(`${title}, as a ${type} patch`, async () => {
      const { passing } = await compare('web', patch, type);
      if (passing === null) return;
      const dryRun = await cluster.tenant.run(
        'cat > patch.json; kubectl patch pod web --subresource resize --dry-run=server --patch-file patch.json',
        JSON.stringify(passing),
      );
      assert.equal(dryRun.code, 0, `what would pass: ${JSON.stringify(passing)}\n${dryRun.err}`);
    });
  }

  it('a second resize too soon, where it is told who wrote which field', async () => {
    const first = await compare('slow', strategic('app', { requests: { cpu: '600m' } }), 'strategic');
    const second = await compare('slow', strategic('app', { requests: { cpu: '700m' } }), 'strategic');
    assert.deepEqual([first.allowed, second.findings.map(({ rule }) => rule)], [true, ['resize-cooldown']]);
  });

  it('resizes of which many are allowed and many refused', () => {
    const allowed = verdicts.filter((one) => one).length;
    assert.ok(allowed >= 5 && verdicts.length - allowed >= 5, `${allowed} of ${verdicts.length}`);
  });
});

/** Every given value is what is stored now. */
function assertStored({ outcome }: ResizeReport, { spec }: Stored): void {
  for (const { container, path, given } of outcome?.values ?? []) {
    const [, list = '', resource = ''] = /resources\.(requests|limits)\[(.+)\]$/.exec(path) ?? [];
    const own = [...spec.containers, ...spec.initContainers].find(({ name }) => name === container);
    const nanos = [own?.resources[list]?.[resource], given].map((text) => parseQuantity(text ?? '').nanos);
    assert.equal(nanos[0], nanos[1], path);
  }
}

function denialsIn({ err }: Said): readonly string[] {
  const said = /denied the request: (.*)$/s.exec(err)?.[1] ?? '';
  return said.split('\n').filter((line) => line !== '' && !line.startsWith('podrail recorded this as '));
}

function warningsIn({ err }: Said): readonly string[] {
  return err.split('\n').flatMap((line) => (line.startsWith('Warning: ') ? line.slice('Warning: '.length) : []));
}

function timeless(line: string): string {
  return line.replace(/that was \S+ ago/, 'that was a moment ago');
}
