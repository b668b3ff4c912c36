// A resize must fit in what is free on the node now; otherwise the kubelet defers it, and whoever asked is not told.
//
// Looks at: resources.requests of every container and spec.resources, the node's allocatable, what its other pods hold
// Allowed:  pod requests ≤ node allocatable − what the other pods on the node hold; requests that do not grow
// Node not known: passes; resize-within-node says that this was not checked
// Beyond the node's allocatable: passes; that is resize-within-node's to say
import { allocatedRequests, desiredRequests } from '../model/pod-requests.ts';
import { compare, quantityOf } from '../model/quantity.ts';
import { type Excess, excess, remaining, type Resources } from '../model/resources.ts';
import { inOrder } from './finding-order.ts';
import { roomFinding } from './room-on-node.ts';
import { defineRule, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

const WORDS = { when: ' now', available: 'free', outcome: ', so the resize waits' };

/**
 * Follows the kubelet's admission of a resize: the pod with its desired requests, beside the other pods at what they have been
 * allocated. A pod grows where it requests more than the kubelet has set aside for it.
 */
export const resizeFitsNow = defineRule({
  id: 'resize-fits-now',
  summary: 'A resize must fit in what is free on the node now.',
  scopes: ['resize'],
  settings: noSettings,
  check(facts) {
    const { pod, before, node, version } = facts;
    if (node.state !== 'known' || before === undefined) return NO_FINDINGS;
    const over = excess(desiredRequests(pod, version), remaining(node.allocatable, node.heldByOthers()));
    if (over.length === 0) return NO_FINDINGS;
    const held = allocatedRequests(before);
    const waiting = over.filter((one) => isGrowth(one, held) && fitsWhenEmpty(one, node.allocatable));
    return inOrder(waiting.map((one) => roomFinding(facts, node.name, atLeastZero(one), WORDS)));
  },
});

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
