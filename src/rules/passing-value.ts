// What one value of a pod could be so that the pod's sum just keeps a bound.
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Container, Pod } from '../model/pod.ts';
import { desiredLimits, desiredRequests } from '../model/pod-requests.ts';
import { compare, type Quantity, quantityOf } from '../model/quantity.ts';
import type { Resources } from '../model/resources.ts';
import type { Facts } from './facts.ts';

/** One value of a pod. */
export interface ValueInPod {
  /** undefined for pod-level `spec.resources`. */
  readonly container: Container | undefined;
  readonly list: 'requests' | 'limits';
  readonly resource: string;
  readonly quantity: Quantity;
}

/** What the pod requests, or is limited to, in all: containers (KEP-753), pod-level resources in their place, overhead. */
export function totalsOf(pod: Pod, list: ValueInPod['list'], version: KubernetesVersion): Resources {
  return list === 'requests' ? desiredRequests(pod, version) : desiredLimits(pod, version);
}

/**
 * What `value` could be so that the pod's sum, which is `total` now, is `bound`; undefined when no value of it would do, because
 * of init containers or the others. The sum is a maximum of sums in which one container counts once or not at all, so
 * adding what is missing, or taking away what is too much, is exact where it is enough. `totals` gives the pod's sums, where
 * they are not those of its spec.
 */
export function passingValue(
  { pod, version }: Pick<Facts, 'pod' | 'version'>,
  value: ValueInPod,
  total: Quantity,
  bound: Quantity,
  totals: (pod: Pod) => Resources = (one) => totalsOf(one, value.list, version),
): Quantity | undefined {
  const { resource, quantity } = value;
  const nanos = quantity.nanos + bound.nanos - total.nanos;
  if (nanos < 0n) return undefined;
  // In the unit of who asked, save cpu, which has no other one.
  const passing = quantityOf(nanos, resource === 'cpu' ? 'decimal' : quantity.format);
  const reached = totals(withValue(pod, value, passing)).get(resource) ?? total;
  const keeps = compare(total, bound) > 0 ? compare(reached, bound) <= 0 : compare(reached, bound) >= 0;
  return keeps ? passing : undefined;
}

function withValue(pod: Pod, { container, list, resource }: ValueInPod, quantity: Quantity): Pod {
  const replace = (resources: Resources): Resources => new Map(resources).set(resource, quantity);
  if (container === undefined) {
    if (pod.podLevel === undefined) return pod;
    return { ...pod, podLevel: { ...pod.podLevel, [list]: replace(pod.podLevel[list]) } };
  }
  const replaceIn = (one: Container): Container =>
    one.name === container.name ? { ...one, [list]: replace(one[list]) } : one;
  return { ...pod, containers: pod.containers.map(replaceIn), initContainers: pod.initContainers.map(replaceIn) };
}
