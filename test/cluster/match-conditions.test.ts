// The matchConditions of manifests/base leave out only requests of which podrail has nothing to say, whatever the guardrails.
//
// Two registrations watch the same requests: the installed one, and one without conditions. What only the second one sees was
// left out, and podrail is asked what it would have said of it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { contextOf, post } from '../admission/reviewing.ts';
import { ask, type Method } from './ask.ts';
import type { Cluster } from './cluster.ts';
import type { Person } from './people.ts';
import { type Received, type Recorder, startRecorder } from './recorder.ts';
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

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any

const SIZED = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } };
const BOTH = [
  { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  { resourceName: 'memory', restartPolicy: 'NotRequired' },
];
const sized = (cpu: string): Json => ({ ...SIZED, requests: { ...SIZED.requests, cpu } });
const container = (name: string, more: object = {}): Json => ({ name, image: 'a', resources: SIZED, ...more });
const podOf = (name: string, spec: Json, annotations: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', annotations },
  spec,
});

// As many as podrail reads, nearly; a pod with more could not be created beside it.
const MANY = 400;
const STORED: Readonly<Record<string, Json>> = {
  web: { containers: [container('app', { resizePolicy: BOTH }), container('other')] },
  bare: { containers: [{ name: 'app', image: 'a' }] },
  mesh: {
    initContainers: [container('setup'), container('proxy', { restartPolicy: 'Always' })],
    containers: [container('app')],
  },
  // 1.33 drops what the pod itself sets.
  level: { resources: SIZED, containers: [{ name: 'app', image: 'a' }] },
  gated: { schedulingGates: [{ name: 'example.com/wait' }], containers: [container('app')] },
  windows: { os: { name: 'windows' }, containers: [container('app')] },
  crowd: { containers: Array.from({ length: MANY }, (_, index) => container(`app-${index}`)) },
};

/** What somebody may do to a pod as it is stored. */
const EDITS: Readonly<Record<string, (pod: Json) => void>> = {
  'more cpu': ({ spec }) => void (spec.containers[0].resources = sized('300m')),
  'the same cpu in other words': ({ spec }) =>
    void (spec.containers[0].resources.requests = { cpu: '0.1', memory: '64Mi' }),
  'cpu of the last container': ({ spec }) => void (spec.containers.at(-1).resources = sized('300m')),
  'no resources': ({ spec }) => void delete spec.containers[0].resources,
  'another resource': ({ spec }) => void (spec.containers[0].resources = { limits: { 'example.com/gpu': '1' } }),
  'a claim': ({ spec }) => void (spec.containers[0].resources = { ...SIZED, claims: [{ name: 'gpu' }] }),
  'a quantity that is none': ({ spec }) => void (spec.containers[0].resources = { limits: { cpu: 'two' } }),
  'cpu of a sidecar': ({ spec }) => {
    const last = spec.initContainers?.at(-1);
    if (last) last.resources = sized('300m');
  },
  'cpu of the pod': ({ spec }) => void (spec.resources = { requests: { cpu: '2' } }),
  'nothing for the pod': ({ spec }) => void delete spec.resources,
  'entries in another order': ({ spec }) => void (spec.containers[0].resizePolicy = BOTH.toReversed()),
  'no entries': ({ spec }) => void delete spec.containers[0].resizePolicy,
  'another image': ({ spec }) => void (spec.containers[0].image = 'b'),
  'another name': ({ spec }) => void (spec.containers[0].name = 'renamed'),
  'a container more': ({ spec }) => void spec.containers.push(container('more')),
  'a container less': ({ spec }) => void spec.containers.pop(),
  'containers in another order': ({ spec }) => void spec.containers.reverse(),
  'no init containers': ({ spec }) => void delete spec.initContainers,
  'an init container more': ({ spec }) =>
    void (spec.initContainers = [...(spec.initContainers ?? []), container('first')]),
  'a label': ({ metadata }) => void (metadata.labels = { team: 'blue' }),
  'a finalizer': ({ metadata }) => void (metadata.finalizers = ['example.com/keep']),
  'a toleration': ({ spec }) =>
    void (spec.tolerations = [...(spec.tolerations ?? []), { key: 'spot', operator: 'Exists' }]),
  'a deadline': ({ spec }) => void (spec.activeDeadlineSeconds = 60),
  'no scheduling gate': ({ spec }) => void delete spec.schedulingGates,
  'an overhead': ({ spec }) => void (spec.overhead = { cpu: '1' }),
  'a status': (pod) => void (pod.status = { phase: 'Failed' }),
};

interface Request {
  readonly method: Method;
  readonly path: string;
  readonly body: Json;
}

const PODS = '/api/v1/namespaces/default/pods';
const create = (body: Json, path = PODS): Request => ({ method: 'POST', path, body });

