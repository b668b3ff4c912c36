// The QoS class, as the API server computes it (pkg/apis/core/helper/qos/qos.go).
import {
  comparesSumsForQos,
  hasPodLevelResources,
  ignoresEmptyPodLevel,
  type KubernetesVersion,
} from './kubernetes-version.ts';
import { allContainers, type Pod, type PodLevelResources } from './pod.ts';
import { hasPodLevelResource } from './pod-level.ts';
import type { Resources } from './resources.ts';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/**
 * The class that the spec gives a pod (ComputePodQOS): only cpu and memory count, and zero counts as not set. All containers must
 * agree, init containers included; pod-level resources speak for all of them, empty ones too before 1.37.
 */
export function computeQos(pod: Pod, version: KubernetesVersion): QosClass {
  if (isJudgedByPodLevel(pod, version)) return qosOf(pod.podLevel);
  const qos = qosOfContainers(pod);
  return qos === 'Burstable' && comparesSumsForQos(version) && isGuaranteedInAll(pod) ? 'Guaranteed' : qos;
}

function qosOfContainers(pod: Pod): QosClass {
  let qos: QosClass | undefined;
  for (const list of [pod.initContainers, pod.containers]) {
    for (const container of list) {
      qos = combine(qos, qosOf(container));
      if (qos === 'Burstable') return qos;
    }
  }
  return qos ?? 'BestEffort';
}

/** Whether all are limited, and one requests so much above its limit as others do below: no pod that Kubernetes accepts. */
function isGuaranteedInAll(pod: Pod): boolean {
  const beyond = { cpu: 0n, memory: 0n };
  for (const { requests, limits } of allContainers(pod)) {
    for (const resource of ['cpu', 'memory'] as const) {
      const limit = amountOf(limits, resource);
      if (limit === 0n) return false;
      beyond[resource] += amountOf(requests, resource) - limit;
    }
  }
  return beyond.cpu === 0n && beyond.memory === 0n;
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
  const request = amountOf(requests, resource);
  const limit = amountOf(limits, resource);
  if (request !== limit) return 'Burstable';
  return request === 0n ? 'BestEffort' : 'Guaranteed';
}

function amountOf(resources: Resources, resource: string): bigint {
  return resources.get(resource)?.nanos ?? 0n;
}

/** What both are, and Burstable when they differ. */
function combine(a: QosClass | undefined, b: QosClass): QosClass {
  return a === undefined || a === b ? b : 'Burstable';
}
