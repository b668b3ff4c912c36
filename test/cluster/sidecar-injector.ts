// Another mutating webhook, as service meshes bring one: it adds a sidecar to pods with a label, before podrail or after it.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './api-client.ts';
import type { Person } from './people.ts';
import { podOf, podsPath } from './pods.ts';
import { allowed, type Review, type RunningWebhook, startWebhook } from './webhook-server.ts';

// The API server asks mutating webhooks in the order of their configurations' names.
const TURNS = { before: 'aaa-mesh', after: 'zzz-mesh', 'after-complete': 'zzz-complete' } as const;

/** The values of the label `sidecar`: when the sidecar is added, and whether with entries of its own. */
export type Turn = keyof typeof TURNS;

const POLICIES = ['cpu', 'memory'].map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' }));
const SIDECAR = {
  name: 'mesh',
  image: 'mesh',
  restartPolicy: 'Always',
  resources: { requests: { cpu: '1m', memory: '1Mi' } },
};

/** Starts it, registers it under all its names, and waits until the API server asks each. */
export async function startSidecarInjector(admin: Person): Promise<RunningWebhook> {
  const webhook = await startWebhook((path, body) => Promise.resolve(inject(path, JSON.parse(body) as Review)));
  const items = Object.entries(TURNS).map(([label, name]) => toConfiguration(webhook, label, name));
  await admin.must('kubectl apply -f -', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  for (const label of Object.keys(TURNS)) await untilAsked(admin, label);
  return webhook;
}

function inject(path: string, review: Review): string {
  const { initContainers } = review.request.object?.spec ?? {};
  if (initContainers?.some(({ name }) => name === SIDECAR.name)) return allowed(review);
  const sidecar = path.startsWith('/mutate/after-complete') ? { ...SIDECAR, resizePolicy: POLICIES } : SIDECAR;
  return allowed(review, [
    initContainers === undefined
      ? { op: 'add', path: '/spec/initContainers', value: [sidecar] }
      : { op: 'add', path: '/spec/initContainers/-', value: sidecar },
  ]);
}

function toConfiguration({ url, ca }: RunningWebhook, label: string, name: string): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url: `${url}/mutate/${label}`, caBundle: Buffer.from(ca).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
        objectSelector: { matchLabels: { sidecar: label } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

const DEADLINE_MS = 30_000;

async function untilAsked(admin: Person, label: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  const probe = podOf('mesh-probe', { containers: [{ name: 'a', image: 'a' }] }, { labels: { sidecar: label } });
  for (;;) {
    const { body } = await ask(admin, 'POST', `${podsPath()}?dryRun=All`, probe);
    if (JSON.stringify(body).includes(`"name":"${SIDECAR.name}"`)) return;
    if (performance.now() > deadline) throw new Error(`nobody asked the webhook for ${label} within ${DEADLINE_MS} ms`);
    await sleep(100);
  }
}
