// How a pod that requests too much for its node is told so: shared by the rules that compare a pod with what a node has.
import { compare, type Quantity, toText } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import type { Excess } from '../model/resources.ts';
import type { Facts } from './facts.ts';
import { boundText, firstThatFits, quote, resourcePath, subjectOf } from './message.ts';
import { passingValue } from './passing-value.ts';
import type { Finding } from './rule.ts';

/** Where the sentences differ. */
export interface RoomWords {
  /** After the node: ` now`, or nothing. */
  readonly when: string;
  /** What the available amount is: `allocatable`, `free`. */
  readonly available: string;
  /** What follows from it: `, so …`, or nothing. */
  readonly outcome: string;
}

/**
 * The pod requests more than is available. When one value alone grew, the finding is about that one and its bound is the
 * largest value that would pass; otherwise it is about the pod's sum.
 */
export function roomFinding(facts: Facts, nodeName: string, over: Excess, words: RoomWords): Finding {
  const grown = onlyGrown(facts.changes, over.resource);
  const largest = grown?.to && passingValue(facts, { ...grown, quantity: grown.to }, over.wanted, over.available);
  const path = grown && largest ? resourcePath(grown.container, 'requests', over.resource) : 'spec';
  const aim = `to fit node ${quote(nodeName)}${words.when}`;
  const sum = toText(over.wanted);
  const available = toText(over.available);
  if (grown?.to === undefined || largest === undefined || compare(largest, over.available) === 0) {
    const who = subjectOf(facts.pod, undefined);
    const message = `${who} must ${atMost(over.available, over.resource)} ${aim}; it requests ${sum}${words.outcome}`;
    return { path, message, actual: sum, bound: available };
  }
  const who = subjectOf(facts.pod, grown.container);
  const actual = toText(grown.to);
  const short = `${who} must ${atMost(largest, over.resource)} ${aim}; it requests ${actual}`;
  const message = firstThatFits(`${short}, the pod ${sum} of ${available} ${words.available}`, short);
  return { path, message, actual, bound: toText(largest) };
}

function atMost(quantity: Quantity, resource: string): string {
  return boundText('requests', `at most ${toText(quantity)}`, resource);
}

function onlyGrown(changes: readonly Change[], resource: string): Change | undefined {
  const grown = changes.filter(
    ({ list, resource: name, from, to }) =>
      list === 'requests' && name === resource && to !== undefined && (from === undefined || compare(to, from) > 0),
  );
  return grown.length === 1 ? grown[0] : undefined;
}
