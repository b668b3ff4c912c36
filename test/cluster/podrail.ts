// podrail beside a cluster: a process of its own, registered with the API server by its address and its CA.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { freePort } from './ports.ts';
import { repository } from './programs.ts';
import { type Running, startProgram, untilReady } from './running.ts';
import { recordTold } from './told.ts';
import type { Webhook } from './webhook-server.ts';
import { webhookConfigurations } from './webhooks.ts';

export interface Podrail extends Running, Webhook {
  /** What a kubelet would ask: whether requests may be sent there. */
  readonly isReady: () => Promise<boolean>;
  /** The audit records it has written until now, without those of the probes that waited for its registration, and without retries. */
  readonly records: () => Promise<readonly AuditLine[]>;
  /** The audit records of what the API server has asked again. */
  readonly retries: () => Promise<readonly AuditLine[]>;
}

/** What the tests look at in an audit record. */
export interface AuditLine {
  readonly id: string;
  readonly retryOf: string | null;
  readonly decision: string;
  readonly operation: string;
  readonly dryRun: boolean;
  readonly user: { readonly name: string };
  readonly pod: { readonly name: string };
  readonly changes: readonly object[];
  readonly findings: readonly { readonly rule: string; readonly mode: string }[];
}

export interface PodrailOptions {
  /** Of its logs; one that is started again writes on into them. */
  readonly name?: string;
  readonly host?: string;
  /** By default one that is free. */
  readonly port?: number;
  /** A folder with a certificate and its key, and the CA that clients are to trust; by default podrail makes its own. */
  readonly tls?: { readonly directory: string; readonly ca: string };
}

/** Starts `podrail serve` with what the cluster holds now: its nodes, namespaces, pods and autoscalers. */
export async function startPodrail(
  cluster: Cluster,
  flags: readonly string[] = [],
  { name = 'podrail', host = '127.0.0.1', port: chosen, tls }: PodrailOptions = {},
): Promise<Podrail> {
  const { admin, kubernetes, place } = cluster;
  const snapshot = join(place.folder, 'snapshot.json');
  await writeFile(
    snapshot,
    await admin.must('kubectl get nodes,namespaces,pods,horizontalpodautoscalers --all-namespaces --output json'),
  );
  const [port, adminPort] = [chosen ?? (await freePort()), await freePort()];
  const running = startProgram(
    name,
    process.execPath,
    [
      join(repository, 'src/main.ts'),
      'serve',
      `--listen=${host}:${port}`,
      `--admin-listen=127.0.0.1:${adminPort}`,
      tls === undefined ? `--ca-out=${place.folder}` : `--tls-dir=${tls.directory}`,
      `--cluster=${snapshot}`,
      `--kubernetes-version=${kubernetes.minor}`,
      ...flags,
    ],
    place,
  );
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const lines = async (): Promise<readonly AuditLine[]> => {
    const written = (await readFile(running.out, 'utf8')).split('\n').slice(0, -1);
    return written.map((line) => JSON.parse(line) as AuditLine).filter(({ pod }) => pod.name !== PROBE);
  };
  await untilReady(running, isReady);
  return {
    ...running,
    url: `https://${host}:${port}`,
    isReady,
    ca: tls?.ca ?? (await readFile(join(place.folder, 'ca.crt'), 'utf8')),
    records: async () => (await lines()).filter(({ retryOf }) => retryOf === null),
    retries: async () => (await lines()).filter(({ retryOf }) => retryOf !== null),
  };
}

/** Registers podrail, or what is in front of it, and waits until the API server has heard of it, which takes it a moment. */
export async function registerPodrail({ admin }: Cluster, { url, ca }: Webhook): Promise<void> {
  await admin.must('kubectl apply -f -', JSON.stringify(webhookConfigurations(url, ca)));
  await untilRegistered(admin, 'default');
}

/** Waits until the API server asks podrail about the pods of a namespace. */
export async function untilRegistered(admin: Cluster['admin'], namespace: string): Promise<void> {
  const deadline = performance.now() + REGISTRATION_MS;
  for (;;) {
    const missing = await notYet(admin, namespace);
    if (missing === undefined) return;
    if (performance.now() > deadline) throw new Error(`not within ${REGISTRATION_MS / 1000} s: ${missing}`);
    await sleep(100);
  }
}

const REGISTRATION_MS = 120_000;
const PROBE = 'podrail-probe';

/** What is missing; each of the two configurations arrives by itself: one injects, the other refuses. */
async function notYet({ run }: Cluster['admin'], namespace: string): Promise<string | undefined> {
  const create = `kubectl create --dry-run=server --output json --namespace ${namespace} -f -`;
  const injected = await run(create, probe('10m'));
  if (!injected.out.includes('"resizePolicy"')) return `an injected resizePolicy in ${injected.out}${injected.err}`;
  const refused = await run(create, probe('1Mi'));
  return recordTold(refused.err) === undefined ? `a refusal in ${refused.out}${refused.err}` : undefined;
}

function probe(cpu: string): string {
  const container = { name: 'probe', image: 'probe', resources: { limits: { cpu } } };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: PROBE },
    spec: { containers: [container] },
  });
}
