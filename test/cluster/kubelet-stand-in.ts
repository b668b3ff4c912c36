// Stands in for scheduler and kubelet where a test needs a pod that runs on a node and nothing of either: an administrator
// makes the node, binds the pod to it, and says that its containers run with what their specs ask for.
import type { Person } from './people.ts';
import { podsPath, untilCached } from './pods.ts';

/** Makes a ready node. Its allocatable is what a kubelet would report. */
export async function createNode(
  admin: Person,
  name: string,
  allocatable: Readonly<Record<string, string>>,
  os = 'linux',
): Promise<void> {
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/os': os, 'kubernetes.io/hostname': name } },
    status: {
      allocatable,
      capacity: allocatable,
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'a stand-in' }],
      nodeInfo: { operatingSystem: os, architecture: 'amd64' },
    },
  };
  await admin.must('kubectl create -f -', JSON.stringify(node));
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly restartPolicy?: string;
  readonly resources: { readonly requests?: object; readonly limits?: object };
}

/** Binds a pod of `default` and reports it as running. */
export async function runOn(admin: Person, node: string, pod: string): Promise<void> {
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: pod }, target: { kind: 'Node', name: node } };
  await admin.must(`kubectl create --raw /api/v1/namespaces/default/pods/${pod}/binding -f -`, JSON.stringify(binding));
  const { spec } = JSON.parse(await admin.must(`kubectl get pod ${pod} -o json`)) as {
    readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
  };
  const status = {
    phase: 'Running',
    containerStatuses: spec.containers.map(toStatus),
    initContainerStatuses: (spec.initContainers ?? []).map(toStatus),
  };
  await admin.must(`kubectl patch pod ${pod} --subresource status --patch '${JSON.stringify({ status })}'`);
  await untilCached(admin, podsPath(pod));
}

/** The status of a container that runs with what its spec asks for. */
export function toStatus({ name, image, resources }: Container): object {
  return {
    name,
    image,
    imageID: '',
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: '2026-11-30T09:00:00Z' } },
    ...(resources.requests === undefined ? {} : { allocatedResources: resources.requests }),
    resources,
  };
}
