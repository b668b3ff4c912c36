// What the containers of a pod add up to (KEP-753). The order of init containers matters: a sidecar runs beside all that
// start after it, an init container only until it ends.
import type { Container, Pod } from './pod.ts';
import { add, compare, type Quantity } from './quantity.ts';
import { NO_RESOURCES, type Resources } from './resources.ts';

/** The two lists that are added up. */
export type ContainersOf = Pick<Pod, 'containers' | 'initContainers'>;

/**
 * Per resource the larger of: main containers and sidecars together; each init container with the sidecars before it. `of`
 * says which resources of a container are meant. Neither input nor output is changed afterwards: a pod of one container
 * gives that container's own map. Follows AggregateContainerRequests and AggregateContainerLimits of
 * k8s.io/component-helpers/resource.
 */
export function sumOfContainers<Source extends ContainersOf>(
  pod: Source,
  of: (container: Container, pod: Source) => Resources,
): Resources {
  const { containers, initContainers } = pod;
  const [first] = containers;
  if (first !== undefined && containers.length === 1 && initContainers.length === 0) return of(first, pod);
  const running = new Map<string, Quantity>();
  for (const container of containers) addTo(running, of(container, pod));
  if (initContainers.length === 0) return running;
  raiseTo(running, addInitContainers(pod, of, running));
  return running;
}

/** Adds sidecars to what runs, and gives the peak while the pod starts. */
function addInitContainers<Source extends ContainersOf>(
  pod: Source,
  of: (container: Container, pod: Source) => Resources,
  running: Map<string, Quantity>,
): Resources {
  const sidecars = new Map<string, Quantity>();
  const peak = new Map<string, Quantity>();
  for (const container of pod.initContainers) {
    const resources = of(container, pod);
    if (container.kind === 'sidecar') {
      addTo(sidecars, resources);
      addTo(running, resources);
      // What starts later adds to it, unless that is negative: then this was the peak.
      raiseTo(peak, sidecars);
    } else {
      raiseTo(peak, resources, sidecars);
    }
  }
  return peak;
}

/** What each container requests. */
export function requestsOf(container: Container): Resources {
  return container.requests;
}

/** The limits of each container. */
export function limitsOf(container: Container): Resources {
  return container.limits;
}

function addTo(total: Map<string, Quantity>, more: Resources): void {
  for (const [name, quantity] of more) {
    const current = total.get(name);
    total.set(name, current === undefined ? quantity : add(current, quantity));
  }
}

/** Raises each resource to `wanted` plus what runs beside it; of what only runs beside it, the peak is known already. */
function raiseTo(peak: Map<string, Quantity>, wanted: Resources, beside: Resources = NO_RESOURCES): void {
  for (const [name, quantity] of wanted) {
    const other = beside.get(name);
    const together = other === undefined ? quantity : add(quantity, other);
    const current = peak.get(name);
    if (current === undefined || compare(together, current) > 0) peak.set(name, together);
  }
}
