// The sums behind a verdict, term by term: what the pod asks for, and what its node has left. Nothing is added up here that the rules do
// not add up in the same way.
import type { Neighbour } from '../admission/cluster-view.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import { allContainers, type Container, type ContainerStatus, type Pod } from '../model/pod.ts';
import { allocatedRequests } from '../model/pod-requests.ts';
import { add, compare, type Quantity } from '../model/quantity.ts';
import { compareNames, remaining } from '../model/resources.ts';
import { isSameQuantity } from '../model/same-resources.ts';
import { type SumTerms, sumTerms } from '../model/sum-terms.ts';
import type { Facts, KnownNode } from '../rules/facts.ts';

/** Who says which pods hold something on a node. */
export type NeighboursOf = (node: string, except: Pod, version: KubernetesVersion) => readonly Neighbour[];

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

export interface Explanation {
  readonly pod: readonly PodSum[];
  /** Empty where the node is not known. */
  readonly node: readonly NodeSum[];
}

const MOST_NEIGHBOURS = 10;

/** Of cpu, memory and every other resource that changes; of limits only what changes. */
export function explain(facts: Facts, neighboursOf: NeighboursOf): Explanation {
  const { pod, node, changes, version } = facts;
  const changed = (list: SumTerms['list']): readonly string[] =>
    changes.filter((change) => change.list === list).map(({ resource }) => resource);
  const resources = [...new Set(['cpu', 'memory', ...changed('requests')])].sort(compareNames);
  const requests = resources.map((resource) => toPodSum(facts, 'requests', resource));
  const limits = [...new Set(changed('limits'))].sort(compareNames);
  return {
    pod: [...requests, ...limits.map((resource) => toPodSum(facts, 'limits', resource))].filter(hasTerms),
    node: node.state === 'known' ? toNodeSums(requests, facts, node, neighboursOf(node.name, pod, version)) : [],
  };
}

function hasTerms({ terms }: PodSum): boolean {
  return terms.total !== undefined;
}

function toPodSum({ pod, before = pod, version }: Facts, list: SumTerms['list'], resource: string): PodSum {
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

function toNodeSums(
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

function toHoldings(neighbours: readonly Neighbour[], resource: string): NodeSum['neighbours'] {
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
