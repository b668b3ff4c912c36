// What of a cluster's requests reaches podrail, in which phase, and what it answers: seen by a tap in front of it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, ask, PATCH } from './api-client.ts';
import type { Cluster } from './cluster.ts';
import { createNode, runOn } from './kubelet-stand-in.ts';
import type { Person } from './people.ts';
import { createPod, patchPod, podOf, podsPath, resizePod, untilCached } from './pods.ts';
import { type Podrail, registerPodrail, startPodrail } from './podrail.ts';
import { clusterForSuite } from './suite-cluster.ts';
import { recordTold, withoutRecordId } from './told.ts';
import { startTap, type Tap } from './tap.ts';

const requesting = (cpu: string): object => ({ containers: [{ name: 'app', resources: { requests: { cpu } } }] });
const APP = { containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu: '50m' } } }] };

/** The phases in which podrail is asked, and whether it allows the request. */
const ALLOWED = [
  ['mutate', true],
  ['validate', true],
] as const;
const REFUSED = [['mutate', false]] as const;

describe('what reaches podrail', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let podrail: Podrail;
  let tap: Tap;
  // The record ids that people were told.
  const told: string[] = [];

  before(async () => {
    cluster = started();
    await createNode(cluster.admin, 'n1', { cpu: '2', memory: '3840Mi', pods: '110' });
    podrail = await startPodrail(cluster);
    tap = await startTap(podrail);
    await registerPodrail(cluster, tap);
  });
  after(() => tap.stop());

  interface Seen {
    readonly code: number;
    readonly warnings: readonly string[];
    /** The lines of a denial, without the record id. */
    readonly denial: readonly string[];
    readonly asked: readonly (readonly [phase: string, isAllowed: boolean])[];
  }

  /** Sends a request about a pod; gives its answer, and what came to podrail of it. */
  const see = async (pod: string, request: () => Promise<Answer>): Promise<Seen> => {
    const earlier = tap.about(pod).length;
    const { code, warnings, body } = await request();
    const message = withoutRecordId(String(body['message']));
    const denial = /^admission webhook .* denied the request: (.*)\npodrail recorded this as ID$/s.exec(message)?.[1];
    const id = recordTold(String(body['message']));
    if (id !== undefined) told.push(id);
    const asked = tap.about(pod).slice(earlier);
    return {
      code,
      warnings,
      denial: denial?.split('\n') ?? [],
      asked: asked.map(({ phase, isAllowed }) => [phase, isAllowed]),
    };
  };
  const existing = async (
    pod: string,
    spec: object = APP,
    by: Person = cluster.tenant,
    metadata = {},
  ): Promise<void> => {
    const { code, body } = await createPod(by, pod, spec, metadata);
    assert.equal(code, 201, JSON.stringify(body));
  };
  const resized = (pod: string, cpu: string): Promise<Seen> =>
    see(pod, () => resizePod(cluster.tenant, pod, requesting(cpu)));
  const nothingSaid = (code: number): Pick<Seen, 'code' | 'warnings' | 'denial'> => ({
    code,
    warnings: [],
    denial: [],
  });

  it('a new pod, in both phases', async () => {
    assert.deepEqual(await see('new', () => createPod(cluster.tenant, 'new', APP)), {
      ...nothingSaid(201),
      asked: ALLOWED,
    });
  });

  it('a resize of a pod that runs on a node', async () => {
    await existing('bound');
    await runOn(cluster.admin, 'n1', 'bound');
    assert.deepEqual(await resized('bound', '60m'), { ...nothingSaid(200), asked: ALLOWED });
  });

  it('a resize of a pod that is on no node yet', async () => {
    await existing('unbound');
    assert.deepEqual(await resized('unbound', '60m'), { ...nothingSaid(200), asked: ALLOWED });
  });

  for (const phase of ['Succeeded', 'Failed']) {
    it(`a resize of a pod that has finished (${phase}), which Kubernetes alone would accept`, async () => {
      const name = phase.toLowerCase();
      await existing(name);
      await runOn(cluster.admin, 'n1', name);
      const status = { status: { phase } };
      assert.equal((await ask(cluster.admin, 'PATCH', podsPath(name, 'status'), status, PATCH.strategic)).code, 200);
      assert.deepEqual(await resized(name, '60m'), {
        ...nothingSaid(403),
        denial: [`[resize-supported-pod] pod "${name}" must not have finished to be resized; its phase is ${phase}`],
        asked: REFUSED,
      });
    });
  }

  it('of a mirror pod not that a kubelet makes it, but that somebody resizes it', async () => {
    const annotations = { 'kubernetes.io/config.mirror': 'x' };
    const kubelet = cluster.nodes.get('n1') ?? cluster.tenant;
    const mirror = () => createPod(kubelet, 'mirror', { ...APP, nodeName: 'n1' }, { annotations });
    assert.deepEqual(await see('mirror', mirror), { ...nothingSaid(201), asked: [] });
    assert.deepEqual(await resized('mirror', '60m'), {
      ...nothingSaid(403),
      denial: [
        '[resize-supported-pod] pod "mirror" must be changed in its manifest on the node; it is a static pod, which cannot be resized',
      ],
      asked: REFUSED,
    });
  });

  it('edits that a resize drops, of which it warns', async () => {
    await existing('edited', APP, cluster.tenant, { labels: { tier: 'silver' } });
    const gold = podOf(
      'edited',
      { containers: [{ name: 'app', image: 'app:2', resources: { requests: { cpu: '60m' } } }] },
      { labels: { tier: 'gold' } },
    );
    const send = async () => {
      await untilCached(cluster.tenant, podsPath('edited'));
      return ask(cluster.tenant, 'PATCH', podsPath('edited', 'resize'), gold, PATCH.strategic);
    };
    const warnings = [
      'a resize changes only resources; Kubernetes drops what pod "edited" changes in metadata.labels, spec.containers[0].image',
    ];
    assert.deepEqual(await see('edited', send), { ...nothingSaid(200), warnings, asked: ALLOWED });
    const { body } = await ask(cluster.tenant, 'GET', podsPath('edited'));
    const { metadata, spec } = body as unknown as Stored;
    assert.deepEqual(
      [metadata.labels, spec.containers.map(({ image, resources }) => [image, resources])],
      [{ tier: 'silver' }, [['app:1', { requests: { cpu: '60m' } }]]],
    );
    // The resize itself is done by then; what is dropped of it is all that is left.
    const alone = { ...nothingSaid(200), asked: [['mutate', true]] };
    assert.deepEqual(await see('edited', send), { ...alone, warnings });
    const label = [{ op: 'add', path: '/metadata/labels/tier', value: 'gold' }];
    assert.deepEqual(await see('edited', () => resizePod(cluster.tenant, 'edited', label)), {
      ...alone,
      warnings: ['a resize changes only resources; Kubernetes drops what pod "edited" changes in metadata.labels'],
    });
  });

  it('no resize that changes nothing, however its values are written', async () => {
    await existing('same');
    for (const cpu of ['50m', '0.05']) {
      assert.deepEqual(await resized('same', cpu), { ...nothingSaid(200), asked: [] });
    }
  });

  it('a plain update that changes resources, and no other', async () => {
    await existing('updated');
    const update = (patch: object) => see('updated', () => patchPod(cluster.tenant, podsPath('updated'), patch));
    assert.deepEqual(await update(requesting('60m')), {
      ...nothingSaid(403),
      denial: [
        '[resize-by-subresource] pod "updated" must be resized through pods/resize, not by a plain update; use kubectl patch --subresource resize',
      ],
      asked: REFUSED,
    });
    const labelled = [{ op: 'add', path: '/metadata/labels', value: { tier: 'gold' } }];
    const renewed = { containers: [{ name: 'app', image: 'app:2' }] };
    for (const patch of [labelled, renewed]) assert.deepEqual(await update(patch), { ...nothingSaid(200), asked: [] });
  });

  it('nothing that the API server cannot read', async () => {
    await existing('garbled');
    const seen = await resized('garbled', '5x');
    assert.deepEqual([seen.code, seen.asked], [422, []]);
  });

  it('nothing of the other subresources of a pod', async () => {
    await existing('other');
    const earlier = tap.about('other').length;
    // A binding and a status.
    await runOn(cluster.admin, 'n1', 'other');
    const debugger_ = { ephemeralContainers: [{ name: 'debug', image: 'debug' }] };
    assert.equal((await patchPod(cluster.admin, podsPath('other', 'ephemeralcontainers'), debugger_)).code, 200);
    await cluster.admin.must('kubectl delete pod other --grace-period=0 --force');
    assert.deepEqual(tap.about('other').slice(earlier), []);
  });

  it('nothing of the namespaces that a cluster needs to come up', async () => {
    const pods = '/api/v1/namespaces/kube-system/pods';
    await cluster.admin.must('kubectl create serviceaccount default --namespace kube-system');
    const pod = { ...podOf('system', APP), metadata: { name: 'system', namespace: 'kube-system' } };
    assert.equal((await ask(cluster.admin, 'POST', pods, pod)).code, 201);
    assert.equal((await patchPod(cluster.admin, `${pods}/system/resize`, requesting('64'))).code, 200);
    assert.deepEqual(tap.about('system'), []);
  });

  it('and each denial is recorded once, under the id that was told', async () => {
    // What it still has to write is written when it ends.
    await podrail.stop();
    assert.deepEqual(
      (await podrail.records()).map(({ id, decision }) => [id, decision]),
      told.map((id) => [id, 'deny']),
    );
  });
});

interface Stored {
  readonly metadata: { readonly labels: object };
  readonly spec: { readonly containers: readonly { readonly image: string; readonly resources: object }[] };
}