describe('the matchConditions', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let asked: Recorder;
  let everything: Recorder;
  let strictest: ReturnType<typeof contextOf>;
  const stored = new Map<string, Json>();

  before(async () => {
    cluster = started();
    for (const [name, spec] of Object.entries(STORED)) {
      const pod = JSON.parse(
        await cluster.admin.must('kubectl create --output json -f -', JSON.stringify(podOf(name, spec))),
      );
      // Nobody's edit is refused for having come late.
      delete pod.metadata.resourceVersion;
      stored.set(name, pod);
    }
    strictest = contextOf({
      version: cluster.kubernetes.minor,
      guardrails: readGuardrails(STRICTEST, 'strictest.yaml').guardrails,
    });
    [asked, everything] = [await startRecorder(), await startRecorder()];
    await cluster.admin.must('kubectl apply -f -', JSON.stringify(webhookConfigurations(asked.url, asked.ca)));
    await cluster.admin.must('kubectl apply -f -', JSON.stringify(withoutConditions(everything)));
    while (![asked, everything].every(({ received }) => new Set(received.map(({ phase }) => phase)).size === 2)) {
      await observe(create(podOf('probe', STORED['web'] ?? {})));
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
  const changed = (name: string, subresource: '' | '/resize', ...edits: readonly string[]): Request => {
    const body = structuredClone(stored.get(name)) ?? {};
    for (const edit of edits) EDITS[edit]?.(body);
    return { method: 'PUT', path: `${PODS}/${name}${subresource}`, body };
  };

  const NOBODY: readonly string[] = [];
  const mirror = podOf(
    'mirror',
    { nodeName: 'n1', containers: [container('app')] },
    { 'kubernetes.io/config.mirror': 'x' },
  );

  const CREATES: readonly (readonly [title: string, one: Request, phases: readonly string[]])[] = [
    ['asks of a pod', create(podOf('new', { containers: [container('app')] })), ['mutate', 'validate']],
    [
      'asks of a pod that declares everything and wants nothing, since a guardrail may miss something in it',
      create(podOf('new', { containers: [{ name: 'app', image: 'a', resizePolicy: BOTH }] })),
      ['mutate', 'validate'],
    ],
    ['asks of what a person says is a mirror pod', create(mirror), ['mutate', 'validate']],
    ['asks of a pod with hundreds of containers', create(podOf('new', STORED['crowd'] ?? {})), ['mutate', 'validate']],
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
      assert.deepEqual(await phasesOf(changed(pod, '/resize', ...edits)), phases));
  }

  it('asks of every resize of a pod with resources of its own, which a resize may complete', async (context) => {
    if (cluster.kubernetes.minor === '1.33') {
      context.skip('1.33 has no such pods');
      return;
    }
    assert.deepEqual(await phasesOf(changed('level', '/resize')), ['mutate', 'validate']);
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
      assert.deepEqual(await phasesOf(changed(pod, '', ...edits)), phases));
  }

  it('leaves out what else is done to a pod', async () => {
    for (const [subresource, edit] of [
      ['status', 'a status'],
      ['ephemeralcontainers', 'a label'],
    ] as const) {
      const { body } = changed('web', '', edit);
      assert.deepEqual(await phasesOf({ method: 'PUT', path: `${PODS}/web/${subresource}`, body }), NOBODY);
    }
  });

  it('leaves out nothing else, whatever is changed', async () => {
    const request = fc.tuple(
      fc.constantFrom(...Object.keys(STORED)),
      fc.constantFrom<'' | '/resize'>('', '/resize'),
      fc.subarray(Object.keys(EDITS), { maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(request, async ([pod, subresource, edits]) => {
        await phasesOf(changed(pod, subresource, ...edits));
      }),
      { numRuns: 300 },
    );
  });

  it('never fail, not even for a pod as large as a request can be, or without containers', async () => {
    const containers = Array.from({ length: 10_000 }, (_, index) => ({ name: `a${index}` }));
    for (const spec of [
      { containers, initContainers: containers },
      { containers: null, initContainers: null },
    ]) {
      const body = podOf('web', spec);
      await send(create(body), cluster.admin);
      for (const subresource of ['', '/resize']) {
        await send({ method: 'PUT', path: `${PODS}/web${subresource}`, body }, cluster.admin);
      }
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
  const { items, ...list } = webhookConfigurations(url, ca) as { readonly items: readonly Json[] };
  return {
    ...list,
    items: items.map(({ webhooks, metadata, ...configuration }) => ({
      ...configuration,
      metadata: { ...metadata, name: 'without-conditions' },
      webhooks: webhooks.map(({ matchConditions: _, ...webhook }: Json) => webhook),
    })),
  };
}
