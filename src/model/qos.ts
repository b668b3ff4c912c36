// The QoS class, as the API server computes it (pkg/apis/core/helper/qos/qos.go).
import { hasPodLevelResources, ignoresEmptyPodLevel, type KubernetesVersion } from './kubernetes-version.ts';
import type { Pod, PodLevelResources } from './pod.ts';
import { hasPodLevelResource } from './pod-level.ts';
import type { Resources } from './resources.ts';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/**
 * The class that the spec gives a pod (ComputePodQOS): only cpu and memory count, and zero counts as not set. All containers must
 * agree, init containers included; pod-level resources speak for all of them, empty ones too before 1.37. Follows the
 * container by container form of 1.37; earlier minors compare sums, which is the same while no request is above its limit.
 */
export function computeQos(pod: Pod, version: KubernetesVersion): QosClass {
  if (isJudgedByPodLevel(pod, version)) return qosOf(pod.podLevel);
  let qos: QosClass | undefined;
  for (const list of [pod.initContainers, pod.containers]) {
    for (const container of list) {
      qos = combine(qos, qosOf(container));
      if (qos === 'Burstable') return qos;
    }
  }
  return qos ?? 'BestEffort';
}

/** The class of a stored pod (GetPodQOS): what its status says, else computed. */
export function storedQos(pod: Pod, version: KubernetesVersion): string {
  return pod.status.qosClass ?? computeQos(pod, version);
}

function isJudgedByPodLevel(
  pod: Pod,
  version: KubernetesVersion,
): pod is Pod & { readonly podLevel: PodLevelResources } {
  if (pod.podLevel === undefined || !hasPodLevelResources(version)) return false;
  if (!ignoresEmptyPodLevel(version)) return true;
  return hasPodLevelResource(pod.podLevel.requests) || hasPodLevelResource(pod.podLevel.limits);
}

function qosOf({ requests, limits }: PodLevelResources): QosClass {
  return combine(qosOfResource(requests, limits, 'cpu'), qosOfResource(requests, limits, 'memory'));
}

function qosOfResource(requests: Resources, limits: Resources, resource: string): QosClass {
  const request = requests.get(resource)?.nanos ?? 0n;
  const limit = limits.get(resource)?.nanos ?? 0n;
  if (request !== limit) return 'Burstable';
  return request === 0n ? 'BestEffort' : 'Guaranteed';
}

/** What both are, and Burstable when they differ. */
function combine(a: QosClass | undefined, b: QosClass): QosClass {
  return a === undefined || a === b ? b : 'Burstable';
}
