// Which way a resize goes: whether it takes more of the node, and whether it only gives back what the node never gave.
import { allocatedTo, allocatedToPodLevel } from '../model/allocated-requests.ts';
import type { Pod } from '../model/pod.ts';
import { compare, type Quantity, quantityOf } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import type { Facts } from './facts.ts';

const ZERO = quantityOf(0n, 'decimal');

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
  return before !== undefined && changes.length > 0 && changes.every((change) => isBack(before, change));
}

/** Whether this value does: a request to what is allocated, or to 0 where nothing is, a limit to what is applied. */
export function isBack(before: Pod, change: Change): boolean {
  const held = heldBefore(before, change);
  return change.to !== undefined && held !== undefined && compare(change.to, held) === 0;
}

// The API reports allocated requests; of limits only the actual ones, which are the allocated ones until those are applied.
function heldBefore(before: Pod, { container, list, resource }: Change): Quantity | undefined {
  const { status } = before;
  if (list === 'limits') {
    return (container === undefined ? status : status.containers.get(container.name))?.resources?.limits.get(resource);
  }
  const allocated = container === undefined ? allocatedToPodLevel(before) : allocatedTo(before, container);
  if (allocated === undefined) return undefined;
  return allocated.get(resource) ?? ZERO;
}
