// Every rule on a real API server, asked by a tenant: what a client gets, to the last field of the Status, and what the API
// server's own audit log and podrail's records keep of it. The requests and the answers are in rules.yaml.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { RULES } from '../../src/rules/index.ts';
import { type Answer, ask, type Body, PATCH } from './api-client.ts';
import type { Cluster } from './cluster.ts';
import { createNode, runOn } from './kubelet-stand-in.ts';
import { createPod, patchPod, podsPath, resizePod } from './pods.ts';
import { type Podrail, registerPodrail, startPodrail } from './podrail.ts';
import { testedKubernetes } from './programs.ts';
import { type Row, rowsOf } from './rule-rows.ts';
import { clusterForSuite } from './suite-cluster.ts';

const { minor } = await testedKubernetes();
const rows = rowsOf(minor);

describe('every rule on a real API server', () => {
  const started = clusterForSuite();
  let cluster: Cluster;
  let podrail: Podrail;
  // What podrail should have recorded, by the ids that the API server's audit log has.
  const noted = new Map<string, unknown>();

  before(async () => {
    cluster = started();
    await createNode(cluster.admin, 'n1', { cpu: '2', memory: '3840Mi', pods: '110' });
    await createNode(cluster.admin, 'win1', { cpu: '2', memory: '3840Mi', pods: '110' }, 'windows');
    await createPod(cluster.admin, 'neighbour', NEIGHBOUR);
    await runOn(cluster.admin, 'n1', 'neighbour');
    await cluster.admin.must('kubectl create -f -', JSON.stringify(AUTOSCALER));
    const guardrails = join(cluster.place.folder, 'guardrails.yaml');
    await writeFile(guardrails, rows.flatMap(toGuardrail).join('---\n'));
    podrail = await startPodrail(cluster, ['--guardrails', guardrails]);
    // A node that podrail does not know.
    await createNode(cluster.admin, 'late', { cpu: '2', memory: '3840Mi', pods: '110' });
    await registerPodrail(cluster, podrail);
  });

  it('has a row for each rule', () => {
    assert.deepEqual(
      [...new Set(rows.map(({ rule }) => rule))],
      RULES.map(({ id }) => id),
    );
  });

  for (const row of rows) {
    it(`${row.name}: ${outcomeOf(row)}`, async () => {
      await prepare(cluster, row);
      const answer = await request(cluster, row);
      const annotations = await annotationsOf(cluster, answer);
      const webhook = whoSpeaks(row);
      const id = annotations[`${webhook}/record`] ?? '';
      const warnings = (row.warned ?? []).map((text) => `[${ruleOf(row)}] ${text}`);
      assert.deepEqual(answer.warnings, [...(row.besides ?? []), ...warnings]);
      assert.deepEqual(annotations, annotationsFor(row, webhook, id));
      if (webhook !== undefined) noted.set(id, recordOf(row));
      if (row.refused !== undefined) assert.deepEqual(withoutTimes(answer.body), refusal(row, String(webhook), id));
      else if (row.kubernetes !== undefined) assert.deepEqual(inKubernetesWords(answer), row.kubernetes);
      else assertStored(row, answer);
    });
  }

  it('is recorded once, under the id in the audit log', async () => {
    // What it still has to write is written when it ends.
    await podrail.stop();
    const kept = (await podrail.records()).filter(({ id }) => noted.has(id));
    assert.deepEqual(
      kept.map(({ id, decision, operation, user, pod, findings }) => [
        id,
        { decision, operation, user: user.name, pod: pod.name, rules: [...new Set(findings.map(({ rule }) => rule))] },
      ]),
      [...noted],
    );
  });
});

const NEIGHBOUR = { containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '1600m', memory: '1Gi' } } }] };

const AUTOSCALER = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    maxReplicas: 2,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' },
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
  },
};

function toGuardrail({ name, rule, guardrail }: Row): readonly string[] {
  if (guardrail === undefined) return [];
  const match = { podSelector: { matchLabels: { row: name } } };
  const spec = { match, rules: { [rule]: guardrail } };
  return [`${JSON.stringify({ apiVersion: 'podrail.dev/v1alpha1', kind: 'Guardrail', metadata: { name }, spec })}\n`];
}

