// Starts a real kubelet with a pretended container runtime (kubemark), which makes a node of this cluster.
//
// Admission, allocation and the verdicts on resizes are the kubelet's own; what a container would do is pretended. So a
// sidecar never counts as started, and a pod with one stays Pending; a resize that was allocated never ends: its values
// stay as asked in allocatedResources, and PodResizeInProgress stays True.
import { readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import type { Person } from './people.ts';
import { freePort } from './ports.ts';
import { type Running, startProgram, untilReady } from './running.ts';

export interface Kubelet extends Running {
  /** The name of its node. */
  readonly node: string;
  /** What it has allocated, by the uids of pods: its own record, which is ahead of every status. */
  readonly allocations: () => Promise<Allocations>;
  /** The pods as it last heard of them: their resourceVersions by their uids. */
  readonly heardOf: () => Promise<ReadonlyMap<string, string>>;
}

/** The resources of each container by its name, of each pod by its uid. */
export type Allocations = ReadonlyMap<string, PodAllocation>;

export interface PodAllocation {
  readonly ContainerResources?: Readonly<Record<string, AllocatedResources>>;
  readonly PodLevelResources?: AllocatedResources | null;
}

export interface AllocatedResources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/**
 * Starts the kubelet of a node and waits until the node is ready; its allocatable is cpu 1, memory 3840Mi and 110 pods. Its server
 * listens on every address of this machine, plain and open to all, which no flag of kubemark changes; it has nothing to give.
 */
export async function startKubelet(cluster: Cluster, node = 'n1'): Promise<Kubelet> {
  const { admin, kubernetes, nodes, place } = cluster;
  const folder = join(place.folder, node);
  const port = await freePort();
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
      `--kubelet-port=${port}`,
      '--kubelet-read-only-port=0',
      // As much as it likes: the pods of a test come all at once.
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
      // So that it says where its socket is.
      '--vmodule=remote_runtime=3,log=3',
    ],
    place,
  );
  await untilReady(running, async () => {
    const { code } = await admin.run(`kubectl wait --for=condition=Ready --timeout=1s node/${node}`);
    for (const file of leftovers(running)) place.guard.owns(file);
    return code === 0;
  });
  return {
    ...running,
    node,
    allocations: () => readAllocations(rootFolder(running)),
    heardOf: () => readHeardOf(port),
  };
}

function seated(nodes: ReadonlyMap<string, Person>, node: string): Person {
  const person = nodes.get(node);
  if (person === undefined)
    throw new Error(`the cluster was started with the nodes ${[...nodes.keys()].join(', ')}; not ${node}`);
  return person;
}

/** Its root folder and the pretended runtime's socket: both lie in /tmp whatever TMPDIR is, and kubemark leaves them there. */
function leftovers(running: Running): readonly string[] {
  const socket = /Connecting to runtime service.*unix:\/\/([^"]+)/.exec(readFileSync(running.err, 'utf8'))?.[1];
  return [rootFolder(running), socket].filter((path) => path !== undefined);
}

function rootFolder({ err }: Running): string | undefined {
  return /Using (\S+) as root dir/.exec(readFileSync(err, 'utf8'))?.[1];
}

async function readAllocations(folder: string | undefined): Promise<Allocations> {
  // It is not there before the first pod.
  const text = await readFile(join(folder ?? '', 'allocated_pods_state'), 'utf8').catch(() => undefined);
  if (text === undefined) return new Map();
  const { data } = JSON.parse(text) as { readonly data: string };
  const { entries = {} } = JSON.parse(data) as { readonly entries?: Readonly<Record<string, PodAllocation>> };
  return new Map(Object.entries(entries));
}

interface Heard {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
}

async function readHeardOf(port: number): Promise<ReadonlyMap<string, string>> {
  const response = await fetch(`http://127.0.0.1:${port}/pods`);
  const { items } = (await response.json()) as { readonly items: readonly Heard[] | null };
  return new Map((items ?? []).map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));
}
