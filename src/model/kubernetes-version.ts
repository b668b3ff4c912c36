// Which minor of Kubernetes, and what differs in it. Feature gates are taken at their defaults (reference:
// kubernetes/pkg/features/kube_features.go of each minor).

/** A Kubernetes 1.x version; only the minor matters to podrail. */
export interface KubernetesVersion {
  readonly minor: number;
}

/** The oldest and the newest minor whose rules podrail knows; newer ones are judged as the newest of these. */
export const OLDEST_MINOR = 33;
export const NEWEST_MINOR = 37;

/** Reads `1.35`, `v1.35.4` or `1.35.4-gke.100`; undefined when it is no 1.x version from 1.33, the first with resizes, on. */
export function parseKubernetesVersion(text: string): KubernetesVersion | undefined {
  const match = /^v?1\.(\d{1,3})(?:[.+-].*)?$/.exec(text);
  const minor = Number(match?.[1]);
  return minor >= OLDEST_MINOR ? { minor } : undefined;
}

/** `1.35`. */
export function toVersionText(version: KubernetesVersion): string {
  return `1.${version.minor}`;
}

/** Whether a memory limit may be lowered or added without RestartContainer (validation.go, from 1.34). */
export function canLowerMemoryLimit(version: KubernetesVersion): boolean {
  return version.minor >= 34;
}

/** Whether an init container that is no sidecar may be resized (InPlacePodVerticalScalingInitContainers). */
export function canResizeInitContainers(version: KubernetesVersion): boolean {
  return version.minor >= 36;
}

/** Whether pod-level resources exist (PodLevelResources); before, the API server drops `spec.resources`. */
export function hasPodLevelResources(version: KubernetesVersion): boolean {
  return version.minor >= 34;
}

/** Whether a resize may change pod-level resources (InPlacePodLevelResourcesVerticalScaling). */
export function canResizePodLevel(version: KubernetesVersion): boolean {
  return version.minor >= 36;
}

/**
 * Whether a create or a resize completes pod-level resources when it is stored, and a resize puts a removed block back
 * (PodLevelResourcesFixDefaulting); before, some are completed when the pod is decoded.
 */
export function completesStoredPodLevel(version: KubernetesVersion): boolean {
  return version.minor >= 37;
}

/** Whether an empty `spec.resources` leaves the QoS class to the containers (PodLevelResourcesFixKubeletQOSClass). */
export function ignoresEmptyPodLevel(version: KubernetesVersion): boolean {
  return version.minor >= 37;
}

/** Whether the QoS class comes from sums over all containers, not from each of them (ComputePodQOS, 1.37). */
export function comparesSumsForQos(version: KubernetesVersion): boolean {
  return version.minor <= 36;
}

/** Whether claims of containers are dropped, in pods that have none already (DynamicResourceAllocation, off). */
export function dropsClaims(version: KubernetesVersion): boolean {
  return version.minor <= 33;
}

/** Whether a container with DRA claims may be resized, in a pod with any kind of claims. */
export function canResizeWithClaims(version: KubernetesVersion): boolean {
  return version.minor >= 37;
}

/** Whether `status.nodeAllocatableResourceClaimStatuses` keeps a pod from being resized: 1.36 alone has that check. */
export function refusesNodeAllocatableClaims(version: KubernetesVersion): boolean {
  return version.minor === 36;
}

/**
 * Whether a resize may add resources other than cpu and memory to a container that had no requests, or no limits, at all
 * (kubernetes/kubernetes#135084 closed this in 1.35).
 */
export function acceptsOtherResourcesInNewLists(version: KubernetesVersion): boolean {
  return version.minor <= 34;
}

/** Whether a container may have a `restartPolicy` other than a sidecar's (ContainerRestartRules, KEP-5307). */
export function hasContainerRestartPolicies(version: KubernetesVersion): boolean {
  return version.minor >= 35;
}

/** Whether such a `restartPolicy` is dropped from new pods without a word: 1.34 knows the field, its gate is off. */
export function dropsContainerRestartPolicies(version: KubernetesVersion): boolean {
  return version.minor === 34;
}

/** Whether the API server refuses a resize that its node can never hold (the PodResizeValidator plugin). */
export function checksNodeOnResize(version: KubernetesVersion): boolean {
  return version.minor >= 36;
}

/** Whether RestartContainer is refused in the `resizePolicy` of an init container that is no sidecar. */
export function refusesRestartOnInitContainers(version: KubernetesVersion): boolean {
  return version.minor >= 36;
}

/** Whether a pod holds the maximum of whole-pod totals, no longer the sum of container maxima (PodRequests, 1.37). */
export function countsWholePodTotals(version: KubernetesVersion): boolean {
  return version.minor >= 37;
}

/**
 * Whether a kubelet raises the cgroup of a pod for a main container that was resized while it did not run
 * (startingResizedContainer of kuberuntime, from 1.37); before, only what runs is looked at.
 */
export function raisesPodOfStartingContainers(version: KubernetesVersion): boolean {
  return version.minor >= 37;
}
