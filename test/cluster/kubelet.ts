// Starts a real kubelet with a pretended container runtime (kubemark), which makes a node of this cluster.
//
// Admission, allocation and the verdicts on resizes are the kubelet's own; what a container would do is pretended. So a
// sidecar never counts as started, and a pod with one stays Pending; a resize that was allocated never ends: its values
// stay as asked in allocatedResources, and PodResizeInProgress stays True.
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import type { Person } from './people.ts';
import { freePort } from './ports.ts';
import { type Running, startProgram, untilReady } from './running.ts';

export interface Kubelet extends Running {
  /** The name of its node. */
  readonly node: string;
}

/**
 * Starts the kubelet of a node and waits until the node is ready, about 15 s; its allocatable is cpu 1, memory 3840Mi and 110 pods. Its server
 * listens on every address of this machine, plain and open to all, which no flag of kubemark changes; it has nothing to give.
 */
export async function startKubelet(cluster: Cluster, node = 'n1'): Promise<Kubelet> {
  const { admin, kubernetes, nodes, place } = cluster;
  const folder = join(place.folder, node);
  await mkdir(folder);
  const running = startProgram(
    `kubelet-${node}`,
    join(kubernetes.folder, 'kubemark'),
    [
      '--morph=kubelet',
      `--name=${node}`,
      `--kubeconfig=${seated(nodes, node).kubeconfig}`,
      `--cert-dir=${folder}`,
      // Otherwise it asks a containerd of this machine about images.
      '--use-host-image-service=false',
      `--kubelet-port=${await freePort()}`,
      '--kubelet-read-only-port=0',
      // As much as it likes: the pods of a test come all at once.
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
      // So that it says where its socket is.
      '--vmodule=remote_runtime=3',
    ],
    place,
  );
  await untilReady(running, async () => {
    const { code } = await admin.run(`kubectl wait --for=condition=Ready --timeout=1s node/${node}`);
    for (const file of leftovers(running)) place.guard.owns(file);
    return code === 0;
  });
  return { ...running, node };
}

function seated(nodes: ReadonlyMap<string, Person>, node: string): Person {
  const person = nodes.get(node);
  if (person === undefined)
    throw new Error(`the cluster was started with the nodes ${[...nodes.keys()].join(', ')}; not ${node}`);
  return person;
}

/** Its root folder and the pretended runtime's socket: both lie in /tmp whatever TMPDIR is, and kubemark leaves them there. */
function leftovers({ err }: Running): readonly string[] {
  const log = readFileSync(err, 'utf8');
  return [/Using (\S+) as root dir/, /Connecting to runtime service.*unix:\/\/([^"]+)/].flatMap(
    (line) => line.exec(log)?.slice(1) ?? [],
  );
}
