// The API server's verdict: what it says, without podrail, of generated creates and resizes, and what podrail says of them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { writeResult } from '../fidelity/results.ts';
import { type PodJson, podToCreate } from '../generate/pods.ts';
import { resize, type ResizeJson } from '../generate/resizes.ts';
import { amount, isShort } from './amount.ts';
import { type Answer, type ApiClient, connect, isRefusal } from './api-client.ts';
import { agree, compareAll, compareEach, type Comparison, type Judged, type Tally } from './compare-all.ts';
import { compareWithApiServer, isUnread } from './compare-with-api-server.ts';
import { toExceptions, tooMany, toUncompared, UNSTORABLE } from './exceptions.ts';
import { podsPath } from './pods.ts';
import { createJudge, type PodrailJudge, type PodrailVerdict } from './podrail-verdict.ts';
import { withReadable } from './readable.ts';
import { SEED } from './seed.ts';
import { servedRelease } from './served-release.ts';
import { clusterForSuite } from './suite-cluster.ts';

const LANES = 8;

// Large enough that most pods fit, and small enough that some do not.
const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels: { 'kubernetes.io/os': 'linux' } },
  status: {
    allocatable: { cpu: '8', memory: '8Gi', pods: '110' },
    // What a kubelet of the same minor declares, and older API servers drop.
    declaredFeatures: ['InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers'],
  },
};

describe("the API server's verdict is podrail's", () => {
  // The plugin knows no overhead that a runtime class does not have.
  const started = clusterForSuite({ apiServerFlags: ['--disable-admission-plugins=RuntimeClass'] });
  let api: ApiClient;
  let podrail: PodrailJudge;
  let minor: string;
  let pods = 0;

  before(async () => {
    const cluster = started();
    ({ minor } = cluster.kubernetes);
    api = await connect(cluster.admin, LANES);
    await must(api.post('/api/v1/nodes', NODE));
    podrail = createJudge(minor, createClusterView([NODE]));
  });
  after(() => api?.close());

  const keep = async (suite: string, { compared, count, exceptions, uncompared }: Tally): Promise<void> => {
    if (isShort) return;
    writeResult({
      suite,
      minor,
      release: await servedRelease(api),
      compared,
      differences: count,
      exceptions: toExceptions(exceptions),
      uncompared: toUncompared(uncompared),
      seed: SEED,
    });
  };

  const judgeCreate = async (generated: PodJson): Promise<Judged> => {
    const pod = named(generated, `create-${pods++}`);
    const send = (one: PodJson): Promise<Answer> => api.post(`${podsPath()}?dryRun=All`, one);
    return await judge(pod, send, podrail.create);
  };

  /** Of what Kubernetes cannot read it names no field: what podrail names, or knows to be dropped, is mended, and then it can. */
  const judge = async (
    pod: PodJson,
    send: (pod: PodJson) => Promise<Answer>,
    decide: (pod: PodJson) => PodrailVerdict,
  ): Promise<Judged> => {
    const [answer, verdict] = [await send(pod), decide(pod)];
    const comparison = compareWithApiServer(answer, verdict, minor);
    if (comparison.kind === 'difference' || !isUnread(answer)) return [comparison];
    const dropped = verdict.droppedUnreadable.map((path) => ({ rule: 'quantity-valid', path }));
    const mended = withReadable(pod, [...verdict.forKubernetes, ...dropped]);
    const again = compareMended(await send(mended), mended, decide);
    return [joined(comparison, again)];
  };

  const compareMended = (answer: Answer, pod: PodJson, decide: (pod: PodJson) => PodrailVerdict): Comparison =>
    isUnread(answer)
      ? { kind: 'difference', sort: 'not all that is unreadable', what: JSON.stringify(answer.body) }
      : compareWithApiServer(answer, decide(pod), minor);

  const judgeResize = async (generated: ResizeJson): Promise<Judged> => {
    const name = `resize-${pods++}`;
    const stored = await store(named(generated.stored, name));
    if (stored === undefined) return [{ kind: 'uncompared', name: UNSTORABLE }];
    const { status: _, ...asked } = named(generated.asked, name);
    const send = (one: PodJson): Promise<Answer> => api.put(`${podsPath(name, 'resize')}?dryRun=All`, one);
    return await judge(asked, send, (one) => podrail.resize(stored, one));
  };

  const store = async (pod: PodJson): Promise<unknown> => {
    const made = await storedIn(api.post(podsPath(), pod));
    if (made === undefined || pod.status === undefined) return made;
    return await storedIn(api.patch(podsPath(pod.metadata.name, 'status'), { status: pod.status }));
  };

  it('of every resize that its own code was asked of', async (test) => {
    const known = knownAs(minor);
    if (known !== minor) test.diagnostic(`no case is known of ${minor}: each is expected to be as in ${known}`);
    const cases = knownResizes.filter(({ expect }) => expect[known] !== undefined);
    const judgeKnown = async ({ id, old, new: asked, expect }: KnownResize): Promise<Judged> => {
      // Into the store itself: no API server stores a static pod for somebody who is not its kubelet, or another QoS class.
      const stored = { ...old, metadata: storedMetadata(old.metadata, id) };
      await started().etcd.put(`/registry/pods/default/${id}`, stored);
      const { status: _, ...sent } = named(asked, id);
      const answer = await api.put(`${podsPath(id, 'resize')}?dryRun=All`, sent);
      assert.equal(answer.code < 300, expect[known]?.allowed, `${id}: ${JSON.stringify(answer.body)}`);
      return [compareWithApiServer(answer, podrail.resize(stored, sent), minor)];
    };
    const tally = await compareEach(cases, judgeKnown, LANES);
    await keep('known resizes on the API server', tally);
    await agree(tally);
    assert.deepEqual(tooMany(tally.exceptions, tally.compared), []);
    assert.ok(tally.compared >= FEWEST_KNOWN, `only ${tally.compared} are known of ${minor}`);
  });

  it('of 2,000 generated creates', async () => {
    const creates = ofEachWildness((wildness) => podToCreate({ wildness }));
    const tally = await compareAll(creates, judgeCreate, { seed: SEED, cases: amount(2_000), lanes: LANES });
    await keep('creates on the API server', tally);
    await agree(tally);
    assert.deepEqual(tooMany(tally.exceptions, tally.compared), []);
    assert.equal(tally.compared, amount(2_000));
  });

  it('of 2,000 generated resizes', async () => {
    // Many of the pods at the edges are of no use: no API server stores them.
    const resizes = ofEachWildness((wildness) =>
      fc.oneof(resize({ wildness, stored: 'calm' }), resize({ wildness, stored: 'edges' })),
    );
    const tally = await compareAll(resizes, judgeResize, { seed: SEED, cases: amount(4_000), lanes: LANES });
    await keep('resizes on the API server', tally);
    await agree(tally);
    assert.deepEqual(tooMany(tally.exceptions, tally.compared), []);
    assert.ok(tally.compared >= amount(2_000), `only ${tally.compared} could be compared`);
  });
});

