// A resize must fit in what is free on the node now; otherwise the kubelet defers it, and whoever asked is not told.
//
// Looks at: resources.requests of every container and spec.resources, the node's allocatable, what its other pods hold
// Allowed:  pod requests ≤ node allocatable − what the other pods on the node hold; nothing requested of it; what is allocated
// A request that does not grow: advice, since the kubelet waits on a node that is overfull, and refusing would not help
// Node not known: passes; resize-within-node says that this was not checked
// Beyond the node's allocatable: passes; that is resize-within-node's to say
import { allocatedRequests, allocatedTo, allocatedToPodLevel } from '../model/allocated-requests.ts';
import { desiredRequests } from '../model/pod-requests.ts';
import { allContainers, type Pod } from '../model/pod.ts';
import { compare, quantityOf } from '../model/quantity.ts';
import { type Excess, excess, NO_RESOURCES, remaining, type Resources } from '../model/resources.ts';
import { hasSameResources } from '../model/same-resources.ts';
import { inOrder } from './finding-order.ts';
import { roomFinding } from './room-on-node.ts';
import { defineRule, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

const WORDS = { when: ' now', available: 'free', outcome: ', so the resize waits' };

/**
 * Follows the kubelet's admission of a resize: the pod with its desired requests, as if it were new, beside the other pods. A
 * pod grows where it requests more than the kubelet has set aside for it.
 */
export const resizeFitsNow = defineRule({
  id: 'resize-fits-now',
  summary: 'A resize must fit in what is free on the node now.',
  scopes: ['resize'],
  settings: noSettings,
  check(facts) {
    const { pod, before, node, version } = facts;
    if (node.state !== 'known' || before === undefined) return NO_FINDINGS;
    const over = excess(desiredRequests(pod, version), remaining(node.allocatable, node.heldByOthers(version)));
    const waiting = over.filter((one) => one.wanted.nanos > 0n && fitsWhenEmpty(one, node.allocatable));
    if (waiting.length === 0 || isAllocated(pod, before)) return NO_FINDINGS;
    const held = allocatedRequests(before);
    return inOrder(
      waiting.map((one) => {
        const finding = roomFinding(facts, node.name, atLeastZero(one), WORDS);
        return isGrowth(one, held) ? finding : { ...finding, advice: true as const };
      }),
    );
  },
});

/** Whether it goes back to what the kubelet has allocated: then there is nothing to find room for. */
function isAllocated(pod: Pod, before: Pod): boolean {
  const allocated = new Map(
    allContainers(before).map((container) => [container.name, allocatedTo(before, container) ?? container.requests]),
  );
  return (
    isPodLevelAllocated(pod.podLevel, before) &&
    allContainers(pod).every(({ name, requests }) => hasSameResources(requests, allocated.get(name) ?? NO_RESOURCES))
  );
}

/** Where the kubelet does not tell, pod-level resources cannot be resized, so that they are what they were. */
function isPodLevelAllocated(podLevel: Pod['podLevel'], before: Pod): boolean {
  if (podLevel === undefined || before.podLevel === undefined) return podLevel === before.podLevel;
  const allocated = allocatedToPodLevel(before);
  if (allocated === undefined) return hasSameResources(podLevel.requests, before.podLevel.requests);
  return [...podLevel.requests].every(([resource, quantity]) => {
    const held = allocated.get(resource);
    return held !== undefined && compare(quantity, held) === 0;
  });
}

function isGrowth({ resource, wanted }: Excess, held: Resources): boolean {
  const now = held.get(resource);
  return now === undefined || compare(wanted, now) > 0;
}

function fitsWhenEmpty({ resource, wanted }: Excess, allocatable: Resources): boolean {
  const most = allocatable.get(resource);
  return most !== undefined && compare(wanted, most) <= 0;
}

// The others can hold more than the node has, when it shrank: nothing is free then.
function atLeastZero(over: Excess): Excess {
  return over.available.nanos >= 0n ? over : { ...over, available: quantityOf(0n, over.available.format) };
}
