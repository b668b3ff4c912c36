// What a pod asks of a node: as its spec says, and as the scheduler counts it while a resize is pending. Follows PodRequests and PodLimits of k8s.io/component-helpers/resource.
import { limitsOf, requestsOf, sumOfContainers } from './container-sum.ts';
import {
  canResizePodLevel,
  countsWholePodTotals,
  hasPodLevelResources,
  type KubernetesVersion,
} from './kubernetes-version.ts';
import { type Container, isResizeInfeasible, type Pod, type PodLevelResources } from './pod.ts';
import { hasPodLevelResource, isPodLevelResource } from './pod-level.ts';
import { add, type Quantity, quantityOf } from './quantity.ts';
import { max, NO_RESOURCES, type Resources, sum } from './resources.ts';

const ZERO = quantityOf(0n, 'decimal');

/**
 * What the spec asks for: containers (KEP-753), pod-level requests in their place where the version has them (KEP-2837), and
 * overhead.
 */
export function desiredRequests(pod: Pod, version: KubernetesVersion): Resources {
  const ofContainers = sumOfContainers(pod, requestsOf);
  const podLevel = countedPodLevel(pod, version);
  return sum(podLevel === undefined ? ofContainers : replace(ofContainers, podLevel.requests), pod.overhead);
}

/**
 * The limits of the spec, in the same way; overhead counts only where there is a limit above zero. No bound for a resource
 * of which a container has no limit: see hasUnlimitedContainer.
 */
export function desiredLimits(pod: Pod, version: KubernetesVersion): Resources {
  const ofContainers = sumOfContainers(pod, limitsOf);
  const podLevel = countedPodLevel(pod, version);
  const limits = podLevel === undefined ? ofContainers : replace(ofContainers, podLevel.limits);
  return pod.overhead.size === 0 ? limits : addToLimits(limits, pod.overhead);
}

/**
 * Whether a container may use as much of a resource as there is: it has no limit of it, or a limit of zero, which runtimes
 * take for none, and the pod has no limit either.
 */
export function hasUnlimitedContainer(pod: Pod, resource: string): boolean {
  if (pod.podLevel !== undefined && isPodLevelResource(resource) && isLimited(pod.podLevel.limits, resource))
    return false;
  return !(
    pod.containers.every(({ limits }) => isLimited(limits, resource)) &&
    pod.initContainers.every(({ limits }) => isLimited(limits, resource))
  );
}

/**
 * What the scheduler and quota count while a resize may be pending (PodRequests with UseStatusResources). Through 1.36 each
 * container counts with the largest of spec, actual and allocated; from 1.37 the largest of three totals of the whole pod
 * counts. The spec of an infeasible resize counts nowhere.
 */
export function heldRequests(pod: Pod, version: KubernetesVersion): Resources {
  const ofContainers = countsWholePodTotals(version) ? largestTotal(pod) : sumOfMaxima(pod);
  return sum(replace(ofContainers, heldPodLevel(pod, version)), pod.overhead);
}

/** Through 1.36. */
function sumOfMaxima(pod: Pod): Resources {
  return sumOfContainers(pod, isResizeInfeasible(pod) ? maximumWithoutSpec : maximum);
}

/** From 1.37. A kubelet that reports totals of the whole pod is believed. */
function largestTotal(pod: Pod): Resources {
  const { resources, allocated } = pod.status;
  const infeasible = isResizeInfeasible(pod);
  const hasTotals = allocated !== undefined && resources !== undefined && resources.requests.size > 0;
  const setAside = hasTotals ? allocated : sumOfContainers(pod, infeasible ? allocatedOnly : allocatedOrSpec);
  const actual = hasTotals ? resources.requests : sumOfContainers(pod, infeasible ? actualOnly : actualOrSpec);
  const held = max(setAside, actual);
  return infeasible ? held : max(sumOfContainers(pod, requestsOf), held);
}

function heldPodLevel(pod: Pod, version: KubernetesVersion): Resources {
  const { podLevel, status } = pod;
  if (podLevel === undefined || !hasPodLevelResources(version)) return NO_RESOURCES;
  if (!canResizePodLevel(version) || status.resources === undefined || !hasPodLevelResource(podLevel.requests)) {
    return podLevel.requests;
  }
  const reported = max(status.resources.requests, status.allocated ?? NO_RESOURCES);
  const held = isResizeInfeasible(pod) ? reported : max(podLevel.requests, reported);
  return countsWholePodTotals(version) ? held : onlyNamesOf(podLevel.requests, held);
}

/** 1.36 takes only what the spec names, and zero for a name that is left out of the status of an infeasible resize. */
export function onlyNamesOf(spec: Resources, held: Resources): Resources {
  const named = new Map<string, Quantity>();
  for (const name of spec.keys()) named.set(name, held.get(name) ?? ZERO);
  return named;
}

/** An init container counts with its spec; a container whose node does not report `resources` as well. */
function maximum(container: Container, pod: Pod): Resources {
  const status = pod.status.containers.get(container.name);
  if (container.kind === 'init' || status?.resources === undefined) return container.requests;
  return max(container.requests, max(status.resources.requests, status.allocated ?? NO_RESOURCES));
}

function maximumWithoutSpec(container: Container, pod: Pod): Resources {
  const status = pod.status.containers.get(container.name);
  if (container.kind === 'init' || status?.resources === undefined) return container.requests;
  return max(status.resources.requests, status.allocated ?? NO_RESOURCES);
}

function allocatedOrSpec(container: Container, pod: Pod): Resources {
  return pod.status.containers.get(container.name)?.allocated ?? container.requests;
}

function allocatedOnly(container: Container, pod: Pod): Resources {
  return pod.status.containers.get(container.name)?.allocated ?? NO_RESOURCES;
}

function actualOrSpec(container: Container, pod: Pod): Resources {
  const actual = pod.status.containers.get(container.name)?.resources?.requests ?? NO_RESOURCES;
  return actual.size > 0 ? actual : allocatedOrSpec(container, pod);
}

function actualOnly(container: Container, pod: Pod): Resources {
  const actual = pod.status.containers.get(container.name)?.resources?.requests ?? NO_RESOURCES;
  return actual.size > 0 ? actual : allocatedOnly(container, pod);
}

/** Pod-level resources where the version has them; undefined where they count for nothing. */
export function countedPodLevel({ podLevel }: Pod, version: KubernetesVersion): PodLevelResources | undefined {
  return hasPodLevelResources(version) ? podLevel : undefined;
}

/** Pod-level values stand in the place of what the containers add up to. */
export function replace(ofContainers: Resources, podLevel: Resources): Resources {
  if (podLevel.size === 0) return ofContainers;
  const replaced = new Map<string, Quantity>(ofContainers);
  for (const [name, quantity] of podLevel) {
    if (isPodLevelResource(name)) replaced.set(name, quantity);
  }
  return replaced;
}

function addToLimits(limits: Resources, overhead: Resources): Resources {
  const total = new Map<string, Quantity>(limits);
  for (const [name, quantity] of overhead) {
    const limit = total.get(name);
    if (limit !== undefined && limit.nanos !== 0n) total.set(name, add(limit, quantity));
  }
  return total;
}

function isLimited(limits: Resources, resource: string): boolean {
  const limit = limits.get(resource);
  return limit !== undefined && limit.nanos !== 0n;
}
