// The sums behind a verdict, term by term: what the pod asks for, and what its node has left. Nothing is added up here that the rules do
// not add up in the same way.
import type { Neighbour } from '../admission/cluster-view.ts';
import type { Policy } from '../guardrails/policy.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Pod } from '../model/pod.ts';
import { compareNames } from '../model/resources.ts';
import type { SumTerms } from '../model/sum-terms.ts';
import type { Facts } from '../rules/facts.ts';
import { NO_SUMS, type Sum, type SumRow } from '../rules/sum.ts';
import { type NodeSum, toHoldings, toNodeSums } from './node-sums.ts';
import { type PodSum, toPodSum } from './pod-sums.ts';

/** Who says which pods hold something on a node, or in a namespace. */
export interface Holders {
  readonly neighbours: (node: string, except: Pod, version: KubernetesVersion) => readonly Neighbour[];
  readonly housemates: (namespace: string, except: Pod, version: KubernetesVersion) => readonly Neighbour[];
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
