// The API server asks first about the copy of a pod that it holds, and again where the pod has been written a moment before. It is one
// request all the same: its client, the API server's audit log and podrail's first record have one id.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Answer, type ApiClient, connect, PATCH } from './api-client.ts';
import type { Cluster } from './cluster.ts';
import type { Person } from './people.ts';
import { podOf, podsPath, untilCached } from './pods.ts';
import { type AuditLine, type Podrail, registerPodrail, startPodrail } from './podrail.ts';
import { clusterForSuite } from './suite-cluster.ts';
import { recordTold } from './told.ts';

// Most of such resizes are asked about twice: so many must be, of so many pods at most.
const RETRIES = 20;
const MOST_PODS = 400;
// From then on podrail takes it for another request, as on a machine that stood still.
const RETRY_WITHIN_MS = 1_000;

const requesting = (cpu: string): object => ({
  containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu } } }],
});

interface Line extends AuditLine {
  readonly time: string;
}

describe('a resize of a pod that is written at the same moment', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let podrail: Podrail;
  // By pod.
  const answers = new Map<string, Answer>();

  before(async () => {
    cluster = started();
    podrail = await startPodrail(cluster);
    await registerPodrail(cluster, podrail);
    const [admin, tenant] = [await connect(cluster.admin), await connect(cluster.tenant)];
    while ((await podrail.retries()).length < RETRIES && answers.size < MOST_PODS) {
      const pod = `web-${answers.size}`;
      answers.set(pod, await resizeWhileWritten(cluster.tenant, admin, tenant, pod));
    }
    for (const client of [admin, tenant]) client.close();
    // What it still has to write is written when it ends.
    await podrail.stop();
  });

  const told = (): readonly (readonly [pod: string, id: string | undefined])[] =>
    [...answers].map(([pod, { body }]) => [pod, recordTold(String(body['message']))]);

  it('is refused', () => {
    assert.deepEqual(new Set([...answers.values()].map(({ code }) => code)), new Set([403]));
  });

  it('has one record under the id that its client is told, save for a second question that came a second later', async () => {
    const records = Map.groupBy((await podrail.records()) as readonly Line[], ({ pod }) => pod.name);
    assert.deepEqual(
      told(),
      [...records].map(([pod, ofOne]) => [pod, ofOne.at(-1)?.id]),
    );
    for (const [first, second] of records.values()) {
      if (first === undefined || second === undefined) continue;
      assert.ok(Date.parse(second.time) - Date.parse(first.time) >= RETRY_WITHIN_MS, JSON.stringify([first, second]));
    }
  });

  it('is kept in the audit log of the API server under the id of its first record', async () => {
    const events = await cluster.apiServer.auditEvents();
    const kept = new Map(
      events.map(({ auditID, annotations = {} }) => [auditID, annotations['resize-attempt.podrail.dev/record']]),
    );
    const first = Map.groupBy(await podrail.records(), ({ pod }) => pod.name);
    assert.deepEqual(
      [...answers].map(([pod, { auditId }]) => [pod, kept.get(auditId)]),
      [...first].map(([pod, [record]]) => [pod, record?.id]),
    );
  });

  it('has another that says the same for each time that the API server has asked again', async () => {
    const first = new Map((await podrail.records()).map((record) => [record.id, sayingOf(record)]));
    const retries = await podrail.retries();
    assert.ok(retries.length >= RETRIES, `${retries.length} retries of ${answers.size} resizes`);
    assert.deepEqual(
      retries.map(sayingOf),
      retries.map(({ retryOf }) => first.get(String(retryOf))),
    );
  });
});

async function resizeWhileWritten(person: Person, admin: ApiClient, tenant: ApiClient, pod: string): Promise<Answer> {
  const created = await tenant.post(podsPath(), podOf(pod, requesting('50m')));
  assert.equal(created.code, 201, JSON.stringify(created.body));
  await untilCached(person, podsPath(pod));
  const [written, answer] = await Promise.all([
    admin.patch(podsPath(pod), { metadata: { labels: { written: 'now' } } }),
    tenant.ask('PATCH', podsPath(pod, 'resize'), { spec: requesting('5G') }, PATCH.strategic),
  ]);
  assert.equal(written.code, 200, JSON.stringify(written.body));
  return answer;
}

/** All that a record says, save for what tells it from another. */
function sayingOf(record: AuditLine): object {
  const { id: _id, retryOf: _retryOf, ...rest } = record;
  return { ...rest, time: 'then', uid: 'its own', durationMs: 0 };
}
