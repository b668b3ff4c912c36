// The matchConditions of manifests/base leave out only requests of which podrail has nothing to say, whatever the guardrails.
//
// Two registrations watch the same requests: the installed one, and one without conditions. What only the second one sees was
// left out, and podrail is asked what it would have said of it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { canResizePodLevel } from '../../src/model/kubernetes-version.ts';
import { contextOf, post } from '../admission/reviewing.ts';
import type { WebhookConfiguration } from '../../tools/manifests.ts';
import { ask, type Method } from './api-client.ts';
import type { Cluster } from './cluster.ts';
import type { Person } from './people.ts';
import { BOTH_POLICIES, container, EDIT_NAMES, edited, type PodJson, SPECS } from './pod-edits.ts';
import { createPod, podOf, podsPath } from './pods.ts';
import { type Received, type Recorder, startRecorder } from './recorder.ts';
import { versionOf } from './scene-pods.ts';
import { SEED } from './seed.ts';
import { clusterForSuite } from './suite-cluster.ts';
import { webhookConfigurations } from './webhooks.ts';

// Guardrails that have something to say of everything that can be said something of.
const STRICTEST = `
apiVersion: podrail.dev/v1alpha1
kind: Guardrail
metadata: { name: shapes }
spec:
  mode: fix
  rules:
    container-size: { min: { cpu: "3", memory: 3Gi }, max: { cpu: "3", memory: 3Gi } }
    limit-request-ratio: { cpu: 1, memory: 1 }
    resize-step: { grow: { factor: 1 }, shrink: { factor: 1 } }
---
apiVersion: podrail.dev/v1alpha1
kind: Guardrail
metadata: { name: refuses }
spec:
  mode: enforce
  rules:
    resize-frozen: { reason: no resizes }
    resize-pending: {}
    resize-restarts: {}
    resize-actor: { grow: { users: [nobody] }, shrink: { users: [nobody] } }
    resources-required: { requests: [cpu, memory], limits: [cpu, memory] }
    pod-size: { max: { requests: { cpu: 1m }, limits: { cpu: 1m } } }
    sidecar-has-requests: {}
---
apiVersion: podrail.dev/v1alpha1
kind: Guardrail
metadata: { name: cannot-be-matched }
spec:
  mode: enforce
  match: { namespaceSelector: { matchLabels: { tier: tenant } } }
  rules: { resize-frozen: { reason: no resizes } }
`;

interface Request {
  readonly method: Method;
  readonly path: string;
  readonly body: object;
}

const PODS = podsPath();
const BARE = { containers: [container('app')] };
const create = (body: object, path = PODS): Request => ({ method: 'POST', path, body });

