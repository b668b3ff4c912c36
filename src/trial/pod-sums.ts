// What the pod asks for, container by container, and what each had before.
import { allContainers, type Container, type ContainerStatus } from '../model/pod.ts';
import type { Quantity } from '../model/quantity.ts';
import { isSameQuantity } from '../model/same-resources.ts';
import { type SumTerms, sumTerms } from '../model/sum-terms.ts';
import type { Facts } from '../rules/facts.ts';

/** What one container had before, where that is not what it asks for. */
export interface Earlier {
  readonly container: Container;
  /** In the stored spec. */
  readonly stored: Quantity | undefined;
  /** What the kubelet has set aside, and what the container runs with, while an earlier resize is not done. */
  readonly allocated: Quantity | undefined;
  readonly actual: Quantity | undefined;
}

export interface PodSum {
  readonly terms: SumTerms;
  readonly earlier: readonly Earlier[];
}

/** What the pod asks for of one resource; `terms.total` is undefined where that is nothing. */
export function toPodSum({ pod, before = pod, version }: Facts, list: SumTerms['list'], resource: string): PodSum {
  const stored = new Map(allContainers(before).map((container) => [container.name, container]));
  const earlier = allContainers(pod).flatMap((container): readonly Earlier[] => {
    const own = stored.get(container.name)?.[list].get(resource);
    const status = before.status.containers.get(container.name);
    const reported = reportedOf(status, list);
    const found = {
      container,
      stored: otherThan(container[list].get(resource), own),
      allocated: otherThan(own, reported.allocated?.get(resource)),
      actual: otherThan(own, reported.actual?.get(resource)),
    };
    const isSaid = found.stored ?? found.allocated ?? found.actual;
    return isSaid === undefined ? [] : [found];
  });
  return { terms: sumTerms(pod, list, resource, version), earlier };
}

// A kubelet sets aside requests only.
function reportedOf(status: ContainerStatus | undefined, list: SumTerms['list']) {
  return { allocated: list === 'requests' ? status?.allocated : undefined, actual: status?.resources?.[list] };
}

function otherThan(quantity: Quantity | undefined, other: Quantity | undefined): Quantity | undefined {
  if (quantity === undefined || other === undefined) return other;
  return isSameQuantity(quantity, other) ? undefined : other;
}
