// What a node has left beside the pods on it, and who holds the rest.
import type { Neighbour } from '../admission/cluster-view.ts';
import { allocatedRequests } from '../model/allocated-requests.ts';
import { add, compare, type Quantity } from '../model/quantity.ts';
import { remaining } from '../model/resources.ts';
import type { Facts, KnownNode } from '../rules/facts.ts';
import type { PodSum } from './pod-sums.ts';

export interface NodeSum {
  readonly resource: string;
  readonly node: string;
  readonly allocatable: Quantity;
  /** Largest first; those beyond the first MOST_NEIGHBOURS are one entry. */
  readonly neighbours: readonly { readonly name: string; readonly held: Quantity }[];
  readonly free: Quantity;
  readonly wanted: Quantity;
  /** What the kubelet has set aside for the pod: it needs no room for that. */
  readonly held: Quantity | undefined;
}

const MOST_NEIGHBOURS = 10;

/** What the node has left of each resource that it and the pod know. */
export function toNodeSums(
  requests: readonly PodSum[],
  { pod, before = pod, version }: Facts,
  node: KnownNode,
  neighbours: readonly Neighbour[],
): readonly NodeSum[] {
  const free = remaining(node.allocatable, node.heldByOthers(version));
  const held = allocatedRequests(before);
  return requests.flatMap(({ terms: { resource, total } }) => {
    const allocatable = node.allocatable.get(resource);
    const left = free.get(resource);
    if (allocatable === undefined || left === undefined || total === undefined) return [];
    return {
      resource,
      node: node.name,
      allocatable,
      neighbours: toHoldings(neighbours, resource),
      free: left,
      wanted: total,
      held: held.get(resource),
    };
  });
}

/** Who holds how much of a resource, as NodeSum shows it. */
export function toHoldings(neighbours: readonly Neighbour[], resource: string): NodeSum['neighbours'] {
  const holding = neighbours.flatMap(({ namespace, name, held }) => {
    const quantity = held.get(resource);
    return quantity === undefined || quantity.nanos === 0n ? [] : { name: `${namespace}/${name}`, held: quantity };
  });
  holding.sort((a, b) => compare(b.held, a.held) || (a.name < b.name ? -1 : 1));
  // One more line says no less than "and 1 more".
  if (holding.length <= MOST_NEIGHBOURS + 1) return holding;
  const shown = holding.slice(0, MOST_NEIGHBOURS);
  const others = holding.slice(MOST_NEIGHBOURS);
  const together = others.map(({ held }) => held).reduce(add);
  return [...shown, { name: `${others.length} more pods`, held: together }];
}
