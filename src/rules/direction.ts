// Which way a resize goes: whether it takes more of the node, and whether it only gives back what the node never gave.
import type { Pod } from '../model/pod.ts';
import { compare, type Quantity } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import type { Facts } from './facts.ts';

/** Whether a change asks for more. A limit that is added is less than none, and one that is removed more than any. */
export function isGrowth({ list, from, to }: Change): boolean {
  if (from === undefined) return list === 'requests';
  if (to === undefined) return list === 'limits';
  return compare(to, from) > 0;
}

/**
 * Whether every value goes back to what the kubelet has allocated, and so takes back a resize that has not happened yet, an
 * Infeasible one for instance. What the status does not report is not known to be allocated.
 */
export function isBackToAllocated({ before, changes }: Pick<Facts, 'before' | 'changes'>): boolean {
  return (
    before !== undefined &&
    changes.length > 0 &&
    changes.every((change) => isSame(change.to, allocated(before, change)))
  );
}

// The API reports allocated requests; of limits only the actual ones, which are the allocated ones until those are applied.
function allocated({ status }: Pod, { container, list, resource }: Change): Quantity | undefined {
  const held = container === undefined ? status : status.containers.get(container.name);
  return (list === 'requests' ? held?.allocated : held?.resources?.limits)?.get(resource);
}

function isSame(to: Quantity | undefined, held: Quantity | undefined): boolean {
  return to !== undefined && held !== undefined && compare(to, held) === 0;
}
