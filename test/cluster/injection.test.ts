// What podrail writes into pods on a real API server: entries of resizePolicy beside webhooks that add sidecars before and
// after it, once and not twice; and on a resize nothing, save in mode fix, and then only resources.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ask } from './api-client.ts';
import type { Cluster } from './cluster.ts';
import { createPod, podsPath, resizePod } from './pods.ts';
import { registerPodrail, startPodrail } from './podrail.ts';
import { startSidecarInjector, type Turn } from './sidecar-injector.ts';
import { clusterForSuite } from './suite-cluster.ts';
import { startTap, type Tap } from './tap.ts';
import type { RunningWebhook } from './webhook-server.ts';

const BOTH = ['cpu', 'memory'].map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' }));
const BOUNDED = {
  apiVersion: 'podrail.dev/v1alpha1',
  kind: 'Guardrail',
  metadata: { name: 'shaped' },
  spec: {
    mode: 'fix',
    match: { podSelector: { matchLabels: { shaped: 'yes' } } },
    rules: { 'container-size': { requests: { max: { cpu: '200m' } } } },
  },
};

const app = (cpu: string): Spec => ({
  containers: [{ name: 'app', image: 'app', resources: { requests: { cpu }, limits: { cpu: '1' } } }],
});

interface Spec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly resources?: object;
  readonly resizePolicy?: readonly object[];
}

describe('what podrail writes into pods', () => {
  const started = clusterForSuite();
  const webhooks: RunningWebhook[] = [];
  let cluster: Cluster;
  let tap: Tap;

  before(async () => {
    cluster = started();
    // It is there before podrail, and so without entries.
    assert.equal((await createPod(cluster.tenant, 'old', app('50m'), { labels: { shaped: 'no' } })).code, 201);
    assert.equal((await createPod(cluster.tenant, 'old-shaped', app('50m'), { labels: { shaped: 'yes' } })).code, 201);
    const guardrails = join(cluster.place.folder, 'guardrails.json');
    await writeFile(guardrails, JSON.stringify(BOUNDED));
    tap = await startTap(await startPodrail(cluster, ['--guardrails', guardrails]));
    webhooks.push(tap, await startSidecarInjector(cluster.admin));
    await registerPodrail(cluster, tap);
  });
  after(async () => {
    for (const webhook of webhooks) await webhook.stop();
  });

  const stored = async (name: string): Promise<Spec> =>
    (await ask(cluster.admin, 'GET', podsPath(name))).body['spec'] as Spec;
  const policiesOf = ({ initContainers = [], containers }: Spec): unknown =>
    Object.fromEntries([...initContainers, ...containers].map(({ name, resizePolicy }) => [name, resizePolicy]));
  const entries = (path: string): object => ({ op: 'add', path: `${path}/resizePolicy`, value: BOTH });
  const patches = (pod: string): readonly unknown[] =>
    tap
      .about(pod)
      .filter(({ phase }) => phase === 'mutate')
      .map(({ patch }) => patch);

  const turns: Readonly<Record<Turn, readonly unknown[]>> = {
    // Asked again after what Kubernetes itself has put into the new sidecar.
    before: [[entries('/spec/containers/0'), entries('/spec/initContainers/0')], []],
    // Asked again, it adds only what is missing since.
    after: [[entries('/spec/containers/0')], [entries('/spec/initContainers/0')]],
    'after-complete': [[entries('/spec/containers/0')], []],
  };
  for (const [turn, expected] of Object.entries(turns)) {
    it(`a sidecar that another webhook adds ${turn.replace('-', ' it, ')} has both entries, like its container`, async () => {
      const { code } = await createPod(cluster.tenant, `mesh-${turn}`, app('50m'), { labels: { sidecar: turn } });
      assert.equal(code, 201);
      assert.deepEqual(policiesOf(await stored(`mesh-${turn}`)), { mesh: BOTH, app: BOTH });
      assert.deepEqual(patches(`mesh-${turn}`), expected);
    });
  }

  it('a pod that has them is created as it is sent', async () => {
    const spec = await stored('mesh-before');
    assert.equal((await createPod(cluster.tenant, 'again', spec)).code, 201);
    assert.deepEqual(patches('again'), [[]]);
    assert.deepEqual(policiesOf(await stored('again')), { mesh: BOTH, app: BOTH });
  });

  it('a resize is stored as it is sent, also that of a pod without entries', async () => {
    const earlier = await stored('old');
    const { code, warnings } = await resizePod(cluster.tenant, 'old', { containers: [requesting('300m')] });
    assert.deepEqual([code, warnings, patches('old')], [200, [], [[]]]);
    assert.deepEqual(await stored('old'), {
      ...earlier,
      containers: [{ ...earlier.containers[0], ...requesting('300m') }],
    });
  });

  it('a resize in mode fix is brought inside the bounds, and nothing else of it is touched', async () => {
    const earlier = await stored('old-shaped');
    const { code, warnings } = await resizePod(cluster.tenant, 'old-shaped', { containers: [requesting('300m')] });
    assert.deepEqual(
      [code, warnings],
      [
        200,
        ['[container-size] fixed: container "app" must request at most 200m cpu; it requests 300m and is given 200m'],
      ],
    );
    assert.deepEqual(patches('old-shaped'), [
      [{ op: 'add', path: '/spec/containers/0/resources/requests/cpu', value: '200m' }],
    ]);
    const shaped = { ...earlier.containers[0], ...requesting('200m') };
    assert.deepEqual(await stored('old-shaped'), { ...earlier, containers: [shaped] });
  });
});

function requesting(cpu: string): object {
  return { name: 'app', resources: { requests: { cpu }, limits: { cpu: '1' } } };
}
