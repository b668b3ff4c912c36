// A pod and its containers, as podrail judges them: only what a rule may look at, with every default that the API
// server applies already applied.
import type { Resources } from './resources.ts';

/** A *sidecar* is exactly an init container with `restartPolicy: Always` (KEP-753); any other init container is `init`. */
export type ContainerKind = 'main' | 'sidecar' | 'init';

/** One entry of `resizePolicy`. Both texts are as written, so a rule can judge them. */
export interface ResizePolicyEntry {
  readonly resourceName: string;
  readonly restartPolicy: string;
}

export interface ContainerPort {
  readonly containerPort: number;
  readonly hostPort: number | undefined;
  readonly protocol: string;
}

/** What the kubelet reports of one container: `status.containerStatuses[]` and `status.initContainerStatuses[]`. */
export interface ContainerStatus {
  readonly name: string;
  readonly running: boolean;
  /** The actual requests and limits; undefined when the node does not report them (no resize support). */
  readonly resources: { readonly requests: Resources; readonly limits: Resources } | undefined;
  /** The requests the kubelet has set aside for the container; undefined when not reported. */
  readonly allocated: Resources | undefined;
  /** The reason of the last termination (`OOMKilled`), when there was one. */
  readonly lastTerminationReason: string | undefined;
  /** When that termination was; undefined when there was none, or nobody knows. */
  readonly lastTerminatedAt: Date | undefined;
}

export interface Container {
  readonly kind: ContainerKind;
  /** Position in its own list: `spec.containers` for a main container, otherwise `spec.initContainers`. */
  readonly index: number;
  readonly name: string;
  readonly image: string;
  readonly requests: Resources;
  readonly limits: Resources;
  /** Whether `resources.claims` (DRA) has an entry. */
  readonly hasClaims: boolean;
  /** undefined when the field is absent: a patch must then create the list. */
  readonly resizePolicy: readonly ResizePolicyEntry[] | undefined;
  readonly restartPolicy: string | undefined;
  readonly ports: readonly ContainerPort[];
  /** The fields among `livenessProbe`, `readinessProbe`, `startupProbe`, `lifecycle` that are set. */
  readonly hooks: readonly ContainerHook[];
  /** Whether `lifecycle.postStart` is set: the kubelet waits for it before a sidecar counts as started. */
  readonly hasPostStart: boolean;
}

export const CONTAINER_HOOKS = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'] as const;

export type ContainerHook = (typeof CONTAINER_HOOKS)[number];

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
}

export interface PodStatus {
  readonly phase: string | undefined;
  readonly qosClass: string | undefined;
  readonly conditions: readonly PodCondition[];
  /** Main, sidecar and init container statuses by container name (names are unique in a pod). */
  readonly containers: ReadonlyMap<string, ContainerStatus>;
  /** `status.resources` and `status.allocatedResources` of pods with pod-level resources (KEP-5419). */
  readonly resources: { readonly requests: Resources; readonly limits: Resources } | undefined;
  readonly allocated: Resources | undefined;
  /** `status.nodeAllocatableResourceClaimStatuses` is not empty (DRA, 1.36). */
  readonly hasNodeAllocatableClaims: boolean;
}

export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The pod-level `spec.resources` (KEP-2837). */
export interface PodLevelResources {
  readonly requests: Resources;
  readonly limits: Resources;
}

export interface Pod {
  /** Empty while the API server has not generated it yet; then `generateName` is set. */
  readonly name: string;
  readonly generateName: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The controlling owner, or the first owner. */
  readonly owner: Owner | undefined;
  /**
   * When `pods/resize` last changed it, to the second: the latest managedFields entry of that subresource. Only a stored pod
   * tells: the new one already has the entry of its own request. Who may update the pod may also clear these entries.
   */
  readonly lastResizedAt: Date | undefined;
  readonly nodeName: string | undefined;
  /** `spec.os.name`. */
  readonly os: string | undefined;
  readonly restartPolicy: string;
  readonly containers: readonly Container[];
  /** Sidecars and init containers, in the order in which they start. */
  readonly initContainers: readonly Container[];
  readonly podLevel: PodLevelResources | undefined;
  readonly overhead: Resources;
  readonly status: PodStatus;
}

/** Every container that has resources: main containers first, then init containers, each in order. */
export function allContainers(pod: Pod): readonly Container[] {
  return pod.initContainers.length === 0 ? pod.containers : [...pod.containers, ...pod.initContainers];
}

/** The list of the spec that holds containers of a kind. */
export function listOf({ kind }: Pick<Container, 'kind'>): 'containers' | 'initContainers' {
  return kind === 'main' ? 'containers' : 'initContainers';
}

/** The field path of a container as a person would type it: `spec.initContainers[0]`. */
export function containerPath(container: Container): string {
  return `spec.${listOf(container)}[${container.index}]`;
}

/** A mirror pod is the API server's image of a static pod, made by its kubelet. */
export function isMirrorPod(pod: Pod): boolean {
  return pod.annotations['kubernetes.io/config.mirror'] !== undefined;
}

/** The name to show for a pod: its name, or the prefix it will be generated from. */
export function podName(pod: Pod): string {
  return pod.name === '' ? pod.generateName : pod.name;
}

/** Whether the kubelet has found that the pending resize can never fit: then it counts what is allocated, not the spec. */
export function isResizeInfeasible(pod: Pod): boolean {
  for (const { type, reason } of pod.status.conditions) {
    if (type === 'PodResizePending') return reason === 'Infeasible';
  }
  return false;
}
