// podrail beside a cluster: a process of its own, registered with the API server by its address and its CA.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { freePort } from './ports.ts';
import { repository } from './programs.ts';
import { type Running, startProgram, untilReady } from './running.ts';
import type { Webhook } from './webhook-server.ts';
import { webhookConfigurations } from './webhooks.ts';

export interface Podrail extends Running, Webhook {
  /** The audit records it has written until now, without those of the probes that waited for its registration. */
  readonly records: () => Promise<readonly AuditLine[]>;
}

/** What the tests look at in an audit record. */
export interface AuditLine {
  readonly id: string;
  readonly decision: string;
  readonly operation: string;
  readonly dryRun: boolean;
  readonly user: { readonly name: string };
  readonly pod: { readonly name: string };
  readonly changes: readonly object[];
  readonly findings: readonly { readonly rule: string; readonly mode: string }[];
}

/** Starts `podrail serve` with what the cluster holds now: its nodes, namespaces and pods. */
export async function startPodrail(cluster: Cluster, flags: readonly string[] = []): Promise<Podrail> {
  const { admin, kubernetes, place } = cluster;
  const snapshot = join(place.folder, 'snapshot.json');
  await writeFile(snapshot, await admin.must('kubectl get nodes,namespaces,pods --all-namespaces --output json'));
  const [port, adminPort] = [await freePort(), await freePort()];
  const running = startProgram(
    'podrail',
    process.execPath,
    [
      join(repository, 'src/main.ts'),
      'serve',
      `--listen=127.0.0.1:${port}`,
      `--admin-listen=127.0.0.1:${adminPort}`,
      `--ca-out=${place.folder}`,
      `--cluster=${snapshot}`,
      `--kubernetes-version=${kubernetes.minor}`,
      ...flags,
    ],
    place,
  );
  await untilReady(running, () =>
    fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    ...running,
    url: `https://127.0.0.1:${port}`,
    ca: await readFile(join(place.folder, 'ca.crt'), 'utf8'),
    async records() {
      const lines = (await readFile(running.out, 'utf8')).split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as AuditLine).filter(({ pod }) => pod.name !== PROBE);
    },
  };
}

/** Registers podrail, or what is in front of it, and waits until the API server has heard of it, which takes it a moment. */
export async function registerPodrail({ admin }: Cluster, { url, ca }: Webhook): Promise<void> {
  await admin.must('kubectl apply -f -', JSON.stringify(webhookConfigurations(url, ca)));
  const deadline = performance.now() + REGISTRATION_MS;
  while (!(await isRegistered(admin))) {
    if (performance.now() > deadline) throw new Error(`the API server asked no webhook within ${REGISTRATION_MS} ms`);
    await sleep(100);
  }
}

const REGISTRATION_MS = 30_000;
const PROBE = 'podrail-probe';

// Each of the two configurations arrives by itself: one injects, the other refuses.
async function isRegistered(admin: Cluster['admin']): Promise<boolean> {
  const create = 'kubectl create --dry-run=server --output json -f -';
  const injected = await admin.must(create, probe('1'));
  const refused = await admin.run(create, probe('1Mi'));
  return injected.includes('"resizePolicy"') && refused.code !== 0;
}

function probe(cpu: string): string {
  const container = { name: 'probe', image: 'probe', resources: { limits: { cpu } } };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: PROBE, namespace: 'default' },
    spec: { containers: [container] },
  });
}
