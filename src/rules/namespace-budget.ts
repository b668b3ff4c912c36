// The pods of a namespace must not request more than its budget together: a resize grows them after they were admitted.
//
// Looks at: what the pod holds (the largest of its spec, what is allocated and what it has), and what all others of its namespace do
// Allowed:  up to the budget, all together; what makes the pod hold no more than before; back to what the kubelet has allocated
// Namespace not known: passes, with advice that nothing was checked
import { z } from 'zod';
import { isResizeInfeasible, type Pod } from '../model/pod.ts';
import { heldRequests } from '../model/pod-requests.ts';
import { add, compare, type Quantity, quantityOf, subtract } from '../model/quantity.ts';
import { compareNames, type Resources } from '../model/resources.ts';
import { amountsSetting, larger } from './amounts.ts';
import { isBackToAllocated } from './direction.ts';
import type { Facts } from './facts.ts';
import { inOrder } from './finding-order.ts';
import { boundText, firstThatFits, quantityText, quote, resourcePath, subjectOf, word } from './message.ts';
import { onlyMoved } from './only-moved.ts';
import { passingValue } from './passing-value.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { askedRow, comparedText, NO_SUMS, type Sum } from './sum.ts';

const settings = z.strictObject({
  requests: amountsSetting.describe('The most that all pods of a namespace request together, by resource.'),
});
type Settings = z.output<typeof settings>;

/**
 * Counts as quota does (PodRequests with UseStatusResources). Unlike quota it does not lock: of two requests at the same moment
 * each is compared with what was there before.
 */
export const namespaceBudget = defineRule<Settings>({
  id: 'namespace-budget',
  summary: 'The pods of a namespace must request no more than its budget together.',
  scopes: ['create', 'resize'],
  settings,
  check(facts, { requests: budget }) {
    if (facts.before !== undefined && (facts.changes.length === 0 || isBackToAllocated(facts))) return NO_FINDINGS;
    const growing = growthOf(facts, budget);
    if (growing.length === 0) return NO_FINDINGS;
    const others = facts.namespace.heldByOthers();
    if (others === undefined) return [unknownNamespace(facts)];
    const over = growing.flatMap((one) => overBudget(one, others.get(one.resource)) ?? []);
    return over.length === 0 ? NO_FINDINGS : inOrder(over.map((one) => explain(facts, one)));
  },
  sums(facts, { requests: budget }) {
    const others = facts.namespace.heldByOthers();
    return others === undefined ? NO_SUMS : growthOf(facts, budget).map((one) => toSum(facts, one, others));
  },
});

/** What the pod would hold more of than it does. */
interface Growth {
  readonly resource: string;
  readonly budget: Quantity;
  readonly asked: Quantity;
  /** What it holds before; undefined on a create, or of a resource it does not request. */
  readonly before: Quantity | undefined;
}

interface OverBudget extends Growth {
  /** The most that the pod could hold: what the others leave of the budget, and never less than what it holds already. */
  readonly most: Quantity;
  readonly others: Quantity;
}

const ZERO = quantityOf(0n, 'decimal');

function growthOf(facts: Facts, budgets: Settings['requests']): readonly Growth[] {
  const asked = askedOf(facts, facts.pod);
  const before = facts.before && heldRequests(facts.before, facts.version);
  const growing: Growth[] = [];
  for (const [resource, budget] of Object.entries(budgets)) {
    const quantity = asked.get(resource);
    if (quantity === undefined || quantity.nanos <= 0n) continue;
    const held = before?.get(resource);
    if (held === undefined || compare(quantity, held) > 0)
      growing.push({ resource, budget, asked: quantity, before: held });
  }
  return growing.sort((a, b) => compareNames(a.resource, b.resource));
}

// A new resize counts with its spec, also where the one it replaces is Infeasible and counted nowhere.
function askedOf({ version }: Facts, pod: Pod): Resources {
  if (!isResizeInfeasible(pod)) return heldRequests(pod, version);
  const conditions = pod.status.conditions.filter(({ type }) => type !== 'PodResizePending');
  return heldRequests({ ...pod, status: { ...pod.status, conditions } }, version);
}

function overBudget(growth: Growth, held: Quantity | undefined): OverBudget | undefined {
  const others = held ?? ZERO;
  if (compare(add(others, growth.asked), growth.budget) <= 0) return undefined;
  const left = subtract(growth.budget, others);
  const room = left.nanos > 0n ? left : quantityOf(0n, growth.budget.format);
  return { ...growth, others, most: larger(room, growth.before) ?? room };
}

function explain(facts: Facts, over: OverBudget): Finding {
  const { pod, namespace } = facts;
  const { resource, asked, most } = over;
  const aim = `for namespace ${quote(namespace.name)} to ${aimOf(over)}`;
  const others = `the other pods ${quantityText(over.others)}`;
  const moved = onlyMoved(facts, 'requests', resource, 'most');
  const passing = moved && passingValue(facts, moved, asked, most, (one) => askedOf(facts, one));
  const isWhole = moved === undefined || passing === undefined || compare(passing, most) === 0;
  const subject = subjectOf(pod, isWhole ? undefined : moved.container);
  const actual = quantityText(isWhole ? asked : moved.quantity);
  const bound = quantityText(isWhole ? most : passing);
  const path =
    moved === undefined || passing === undefined ? 'spec' : resourcePath(moved.container, 'requests', resource);
  const must = `${subject} must ${boundText('requests', `at most ${bound}`, resource)} ${aim}; it requests ${actual}`;
  return { path, message: firstThatFits(`${must}, ${others}`, must), actual, bound };
}

function toSum(facts: Facts, { resource, asked, before, budget }: Growth, held: Resources): Sum {
  const others = held.get(resource) ?? ZERO;
  const total = add(asked, others);
  const isBack = facts.before !== undefined && isBackToAllocated(facts);
  return {
    path: 'spec',
    title: `${word(resource)} requests in namespace ${quote(facts.namespace.name)}`,
    rows: [
      askedRow(subjectOf(facts.pod, undefined), asked, before),
      { sign: '+', label: 'all other pods', amount: others, isOfOthers: true },
      { sign: '=', label: 'the namespace', amount: total },
      { sign: ' ', label: 'its budget', amount: budget },
    ],
    conclusion: isBack ? 'it goes back to what is allocated, whatever the budget' : comparedText(total, 'most', budget),
    ofPod: { list: 'requests', resource },
  };
}

function aimOf({ budget, before, most }: OverBudget): string {
  const within = `stay within ${quantityText(budget)}`;
  const isStuck = before !== undefined && compare(most, before) === 0;
  return isStuck ? `pass its budget of ${quantityText(budget)} no further` : within;
}

function unknownNamespace({ pod, namespace }: Facts): Finding {
  const must = `${subjectOf(pod, undefined)} must keep namespace ${quote(namespace.name)} within its budget`;
  return { path: 'spec', message: `${must}; podrail does not know its pods and did not check`, advice: true };
}