function outcomeOf({ refused, kubernetes, warned }: Row): string {
  if (refused !== undefined) return 'podrail refuses';
  if (kubernetes !== undefined)
    return warned === undefined ? 'Kubernetes refuses' : 'Kubernetes refuses, podrail warns';
  return warned === undefined ? 'allowed without a word' : 'podrail warns';
}

/** What is there before the tenant asks. */
async function prepare({ admin, tenant }: Cluster, { name, pod, metadata, on, status, resized }: Row): Promise<void> {
  const accepted = async (answer: Promise<Answer>): Promise<void> => {
    const { code, body } = await answer;
    assert.ok(code < 300, JSON.stringify(body));
  };
  if (pod === undefined) return;
  await accepted(createPod(tenant, name, pod, { labels: { row: name }, ...metadata }));
  if (on !== undefined) await runOn(admin, on, name);
  if (status !== undefined) await accepted(ask(admin, 'PATCH', podsPath(name, 'status'), { status }, PATCH.strategic));
  if (resized !== undefined) await accepted(resizePod(tenant, name, resized));
}

function request({ tenant }: Cluster, { name, create, resize, update }: Row): Promise<Answer> {
  if (create !== undefined) return createPod(tenant, name, create, { labels: { row: name } });
  if (resize !== undefined) return resizePod(tenant, name, resize);
  return patchPod(tenant, podsPath(name), update ?? {});
}

/** What podrail has left in the API server's own audit log. */
async function annotationsOf({ apiServer }: Cluster, { auditId }: Answer): Promise<Readonly<Record<string, string>>> {
  const events = (await apiServer.auditEvents()).filter(({ auditID }) => auditID === auditId);
  assert.equal(events.length, 1);
  const all = Object.entries(events[0]?.annotations ?? {});
  return Object.fromEntries(all.filter(([key]) => key.split('/')[0]?.endsWith('.podrail.dev')));
}

function ruleOf({ rule, says = rule }: Row): string {
  return says;
}

/** The webhook whose answer it is; undefined when podrail has nothing to say. */
function whoSpeaks({ refused, warned, resize, update, kubernetes, isEarly }: Row): string | undefined {
  if (refused === undefined && warned === undefined) return undefined;
  if (update !== undefined) return 'update-attempt.podrail.dev';
  if (resize !== undefined) return refused === undefined ? 'resize.podrail.dev' : 'resize-attempt.podrail.dev';
  return kubernetes === undefined && isEarly === undefined ? 'pods.podrail.dev' : 'inject.podrail.dev';
}

function annotationsFor(row: Row, webhook: string | undefined, id: string): unknown {
  return webhook === undefined ? {} : { [`${webhook}/record`]: id, [`${webhook}/rules`]: ruleOf(row) };
}

function recordOf(row: Row): unknown {
  const operation = (['resize', 'update'] as const).find((one) => row[one] !== undefined) ?? 'create';
  const decision = row.refused === undefined ? 'warn' : 'deny';
  return { decision, operation, user: 'dev-lee', pod: row.name, rules: [ruleOf(row)] };
}

/** The Status that the tenant's client is given. */
function refusal({ name, rule, refused = [] }: Row, webhook: string, id: string): unknown {
  const lines = refused.map(({ message }) => `[${rule}] ${message}`);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: [
      `admission webhook "${webhook}" denied the request: ${lines.join('\n')}`,
      `podrail recorded this as ${id}`,
    ].join('\n'),
    reason: 'Forbidden',
    details: {
      name,
      kind: 'pods',
      causes: refused.map(({ field, message, reason = rule }) => ({ reason, message, field })),
    },
    code: 403,
  };
}

function inKubernetesWords({ code, body }: Answer): Row['kubernetes'] {
  const [line = ''] = String(body['message']).split('\n');
  return { code, reason: String(body['reason']), message: line };
}

function assertStored({ stored }: Row, { code, body }: Answer): void {
  assert.ok(code < 300, JSON.stringify(body));
  if (stored === undefined) return;
  const { containers } = body['spec'] as { readonly containers: readonly { readonly resizePolicy?: unknown }[] };
  for (const { resizePolicy } of containers) assert.deepEqual(resizePolicy, stored);
}

// A time of day, and how long ago, are what no row can say.
function withoutTimes(answer: Body): Body {
  const text = JSON.stringify(answer)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/that was (\d+m)?\d+s ago/g, 'that was AGO ago');
  return JSON.parse(text) as Body;
}