describe('the matchConditions', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let asked: Recorder;
  let everything: Recorder;
  let strictest: ReturnType<typeof contextOf>;
  const stored = new Map<string, PodJson>();

  before(async () => {
    cluster = started();
    for (const [name, spec] of Object.entries(SPECS)) {
      const { body } = await createPod(cluster.admin, name, spec);
      const pod = body as unknown as PodJson;
      // Nobody's edit is refused for having come late.
      stored.set(name, { ...pod, metadata: { ...pod.metadata, resourceVersion: undefined } });
    }
    strictest = contextOf({
      version: cluster.kubernetes.minor,
      guardrails: readGuardrails(STRICTEST, 'strictest.yaml').guardrails,
    });
    [asked, everything] = [await startRecorder(), await startRecorder()];
    await cluster.admin.must('kubectl apply -f -', JSON.stringify(webhookConfigurations(asked.url, asked.ca)));
    await cluster.admin.must('kubectl apply -f -', JSON.stringify(withoutConditions(everything)));
    while (![asked, everything].every(({ received }) => new Set(received.map(({ phase }) => phase)).size === 2)) {
      await observe(create(podOf('probe', BARE)));
      await sleep(100);
    }
  });
  after(() => Promise.all([asked.stop(), everything.stop()]));

  /** Which phases podrail was asked in, and which were left out. */
  const observe = async (
    one: Request,
    who = cluster.admin,
  ): Promise<{ readonly phases: readonly string[]; readonly leftOut: readonly Received[] }> => {
    const [first, firstOfAll] = [asked.received.length, everything.received.length];
    await send(one, who);
    const phases = asked.received.slice(first).map(({ phase }) => phase);
    const leftOut = everything.received.slice(firstOfAll).filter(({ phase }) => !phases.includes(phase));
    return { phases, leftOut };
  };

  /** Sends it, and gives the phases in which podrail was asked. What was left out must be what podrail has nothing to say of. */
  const phasesOf = async (one: Request, who = cluster.admin): Promise<readonly string[]> => {
    const { phases, leftOut } = await observe(one, who);
    for (const { phase, review } of leftOut) {
      const { response, record } = post(review, phase, strictest);
      assert.deepEqual(
        { response, record },
        { response: { uid: review.request.uid, allowed: true }, record: undefined },
      );
    }
    return phases;
  };
  const changed = (name: string, subresource: string | undefined, ...edits: readonly string[]): Request => {
    const pod = stored.get(name);
    assert.ok(pod);
    return { method: 'PUT', path: podsPath(name, subresource), body: edited(pod, edits) };
  };

  const NOBODY: readonly string[] = [];
  const mirror = {
    ...podOf('mirror', { nodeName: 'n1', ...BARE }, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
  };

  const CREATES: readonly (readonly [title: string, one: Request, phases: readonly string[]])[] = [
    ['asks of a pod', create(podOf('new', BARE)), ['mutate', 'validate']],
    [
      'asks of a pod that declares everything and wants nothing, since a guardrail may miss something in it',
      create(podOf('new', { containers: [{ name: 'app', image: 'a', resizePolicy: BOTH_POLICIES }] })),
      ['mutate', 'validate'],
    ],
    ['asks of what a person says is a mirror pod', create(mirror), ['mutate', 'validate']],
    ['asks of a pod with hundreds of containers', create(podOf('new', SPECS['crowd'] ?? {})), ['mutate', 'validate']],
    [
      'leaves out kube-system',
      create(
        { ...mirror, metadata: { name: 'new', namespace: 'kube-system' } },
        PODS.replace('default', 'kube-system'),
      ),
      NOBODY,
    ],
  ];
  for (const [title, one, phases] of CREATES) {
    it(`${title}, when it is created`, async () => assert.deepEqual(await phasesOf(one), phases));
  }

  it('leaves out the mirror pod of a kubelet', async () => {
    const kubelet = cluster.nodes.get('n1');
    assert.ok(kubelet);
    assert.deepEqual(await phasesOf(create(mirror), kubelet), NOBODY);
  });

  const RESIZES: readonly (readonly [pod: string, edits: readonly string[], phases: readonly string[]])[] = [
    ['web', ['more cpu'], ['mutate', 'validate']],
    ['mesh', ['cpu of a sidecar'], ['mutate', 'validate']],
    ['crowd', ['cpu of the last container'], ['mutate', 'validate']],
    ['web', [], NOBODY],
    ['crowd', [], NOBODY],
    ['web', ['the same cpu in other words'], NOBODY],
    // What Kubernetes drops without a word: the first phase tells of it, and in the second it is gone.
    ['web', ['a label'], ['mutate']],
    ['web', ['a status'], NOBODY],
    ['web', ['another image'], ['mutate']],
    // What Kubernetes refuses before it asks them.
    ['web', ['entries in another order'], ['mutate']],
    ['web', ['a container more'], ['mutate']],
  ];
  for (const [pod, edits, phases] of RESIZES) {
    it(`${does(phases)} a resize of ${pod} that changes ${edits.join(' and ') || 'nothing'}`, async () =>
      assert.deepEqual(await phasesOf(changed(pod, 'resize', ...edits)), phases));
  }

  it('asks of every resize of a pod with resources of its own, which a resize may complete', async (context) => {
    if (cluster.kubernetes.minor === '1.33') {
      context.skip('1.33 has no such pods');
      return;
    }
    // Through 1.35 Kubernetes refuses to resize such a pod before it asks the validating webhooks.
    const phases = canResizePodLevel(versionOf(cluster.kubernetes.minor)) ? ['mutate', 'validate'] : ['mutate'];
    assert.deepEqual(await phasesOf(changed('level', 'resize')), phases);
  });

  const UPDATES: readonly (readonly [pod: string, edits: readonly string[], phases: readonly string[]])[] = [
    ['web', ['more cpu'], ['mutate']],
    ['web', ['cpu of the last container'], ['mutate']],
    ['crowd', ['cpu of the last container'], ['mutate']],
    ['web', ['no resources', 'another image'], ['mutate']],
    ['mesh', ['cpu of a sidecar'], ['mutate']],
    ['web', ['cpu of the pod'], ['mutate']],
    ['web', [], NOBODY],
    ['web', ['the same cpu in other words'], NOBODY],
    ['web', ['a label', 'a finalizer'], NOBODY],
    ['web', ['another image', 'a toleration', 'a deadline'], NOBODY],
    ['gated', ['no scheduling gate'], NOBODY],
    ['web', ['entries in another order'], NOBODY],
    ['web', ['a container more'], NOBODY],
    ['mesh', ['no init containers'], NOBODY],
    ['bare', ['an init container more'], NOBODY],
  ];
  for (const [pod, edits, phases] of UPDATES) {
    it(`${does(phases)} a plain update of ${pod} that changes ${edits.join(' and ') || 'nothing'}`, async () =>
      assert.deepEqual(await phasesOf(changed(pod, undefined, ...edits)), phases));
  }

  it('leaves out what else is done to a pod', async () => {
    assert.deepEqual(await phasesOf(changed('web', 'status', 'a status')), NOBODY);
    assert.deepEqual(await phasesOf(changed('web', 'ephemeralcontainers', 'a label')), NOBODY);
  });

  it('leaves out nothing else, whatever is changed', async () => {
    const request = fc.tuple(
      fc.constantFrom(...Object.keys(SPECS)),
      fc.constantFrom(undefined, 'resize'),
      fc.subarray([...EDIT_NAMES], { maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(request, async ([pod, subresource, edits]) => {
        await phasesOf(changed(pod, subresource, ...edits));
      }),
      { numRuns: 200, seed: SEED },
    );
  });

  it('never fail, not even for a pod as large as a request can be, or without containers', async () => {
    const containers = Array.from({ length: 1_000 }, (_, index) => ({ name: `a${index}` }));
    for (const spec of [
      { containers, initContainers: containers },
      { containers: null, initContainers: null },
    ]) {
      const body = podOf('web', spec);
      await send(create(body), cluster.admin);
      await send({ method: 'PUT', path: podsPath('web'), body }, cluster.admin);
      await send({ method: 'PUT', path: podsPath('web', 'resize'), body }, cluster.admin);
    }
    const metrics = await cluster.admin.must('kubectl get --raw /metrics');
    assert.match(metrics, /^apiserver_admission_match_condition_exclusions_total\{.*name="resize.podrail.dev"/m);
    assert.deepEqual(metrics.match(/^apiserver_admission_match_condition_evaluation_errors_total\{.*/gm), null);
  });
});

/** Sends it as a dry run, so that every request finds the pods as they were made. */
async function send({ method, path, body }: Request, who: Person): Promise<void> {
  await ask(who, method, `${path}?dryRun=All`, body);
}

function does(phases: readonly string[]): string {
  return phases.length === 0 ? 'leaves out' : 'asks of';
}

function withoutConditions({ url, ca }: Recorder): object {
  const { items, ...list } = webhookConfigurations(url, ca) as { readonly items: readonly WebhookConfiguration[] };
  return {
    ...list,
    items: items.map(({ webhooks, ...configuration }) => ({
      ...configuration,
      metadata: { name: 'without-conditions' },
      webhooks: webhooks.map((webhook) => ({ ...webhook, matchConditions: [] })),
    })),
  };
}
