// What the API server makes of a new pod, and of one that is sent to be resized, before it validates them.
import {
  canResizePodLevel,
  completesStoredPodLevel,
  dropsClaims,
  hasPodLevelResources,
  type KubernetesVersion,
} from './kubernetes-version.ts';
import { allContainers, type Container, type Pod, type PodLevelResources } from './pod.ts';
import { withPodLevelDefaults, withStoredPodLevelDefaults } from './pod-level.ts';

/**
 * The new pod as it would be stored (podStrategy.PrepareForCreate): pod-level resources completed, claims dropped on 1.33. Two
 * things that earlier minors drop are left for rules to find: pod-level resources on 1.33, where they count for nothing, and
 * restart policies of containers on 1.34.
 */
export function asCreated(pod: Pod, version: KubernetesVersion): Pod {
  return asComplete(dropsClaims(version) ? withoutClaims(pod) : pod, version);
}

/** A pod that is stored, in case somebody wrote it by hand: with what Kubernetes would have completed. */
export function asComplete(pod: Pod, version: KubernetesVersion): Pod {
  const decoded = asDecoded(pod, version);
  if (decoded.podLevel === undefined || !completesStoredPodLevel(version)) return decoded;
  return { ...decoded, podLevel: withStoredPodLevelDefaults(decoded.podLevel, decoded) };
}

/**
 * The resized pod as it would be stored (podResizeStrategy.PrepareForUpdate). Takes from `requested` only the resources and
 * resizePolicy of containers, and pod-level resources from 1.36; 1.37 puts a removed pod-level block back and completes what is
 * missing in one. A list with other names is left as it is, and so is a pod with more or fewer containers, for validation to
 * refuse.
 */
export function asStored(before: Pod, requested: Pod, version: KubernetesVersion): Pod {
  const claiming = dropsClaims(version) && !usesClaims(before) ? withoutClaims(requested) : requested;
  const merged = mergeResize(before, asDecoded(claiming, version), version);
  if (!completesStoredPodLevel(version)) return merged;
  const podLevel = merged.podLevel ?? before.podLevel;
  return podLevel === undefined ? merged : { ...merged, podLevel: withStoredPodLevelDefaults(podLevel, merged) };
}

function mergeResize(before: Pod, requested: Pod, version: KubernetesVersion): Pod {
  const { containers, initContainers, podLevel } = requested;
  if (before.containers.length !== containers.length || before.initContainers.length !== initContainers.length) {
    // 1.33 drops what it does not know from what it validates, too.
    const isDropped = podLevel !== undefined && before.podLevel === undefined && !hasPodLevelResources(version);
    return isDropped ? { ...requested, podLevel: undefined } : requested;
  }
  const merged = {
    ...before,
    containers: withRequestedResources(before.containers, containers),
    initContainers: withRequestedResources(before.initContainers, initContainers),
  };
  return canResizePodLevel(version) ? { ...merged, podLevel } : merged;
}

function withRequestedResources(before: readonly Container[], requested: readonly Container[]): readonly Container[] {
  const merged: Container[] = [];
  for (const [index, container] of before.entries()) {
    const sent = requested[index];
    if (sent?.name !== container.name) return requested;
    const { requests, limits, hasClaims, resizePolicy } = sent;
    merged.push({ ...container, requests, limits, hasClaims, resizePolicy });
  }
  return merged;
}

/** Through 1.36 pod-level resources are completed when a pod is decoded (SetDefaults_Pod). */
function asDecoded(pod: Pod, version: KubernetesVersion): Pod {
  if (pod.podLevel === undefined || !hasPodLevelResources(version) || completesStoredPodLevel(version)) return pod;
  const podLevel: PodLevelResources = withPodLevelDefaults(pod.podLevel, pod);
  return podLevel === pod.podLevel ? pod : { ...pod, podLevel };
}

function usesClaims(pod: Pod): boolean {
  return allContainers(pod).some(({ hasClaims }) => hasClaims);
}

function withoutClaims(pod: Pod): Pod {
  if (!usesClaims(pod)) return pod;
  const release = (container: Container): Container => ({ ...container, hasClaims: false });
  return { ...pod, containers: pod.containers.map(release), initContainers: pod.initContainers.map(release) };
}
