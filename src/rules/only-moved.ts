// The one value that took a pod's sum where it is: then that value can be told what it could be.
import { allContainers, type Container, type Pod } from '../model/pod.ts';
import { compare } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import type { Facts } from './facts.ts';
import type { ValueInPod } from './passing-value.ts';

type List = ValueInPod['list'];

/**
 * On a create the only value of that resource there is, on a resize the only one that moved up (`most`) or down (`least`); undefined
 * when there are several, or none.
 */
export function onlyMoved(
  { scope, pod, changes }: Facts,
  list: List,
  resource: string,
  side: 'most' | 'least',
): ValueInPod | undefined {
  const values = scope === 'create' ? valuesIn(pod, list, resource) : movedIn(changes, list, resource, side);
  return values.length === 1 ? values[0] : undefined;
}

function movedIn(
  changes: readonly Change[],
  list: List,
  resource: string,
  side: 'most' | 'least',
): readonly ValueInPod[] {
  return changes.flatMap(({ container, list: changed, resource: name, from, to }) => {
    if (changed !== list || name !== resource || to === undefined) return [];
    const way = from === undefined ? undefined : compare(to, from);
    const isMove = way === undefined || (side === 'most' ? way > 0 : way < 0);
    return isMove ? [{ container, list, resource, quantity: to }] : [];
  });
}

/** The values of a resource that count: the pod's own in the place of its containers'. */
function valuesIn(pod: Pod, list: List, resource: string): readonly ValueInPod[] {
  const ofPod = pod.podLevel?.[list].get(resource);
  if (ofPod !== undefined) return [{ container: undefined, list, resource, quantity: ofPod }];
  return allContainers(pod).flatMap((container: Container) => {
    const quantity = container[list].get(resource);
    return quantity === undefined ? [] : [{ container, list, resource, quantity }];
  });
}
