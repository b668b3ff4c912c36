// docs/vpa.md: what the real updater of the Vertical Pod Autoscaler does with podrail's answers to its resizes. The pods are a
// Deployment's, made by the real controllers. Scheduler and kubelet are a stand-in, since the kubelet's pretended runtime ends every resize in an
// error, on which the updater evicts as well.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { startControllerManager } from './controllers.ts';
import { createNode } from './kubelet-stand-in.ts';
import { type NodeStandIn, startNodeStandIn } from './node-stand-in.ts';
import { type AuditLine, type Podrail, registerPodrail, startPodrail } from './podrail.ts';
import { reasonToSkip } from './programs.ts';
import type { Running } from './running.ts';
import { clusterForSuite } from './suite-cluster.ts';
import {
  DEPLOYMENT,
  guardrailsOfScenes,
  PAGE,
  recommendationOf,
  required,
  SCENES,
  SIZED_BY_VPA,
  vpaOf,
} from './vpa-scenes.ts';
import { INTERVAL_MS, reasonToSkipUpdater, startUpdater } from './vpa.ts';

const skip = (await reasonToSkip(['kube-controller-manager'])) || (await reasonToSkipUpdater());

const UPDATER = 'system:serviceaccount:kube-system:vpa-updater';
const NAMESPACES = Object.keys(SCENES);
// So often "again and again" must have been seen, of each of two pods, before it is watched whether it goes on.
const AGAIN = 3;
const WATCHED_INTERVALS = 5;

describe('the VPA updater', { skip }, () => {
  let node: NodeStandIn | undefined;
  // Before the API server is, which it asks without a pause.
  after(() => node?.stop());
  const started = clusterForSuite();
  let cluster: Cluster;
  let podrail: Podrail;
  let updater: Running;

  before(async () => {
    cluster = started();
    const { admin } = cluster;
    await createNode(admin, 'n1', { cpu: '4', memory: '8Gi', pods: '110' });
    // Those that would find that no kubelet stands behind the node.
    startControllerManager(cluster, ['*', '-node-lifecycle-controller', '-taint-eviction-controller']);
    node = await startNodeStandIn(admin, 'n1');
    for (const namespace of NAMESPACES) await admin.must(`kubectl create namespace ${namespace}`);
    const guardrails = join(cluster.place.folder, 'guardrails.yaml');
    await writeFile(guardrails, guardrailsOfScenes());
    podrail = await startPodrail(cluster, ['--guardrails', guardrails]);
    await registerPodrail(cluster, podrail);
    for (const namespace of NAMESPACES) await admin.must(`kubectl apply --namespace ${namespace} -f -`, DEPLOYMENT);
    for (const namespace of NAMESPACES)
      await admin.must(`kubectl rollout status deployment/web --namespace ${namespace} --timeout=60s`);
    updater = await startUpdater(cluster);
    for (const [namespace, scene] of Object.entries(SCENES)) {
      const within = `--namespace ${namespace}`;
      await admin.must(`kubectl apply ${within} -f -`, vpaOf(scene));
      await admin.must(
        `kubectl patch vpa web ${within} --subresource status --type merge --patch '${recommendationOf(scene)}'`,
      );
    }
  });

  const done = async (): Promise<ReadonlyMap<string, Done>> => {
    const events = (await cluster.apiServer.auditEvents()).filter(({ user }) => user.username === UPDATER);
    return new Map(
      NAMESPACES.map((namespace) => {
        const count = (subresource: string, code: number): number =>
          events.filter(
            ({ objectRef, responseStatus }) =>
              objectRef.namespace === namespace &&
              objectRef.subresource === subresource &&
              responseStatus.code === code,
          ).length;
        const [allowed, refused, evicted] = [count('resize', 200), count('resize', 403), count('eviction', 201)];
        return [namespace, { allowed, refused, evicted }];
      }),
    );
  };

  // What the table says of a namespace. How long a slow machine takes until a pod has what it was given is not its business, so
  // what counts is whether the updater goes on.
  const often = (before: number, after: number, what: string): string | undefined =>
    after === 0 ? undefined : `${what}${after === before ? 'once a pod' : 'again and again'}`;
  const rowOf = async (namespace: string, before: Done, { allowed, refused, evicted }: Done): Promise<string> => {
    const scene = SCENES[namespace];
    const resizes = [often(before.allowed, allowed, 'allowed, '), often(before.refused, refused, 'refused, ')].filter(
      (text) => text !== undefined,
    );
    const cells = [
      scene?.podrail,
      scene?.updateMode,
      scene?.recommended,
      resizes.join(' and '),
      evicted === 0 ? 'none' : 'again and again',
      await sizesIn(namespace),
    ];
    return `| ${cells.join(' | ')} |`;
  };
  const sizesIn = async (namespace: string): Promise<string> => {
    const path = '{range .items[*].spec.containers[*].resources}{.requests.cpu}, at most {.limits.cpu}{"\\n"}{end}';
    const sizes = await cluster.admin.must(`kubectl get pods --namespace ${namespace} --output 'jsonpath=${path}'`);
    return [...new Set(sizes.trimEnd().split('\n'))].join(' and ');
  };
  const recordsIn = async (namespace: string): Promise<readonly AuditLine[]> =>
    (await podrail.records()).filter(({ pod }) => (pod as { readonly namespace?: string }).namespace === namespace);

  it('does what the table says', async () => {
    const table = PAGE.split('\n').filter((line) => /^\| (?!podrail )/.test(line));
    const isOver = (all: ReadonlyMap<string, Done>): boolean =>
      [...all].every(([namespace, counts]) =>
        countsOf(counts).every((count, index) => count >= leastOf(table[NAMESPACES.indexOf(namespace)] ?? '', index)),
      );
    while (!isOver(await done())) await sleep(500);
    const before = await done();
    await sleep(WATCHED_INTERVALS * INTERVAL_MS);
    // On a slow machine it looks less often. A test that waits in vain is ended by its time limit.
    while (!goOn(table, before, await done())) await sleep(500);
    await updater.stop();
    const rows = [...(await done())].map(([namespace, counts]) =>
      rowOf(namespace, before.get(namespace) ?? counts, counts),
    );
    assert.deepEqual(await Promise.all(rows), table);
  });

  it('is told why, falls back to eviction, and asks no more where it is told of the node in mode InPlace', async () => {
    const log = await readFile(updater.err, 'utf8');
    for (const words of [
      '"In-place resize failed, falling back to eviction"',
      '"Skipping in-place resize because the previous resize could not be accommodated',
      '[container-size] container "app" must request at most 500m cpu; it requests 700m',
      'must request at most 4 cpu to fit node "n1"; it requests 8',
    ])
      assert.ok(log.includes(words), `the updater's log has no ${words}`);
  });

  it('is recorded by its service account, with the owner of the pod', async () => {
    const decisions = await Promise.all(
      NAMESPACES.map(async (namespace) => {
        const records = (await recordsIn(namespace)) as readonly (AuditLine & Recorded)[];
        return [
          ...new Set(records.map(({ decision, user, pod }) => `${decision} ${user.serviceAccount} ${pod.owner?.kind}`)),
        ];
      }),
    );
    const by = (decision: string): string[] => [`${decision} kube-system/vpa-updater ReplicaSet`];
    assert.deepEqual(decisions, [
      [],
      by('warn'),
      by('deny'),
      by('deny'),
      by('deny'),
      by('deny'),
      by('fix'),
      by('fix'),
      [],
    ]);
  });

  it('alone is given what fits: everybody else is refused what is outside the bounds', async () => {
    const patch = JSON.stringify({
      spec: { containers: [{ name: 'app', resources: { requests: { cpu: '501m' }, limits: { cpu: '1' } } }] },
    });
    const { admin } = cluster;
    const pod = await admin.must(
      'kubectl get pods --namespace team-content --output jsonpath={.items[0].metadata.name}',
    );
    const said = await admin.run(
      `kubectl patch pod ${pod} --namespace team-content --subresource resize --patch '${patch}'`,
    );
    assert.match(
      said.err,
      /denied the request: \[container-size] container "app" must request at most 500m cpu; it requests 501m\n/,
    );
  });

  it('leaves new pods to its webhook, whose size is brought inside the bounds by the guardrails of the page', async () => {
    const [, ...printed] = required('created').split('\n');
    const create = (namespace: string) =>
      cluster.admin.run(`kubectl create --namespace ${namespace} --dry-run=server --filename -`, SIZED_BY_VPA);
    const said = await create('team-content');
    assert.deepEqual(`${said.err}${said.out.replace(' (server dry run)', '')}`.trimEnd().split('\n'), printed);
  });

  it('would have no new pods under a bound that is only enforced', async () => {
    const said = await cluster.admin.run(
      'kubectl create --namespace bounded --dry-run=server --filename -',
      SIZED_BY_VPA,
    );
    assert.match(said.err, /admission webhook "pods.podrail.dev" denied the request: \[container-size] /);
  });
});

