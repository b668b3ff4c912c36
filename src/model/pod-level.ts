// Pod-level `spec.resources` (KEP-2837): which resources it may name, and what the API server completes in it.
import { type ContainersOf, limitsOf, requestsOf, sumOfContainers } from './container-sum.ts';
import type { Container, PodLevelResources } from './pod.ts';
import { compare, type Quantity, roundUpToMilli, unrounded } from './quantity.ts';
import type { Resources } from './resources.ts';

const HUGE_PAGES = 'hugepages-';

/** Whether it is a resource such as `hugepages-2Mi`. */
export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** Whether a pod-level value of this resource counts: cpu, memory and huge pages (IsSupportedPodLevelResource). */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

/** Whether a list has a pod-level resource that counts (IsPodLevelRequestsSet, IsPodLevelLimitsSet). */
export function hasPodLevelResource(resources: Resources): boolean {
  for (const name of resources.keys()) {
    if (isPodLevelResource(name)) return true;
  }
  return false;
}

/**
 * What SetDefaults_Pod completes when a pod is decoded, through 1.36: limits of huge pages from the containers, and where
 * there are limits, missing requests from the containers, else from the limits. 1.37 completes more, when the pod is stored.
 * What the containers request is added up first and then rounded to milli-units, so that it can be less than the sum of what they
 * are stored with; validation then refuses the pod.
 */
export function withPodLevelDefaults(podLevel: PodLevelResources, pod: ContainersOf): PodLevelResources {
  const sums = { requests: sumBeforeRounding(pod, requestsOf), limits: sumBeforeRounding(pod, limitsOf) };
  const limits = withHugePageLimits(podLevel, sums.limits);
  if (limits.size === 0) return podLevel;
  return { requests: withMissingRequests(podLevel.requests, limits, sums.requests), limits };
}

function sumBeforeRounding(pod: ContainersOf, of: (container: Container) => Resources): Resources {
  return mapQuantities(
    sumOfContainers(pod, (container) => mapQuantities(of(container), unrounded)),
    roundUpToMilli,
  );
}

function mapQuantities(resources: Resources, change: (quantity: Quantity) => Quantity): Resources {
  const changed = new Map<string, Quantity>();
  for (const [name, quantity] of resources) changed.set(name, change(quantity));
  return changed;
}

/**
 * What 1.37 completes before a resize is validated (DefaultPodLevelResources): as above, but requests also where there are
 * no limits, and a missing limit from the containers where every container has one, raised to the request.
 */
export function withStoredPodLevelDefaults(podLevel: PodLevelResources, pod: ContainersOf): PodLevelResources {
  if (podLevel.requests.size === 0 && podLevel.limits.size === 0) return podLevel;
  const limits = withHugePageLimits(podLevel, sumOfContainers(pod, limitsOf));
  const requests = withMissingRequests(podLevel.requests, limits, sumOfContainers(pod, requestsOf));
  return { requests, limits: withMissingLimits(requests, limits, pod) };
}

function withHugePageLimits(podLevel: PodLevelResources, ofContainers: Resources): Resources {
  const { requests, limits } = podLevel;
  if (requests.size === 0 && limits.size === 0) return limits;
  let completed: Map<string, Quantity> | undefined;
  for (const [name, limit] of ofContainers) {
    if (!isHugePages(name) || requests.has(name) || limits.has(name)) continue;
    completed ??= new Map(limits);
    completed.set(name, limit);
  }
  return completed ?? limits;
}

function withMissingRequests(requests: Resources, limits: Resources, ofContainers: Resources): Resources {
  const completed = new Map(requests);
  for (const [name, request] of ofContainers) {
    if ((name === 'cpu' || name === 'memory') && !completed.has(name)) completed.set(name, request);
  }
  for (const [name, limit] of limits) {
    if (isPodLevelResource(name) && !completed.has(name)) completed.set(name, limit);
  }
  return completed;
}

function withMissingLimits(requests: Resources, limits: Resources, pod: ContainersOf): Resources {
  const completed = new Map(limits);
  const ofContainers = sumOfContainers(pod, limitsOf);
  for (const [name, request] of requests) {
    const limit = ofContainers.get(name);
    if (limit === undefined || !isPodLevelResource(name) || limits.has(name) || !allHaveLimit(pod, name)) continue;
    completed.set(name, compare(request, limit) > 0 ? request : limit);
  }
  return completed;
}

function allHaveLimit(pod: ContainersOf, name: string): boolean {
  return (
    pod.containers.every(({ limits }) => limits.has(name)) && pod.initContainers.every(({ limits }) => limits.has(name))
  );
}
