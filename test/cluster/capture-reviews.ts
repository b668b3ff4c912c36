// Writes test/reviews again: the reviews that real API servers send when a tenant creates, resizes and updates pods.
//
//   node test/cluster/capture-reviews.ts            of the oldest and of the newest minor
//   node test/cluster/capture-reviews.ts 1.35       of that one
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPrograms } from './build.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { createNode, runOn } from './kubelet-stand-in.ts';
import { command, printed } from './page.ts';
import { knownMinors, repository } from './programs.ts';
import { type Recorder, type Received, startRecorder } from './recorder.ts';
import { timeless } from './timeless.ts';
import { webhookConfigurations } from './webhooks.ts';

interface Request {
  readonly commandLine: string;
  readonly input?: string;
  /** The pod that runs from then on. */
  readonly runs?: string;
}

const SLIP = command('kubectl patch pod test-pod ');
const MEANT = SLIP.replaceAll('Mi"', 'm"');
const SIDECAR = JSON.stringify({
  spec: { initContainers: [{ name: 'cloudsql-proxy', resources: { requests: { cpu: '100m' } } }] },
});
const PROXY = printed('wordpress').replace(
  'ports: [{ containerPort: 3306 }]',
  '$&\n      resources: { requests: { cpu: 50m, memory: 64Mi } }',
);

/** The requests, by the name of the files that each gives. */
const REQUESTS: Readonly<Record<string, Request>> = {
  create: { commandLine: 'kubectl apply -f -', input: printed('test-pod'), runs: 'test-pod' },
  'resize-200Mi': { commandLine: SLIP },
  'resize-dry-run': { commandLine: `${MEANT} --dry-run=server` },
  update: { commandLine: MEANT.replace('--subresource=resize ', '') },
  resize: { commandLine: MEANT },
  'create-sidecar': { commandLine: 'kubectl apply -f -', input: PROXY, runs: 'test-wordpress-pod' },
  'resize-sidecar': {
    commandLine: `kubectl patch pod test-wordpress-pod --subresource resize --patch '${SIDECAR}'`,
  },
};

const known = knownMinors();
const minors = process.argv.length > 2 ? process.argv.slice(2) : [known[0] ?? '', known.at(-1) ?? ''];
for (const minor of minors) {
  await buildPrograms(minor, ['kube-apiserver', 'etcd', 'kubectl']);
  process.env['PODRAIL_TEST_MINOR'] = minor;
  await captureOf(minor);
}

async function captureOf(minor: string): Promise<void> {
  const cluster = await startCluster();
  const recorder = await startRecorder();
  try {
    await capture(cluster, recorder, join(repository, 'test/reviews', minor));
  } finally {
    await recorder.stop();
    await cluster.stop();
  }
}

async function capture({ admin, tenant }: Cluster, { url, ca, received }: Recorder, folder: string): Promise<void> {
  await createNode(admin, 'n1', { cpu: '2', memory: '3840Mi', pods: '110' });
  await admin.must('kubectl apply -f -', JSON.stringify(webhookConfigurations(url, ca)));
  await untilBothAsk(admin, received);
  await mkdir(folder, { recursive: true });
  const write = timeless();
  for (const [name, { commandLine, input, runs }] of Object.entries(REQUESTS)) {
    const before = received.length;
    // An answer that refuses is none of podrail's: the recorder allows everything.
    await tenant.run(commandLine, input);
    for (const { phase, review } of received.slice(before)) {
      await writeFile(join(folder, `${name}.${phase}.json`), write(review));
    }
    if (runs !== undefined) await runOn(admin, 'n1', runs);
    // The API server sorts managedFields by their times, in whole seconds.
    await sleep(1_100);
  }
}

async function untilBothAsk(admin: Cluster['admin'], received: readonly Received[]): Promise<void> {
  while (new Set(received.map(({ phase }) => phase)).size < 2) {
    await admin.must('kubectl create --dry-run=server -f -', printed('nginx'));
    await sleep(100);
  }
}
