// Starts a real kubelet with a pretended container runtime (./kubelet), which makes a node of this cluster.
//
// Admission, allocation and the verdicts on resizes are the kubelet's own; what a container would do is pretended. So a
// sidecar never counts as started and an init container never ends; a resize that was allocated never ends either: its values
// stay as asked in allocatedResources, and PodResizeInProgress stays True.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import type { RunningPod } from './node-pods.ts';
import type { Person } from './people.ts';
import { freePort } from './ports.ts';
import { type Running, startProgram, untilReady } from './running.ts';

export interface Kubelet extends Running {
  /** The name of its node. */
  readonly node: string;
  /** What it has allocated, by the uids of pods: its own record, which is ahead of every status. */
  readonly allocations: () => Promise<Allocations>;
  /** The pods as it last heard of them, by their uids. */
  readonly heardOf: () => Promise<ReadonlyMap<string, RunningPod>>;
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

/** What its configuration says; by default what a kubelet's default is. */
export interface Managers {
  readonly cpuManager?: 'none' | 'static';
  readonly memoryManager?: 'None' | 'Static';
}

/** Starts the kubelet of a node and waits until the node is ready; its allocatable is cpu 1, memory 3840Mi and 110 pods. */
export async function startKubelet(cluster: Cluster, node = 'n1', managers: Managers = {}): Promise<Kubelet> {
  const { cpuManager = 'none', memoryManager = 'None' } = managers;
  const { admin, kubernetes, nodes, place } = cluster;
  const folder = join(place.folder, node);
  const root = join(folder, 'root');
  const port = await freePort();
  await mkdir(folder);
  const running = startProgram(
    `kubelet-${node}`,
    join(kubernetes.folder, 'kubelet'),
    [
      `--name=${node}`,
      `--kubeconfig=${seated(nodes, node).kubeconfig}`,
      `--port=${port}`,
      `--root=${root}`,
      `--socket=${join(folder, 'runtime.sock')}`,
      `--cpu-manager=${cpuManager}`,
      `--memory-manager=${memoryManager}`,
    ],
    place,
  );
  await untilReady(running, async () => {
    const { code } = await admin.run(`kubectl wait --for=condition=Ready --timeout=1s node/${node}`);
    return code === 0;
  });
  return {
    ...running,
    node,
    allocations: () => readAllocations(root),
    heardOf: () => readHeardOf(port),
  };
}

function seated(nodes: ReadonlyMap<string, Person>, node: string): Person {
  const person = nodes.get(node);
  if (person === undefined)
    throw new Error(`the cluster was started with the nodes ${[...nodes.keys()].join(', ')}; not ${node}`);
  return person;
}

async function readAllocations(folder: string): Promise<Allocations> {
  // It is not there before the first pod.
  const text = await readFile(join(folder, 'allocated_pods_state'), 'utf8').catch(() => undefined);
  if (text === undefined) return new Map();
  const { data } = JSON.parse(text) as { readonly data: string };
  const { entries = {} } = JSON.parse(data) as { readonly entries?: Readonly<Record<string, PodAllocation>> };
  return new Map(Object.entries(entries));
}

async function readHeardOf(port: number): Promise<ReadonlyMap<string, RunningPod>> {
  const response = await fetch(`http://127.0.0.1:${port}/pods`);
  const { items } = (await response.json()) as { readonly items: readonly RunningPod[] | null };
  return new Map((items ?? []).map((pod) => [pod.metadata.uid, pod]));
}
