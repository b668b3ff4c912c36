// The sums behind a verdict, term by term: what the pod asks for, and what its node has left. Nothing is added up here that the rules do
// not add up in the same way.
import type { Neighbour } from '../admission/cluster-view.ts';
import type { Policy } from '../guardrails/policy.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import { allContainers, type Container, type ContainerStatus, type Pod } from '../model/pod.ts';
import { allocatedRequests } from '../model/allocated-requests.ts';
import { add, compare, type Quantity } from '../model/quantity.ts';
import { compareNames, remaining } from '../model/resources.ts';
import { isSameQuantity } from '../model/same-resources.ts';
import { type SumTerms, sumTerms } from '../model/sum-terms.ts';
import type { Facts, KnownNode } from '../rules/facts.ts';
import { NO_SUMS, type Sum, type SumRow } from '../rules/sum.ts';

/** Who says which pods hold something on a node, or in a namespace. */
export interface Holders {
  readonly neighbours: (node: string, except: Pod, version: KubernetesVersion) => readonly Neighbour[];
  readonly housemates: (namespace: string, except: Pod, version: KubernetesVersion) => readonly Neighbour[];
}

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
  readonly rules: readonly RuleSum[];
}

/** How a rule comes to a bound, as a guardrail sets it. */
export interface RuleSum {
  readonly rule: string;
  readonly guardrail: string;
  readonly sum: Sum;
}

const MOST_NEIGHBOURS = 10;

/** Of cpu, memory and every other resource that changes; of limits only what changes; and of whatever a rule compares. */
export function explain(facts: Facts, policy: Policy, holders: Holders): Explanation {
  const { pod, node, changes, version } = facts;
  const rules = toRuleSums(facts, policy, holders);
  const compared = rules.flatMap(({ sum }) => sum.ofPod ?? []);
  const changed = (list: SumTerms['list']): readonly string[] =>
    [...changes, ...compared].filter((one) => one.list === list).map(({ resource }) => resource);
  const resources = [...new Set(['cpu', 'memory', ...changed('requests')])].sort(compareNames);
  const requests = resources.map((resource) => toPodSum(facts, 'requests', resource));
  const limits = [...new Set(changed('limits'))].sort(compareNames);
  return {
    pod: [...requests, ...limits.map((resource) => toPodSum(facts, 'limits', resource))].filter(hasTerms),
    node: node.state === 'known' ? toNodeSums(requests, facts, node, holders.neighbours(node.name, pod, version)) : [],
    rules,
  };
}

function toRuleSums(facts: Facts, policy: Policy, holders: Holders): readonly RuleSum[] {
  return policy.select(facts).rules.flatMap(({ rule, guardrail, settings }) => {
    const sums = rule.sums?.(facts, settings) ?? NO_SUMS;
    return sums.map((sum) => ({ rule: rule.id, guardrail, sum: withHousemates(sum, facts, holders) }));
  });
}

/** With every pod in the place of what they hold together. */
function withHousemates(sum: Sum, { pod, before = pod, namespace, version }: Facts, { housemates }: Holders): Sum {
  const { resource } = sum.ofPod ?? {};
  const isOfOthers = sum.rows.some((row) => row.isOfOthers);
  if (resource === undefined || !isOfOthers) return sum;
  const holding = toHoldings(housemates(namespace.name, before, version), resource);
  const rows = holding.map(({ name, held }): SumRow => ({ sign: '+', label: name, amount: held }));
  return { ...sum, rows: sum.rows.flatMap((row) => (row.isOfOthers && rows.length > 0 ? rows : row)) };
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