/** What came of a request and of the same one mended. */
function joined(first: Comparison, again: Comparison): Comparison {
  if (first.kind !== 'exception' || again.kind === 'difference') return again;
  return again.kind === 'exception' ? { ...first, names: [...new Set([...first.names, ...again.names])] } : first;
}

interface KnownResize {
  readonly id: string;
  readonly old: PodJson;
  readonly new: PodJson;
  readonly expect: Readonly<Record<string, { readonly allowed: boolean }>>;
}

const knownResizes = JSON.parse(
  readFileSync(new URL('../conformance/resize-cases.json', import.meta.url), 'utf8'),
) as readonly KnownResize[];

/** Some are about what the oldest minors do not have. */
const FEWEST_KNOWN = 75;

/** The minor itself; of one that is newer than every case, the newest that they know. */
function knownAs(minor: string): string {
  const all = new Set(knownResizes.flatMap(({ expect }) => Object.keys(expect)));
  const newest = [...all].sort((a, b) => Number(a.slice(2)) - Number(b.slice(2))).at(-1);
  return all.has(minor) || newest === undefined ? minor : newest;
}

function storedMetadata(metadata: PodJson['metadata'], name: string): PodJson['metadata'] {
  return { ...metadata, name, namespace: 'default', uid: randomUUID(), creationTimestamp: '2026-11-30T09:00:00Z' };
}

function ofEachWildness<Case>(make: (wildness: 'calm' | 'edges' | 'broken') => fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc.oneof(make('calm'), { weight: 2, arbitrary: make('edges') }, make('broken'));
}

/** One name each: they are all there at once. The QoS class of a status is the API server's to say. */
function named(pod: PodJson, name: string): PodJson {
  const { qosClass: _, ...status } = pod.status ?? {};
  const metadata = { ...pod.metadata, name, namespace: 'default' };
  return { ...pod, metadata, ...(pod.status && { status }) };
}

/** What was stored; undefined where it was refused. What fails in another way fails the test. */
async function storedIn(asked: Promise<Answer>): Promise<unknown> {
  return isRefusal(await asked) ? undefined : await must(asked);
}

async function must(asked: Promise<Answer>): Promise<unknown> {
  const { code, body } = await asked;
  assert.ok(code < 300, JSON.stringify(body));
  return body;
}
