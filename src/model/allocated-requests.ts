// What a pod holds on its node in the eyes of its kubelet: what that has allocated to it, as far as it tells.
import { sumOfContainers } from './container-sum.ts';
import { countsWholePodTotals, type KubernetesVersion } from './kubernetes-version.ts';
import type { Container, Pod } from './pod.ts';
import { heldRequests, onlyNamesOf, replace } from './pod-requests.ts';
import { max, NO_RESOURCES, remaining, type Resources, sum } from './resources.ts';

/**
 * What the kubelet counts for another pod on its node: as the scheduler counts it, with what is allocated in the place of the
 * spec, so what a container still uses counts as well. A kubelet of 1.37 reports totals that have the overhead in them already,
 * and adds it again. A pod that has finished counts nothing, which is for the caller to know.
 */
export function heldOnNode(pod: Pod, version: KubernetesVersion): Resources {
  const { allocated, resources } = pod.status;
  if (
    countsWholePodTotals(version) &&
    allocated !== undefined &&
    resources !== undefined &&
    resources.requests.size > 0
  ) {
    return sum(max(allocated, resources.requests), pod.overhead);
  }
  return heldRequests(asAllocated(pod), version);
}

/**
 * What the kubelet has set aside for the pod: what it has allocated, where it says so, else the spec. From 1.36 it says so
 * for the whole pod, overhead included.
 */
export function allocatedRequests(pod: Pod): Resources {
  if (pod.status.allocated !== undefined) return pod.status.allocated;
  const ofContainers = sumOfContainers(pod, (container) => allocatedTo(pod, container) ?? container.requests);
  return sum(pod.podLevel === undefined ? ofContainers : replace(ofContainers, pod.podLevel.requests), pod.overhead);
}

/**
 * What the kubelet has allocated to a container; undefined where it does not tell. Of a container that runs and has nothing it
 * tells an empty `resources`, and an empty `allocatedResources` is one that the API does not write.
 */
export function allocatedTo(pod: Pod, { name }: Container): Resources | undefined {
  const status = pod.status.containers.get(name);
  if (status?.allocated !== undefined) return status.allocated;
  return status?.running && status.resources?.requests.size === 0 ? NO_RESOURCES : undefined;
}

/**
 * What the kubelet has allocated to the pod as a whole, without the overhead, which it counts in (from 1.36): what pod-level requests
 * go back to. Undefined where it does not tell.
 */
export function allocatedToPodLevel({ status, overhead }: Pod): Resources | undefined {
  return status.allocated && remaining(status.allocated, overhead);
}

/** The pod as the kubelet sees it, as far as it tells. */
function asAllocated(pod: Pod): Pod {
  const withAllocated = (container: Container): Container => {
    const allocated = allocatedTo(pod, container);
    return allocated === undefined ? container : { ...container, requests: allocated };
  };
  const { podLevel, status } = pod;
  return {
    ...pod,
    containers: pod.containers.map(withAllocated),
    initContainers: pod.initContainers.map(withAllocated),
    podLevel:
      podLevel && status.allocated
        ? { ...podLevel, requests: onlyNamesOf(podLevel.requests, status.allocated) }
        : podLevel,
  };
}
