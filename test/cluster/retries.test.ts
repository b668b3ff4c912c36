// The API server asks first about the copy of a pod that it holds, and again where the pod has been written a moment before. It is one
// request all the same: its client, the API server's audit log and podrail's first record have one id.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Answer, type ApiClient, connect, PATCH } from './api-client.ts';
import type { Cluster } from './cluster.ts';
import { podOf, podsPath } from './pods.ts';
import { type AuditLine, type Podrail, registerPodrail, startPodrail } from './podrail.ts';
import { clusterForSuite } from './suite-cluster.ts';

// Most of such resizes are asked about twice.
const PODS = Array.from({ length: 40 }, (_, index) => `web-${index}`);

const requesting = (cpu: string): object => ({
  containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu } } }],
});

describe('a resize of a pod that is written at the same moment', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let podrail: Podrail;
  let answers: readonly Answer[];

  before(async () => {
    cluster = started();
    podrail = await startPodrail(cluster);
    await registerPodrail(cluster, podrail);
    const [admin, tenant] = [await connect(cluster.admin), await connect(cluster.tenant)];
    const all: Answer[] = [];
    for (const pod of PODS) all.push(await resizeWhileWritten(admin, tenant, pod));
    answers = all;
    for (const client of [admin, tenant]) client.close();
    // What it still has to write is written when it ends.
    await podrail.stop();
  });

  it('is refused', () => {
    assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set([403]));
  });

  it('has one record under the id that its client is told, and that the API server has kept', async () => {
    const told = answers.map(({ body }) => /podrail recorded this as (\S+)$/.exec(String(body['message']))?.[1]);
    assert.deepEqual(
      (await podrail.records()).map(({ id, pod }) => [id, pod.name]),
      told.map((id, index) => [id, PODS[index]]),
    );
    const events = await cluster.apiServer.auditEvents();
    const kept = new Map(
      events.map(({ auditID, annotations = {} }) => [auditID, annotations['resize-attempt.podrail.dev/record']]),
    );
    assert.deepEqual(
      answers.map(({ auditId }) => kept.get(auditId)),
      told,
    );
  });

  it('has another that says the same for each time that the API server has asked again', async () => {
    const first = new Map((await podrail.records()).map((record) => [record.id, sayingOf(record)]));
    const retries = await podrail.retries();
    assert.notEqual(retries.length, 0);
    assert.deepEqual(
      retries.map(sayingOf),
      retries.map(({ retryOf }) => first.get(String(retryOf))),
    );
  });
});

async function resizeWhileWritten(admin: ApiClient, tenant: ApiClient, pod: string): Promise<Answer> {
  const created = await tenant.post(podsPath(), podOf(pod, requesting('50m')));
  assert.equal(created.code, 201, JSON.stringify(created.body));
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