interface Done {
  /** By code: the updater's resizes in a namespace, and its evictions. */
  readonly allowed: number;
  readonly refused: number;
  readonly evicted: number;
}

interface Recorded {
  readonly user: { readonly serviceAccount: string | null };
  readonly pod: { readonly owner: { readonly kind: string } | null };
}

/** A namespace's resizes and evictions. */
function countsOf(done: Done | undefined): readonly number[] {
  return done === undefined ? [0, 0] : [done.allowed + done.refused, done.evicted];
}

/** Whether every count has grown that the table says is made again and again. */
function goOn(table: readonly string[], before: ReadonlyMap<string, Done>, now: ReadonlyMap<string, Done>): boolean {
  return NAMESPACES.every((namespace, row) => {
    const earlier = countsOf(before.get(namespace));
    const hasGrown = countsOf(now.get(namespace)).map((count, index) => count > (earlier[index] ?? 0));
    return hasGrown.every((grown, index) => grown || !cellOf(table[row] ?? '', index).endsWith('again and again'));
  });
}

/** What a row says of resizes (0) or evictions (1). */
function cellOf(row: string, index: number): string {
  return row.split(' | ')[3 + index] ?? '';
}

/** How often a row's resizes (0) or evictions (1) must have been seen before it can be judged. */
function leastOf(row: string, index: number): number {
  const cell = cellOf(row, index);
  if (cell.endsWith('again and again')) return 2 * AGAIN;
  return cell === 'none' ? 0 : 2;
}
