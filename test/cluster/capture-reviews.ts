// Writes test/reviews again: the reviews that a real API server sends when a tenant creates and resizes a pod.
//
//   node test/cluster/capture-reviews.ts     (PODRAIL_TEST_MINOR=1.33 for another minor than the newest)
//
// Names, users and tokens in them are those of the test cluster; nothing has to be taken out.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPrograms } from './build.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { createNode, runOn } from './kubelet-stand-in.ts';
import { command, printed } from './page.ts';
import { knownMinors, repository } from './programs.ts';
import { type Recorder, type Received, startRecorder } from './recorder.ts';
import { webhookConfigurations } from './webhooks.ts';

const folder = join(repository, 'test/reviews');

// The name of the files that one request gives, and the request.
const REQUESTS: readonly (readonly [name: string, commandLine: string, input?: string])[] = [
  ['create', 'kubectl apply -f -', printed('test-pod')],
  ['resize-200Mi', command('kubectl patch pod test-pod ')],
  ['resize-dry-run', `${command('kubectl patch pod test-pod ').replaceAll('Mi"', 'm"')} --dry-run=server`],
  ['resize', command('kubectl patch pod test-pod ').replaceAll('Mi"', 'm"')],
];

await buildPrograms(process.env['PODRAIL_TEST_MINOR'] ?? knownMinors().at(-1) ?? '', [
  'kube-apiserver',
  'etcd',
  'kubectl',
]);
const cluster = await startCluster();
const recorder = await startRecorder();
try {
  await capture(cluster, recorder);
} finally {
  await recorder.stop();
  await cluster.stop();
}

async function capture({ admin, tenant }: Cluster, { url, ca, received }: Recorder): Promise<void> {
  await createNode(admin, 'n1', { cpu: '2', memory: '3840Mi', pods: '110' });
  await admin.must('kubectl apply -f -', JSON.stringify(webhookConfigurations(url, ca)));
  await untilBothAsk(admin, received);
  await mkdir(folder, { recursive: true });
  for (const [name, commandLine, input] of REQUESTS) {
    const before = received.length;
    // An answer that refuses is none of podrail's: the recorder allows everything.
    await tenant.run(commandLine, input);
    for (const { phase, review } of received.slice(before)) {
      await writeFile(join(folder, `${name}.${phase}.json`), `${JSON.stringify(review, null, 2)}\n`);
    }
    if (name === 'create') await runOn(admin, 'n1', 'test-pod');
  }
}

async function untilBothAsk(admin: Cluster['admin'], received: readonly Received[]): Promise<void> {
  while (new Set(received.map(({ phase }) => phase)).size < 2) {
    await admin.must('kubectl create --dry-run=server -f -', printed('nginx'));
    await sleep(100);
  }
}
