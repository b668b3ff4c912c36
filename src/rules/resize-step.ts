// A resize must not take too large a step at once: sudden growth takes a node down, and a sudden shrink what runs in it.
//
// Looks at: every request and limit that the resize changes, of containers and of the pod
// Allowed:  up to `factor` times what is stored and `amount` more; down likewise, each to the millicore or byte
// Passes:   what was not set, or 0, before, as there is no step from nothing; a step back to what the kubelet has set aside
import { z } from 'zod';
import { compare, type Quantity, quantityOf, UNIT } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import { amountOf, type Amounts, amountsSetting, larger, scaledDown, scaledUp, smaller } from './amounts.ts';
import type { Facts } from './facts.ts';
import { inOrder } from './finding-order.ts';
import { actualText, boundText, quantityText, resourcePath, subjectOf, word } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { factorSetting, needed } from './settings.ts';
import { shape, SHAPED } from './shape.ts';
import { movedText } from './stored.ts';
import { amountText, comparedText, NO_SUMS, type Sum, type SumRow } from './sum.ts';

const step = needed(
  z.strictObject({
    factor: factorSetting.optional().describe('At most so many times as much, or so many times less.'),
    amount: amountsSetting.optional().describe('At most so much more, or less, by resource.'),
  }),
  'must set factor or amount',
);

const settings = z.strictObject({
  grow: step.optional().describe('How far a value may grow in one step.'),
  shrink: step.optional().describe('How far a value may shrink in one step.'),
});
type Settings = z.output<typeof settings>;

export const resizeStep = defineRule<Settings>({
  id: 'resize-step',
  summary: 'A resize must grow or shrink a value by no more than one step.',
  scopes: ['resize'],
  perContainer: true,
  settings,
  needs: ['grow', 'shrink'],
  check(facts, steps) {
    let findings = NO_FINDINGS;
    for (const change of facts.changes) {
      const passing = nearestPassing(facts, change, steps);
      if (passing !== undefined) findings = [...findings, explain(facts, change, passing)];
    }
    return inOrder(findings);
  },
  sums: (facts, steps) => facts.changes.flatMap((change) => toSums(facts, change, steps)),
  fix(facts, steps) {
    return shape(facts, ({ name }) =>
      facts.changes
        .filter(({ container, resource }) => container?.name === name && SHAPED.some((one) => one === resource))
        .flatMap((change) => {
          const to = nearestPassing(facts, change, steps);
          return to === undefined ? [] : { list: change.list, resource: change.resource, to };
        }),
    );
  },
});

/** The value one step towards what was asked; undefined when that is no more than a step away. */
function nearestPassing(facts: Facts, change: Change, steps: Settings): Quantity | undefined {
  const move = moveOf(change, steps);
  if (move === undefined || isRevert(facts, change)) return undefined;
  const { isGrowth, from, to, allowed } = move;
  return isGrowth ? mostAbove(change.resource, from, to, allowed) : leastBelow(change.resource, from, to, allowed);
}

interface Move {
  readonly isGrowth: boolean;
  readonly from: Quantity;
  readonly to: Quantity;
  readonly allowed: Step;
}

/** undefined where no step is set for it: there is none from nothing. */
function moveOf({ from, to }: Change, { grow, shrink }: Settings): Move | undefined {
  if (from === undefined || to === undefined || from.nanos <= 0n || to.problem !== undefined) return undefined;
  const isGrowth = compare(to, from) > 0;
  const allowed = isGrowth ? grow : shrink;
  return allowed && { isGrowth, from, to, allowed };
}

type Step = z.output<typeof step>;

function mostAbove(resource: string, from: Quantity, to: Quantity, { factor, amount }: Step): Quantity | undefined {
  const inFactor = factor && from.nanos * factor.nanos;
  const byAmount = amountIn(amount, resource);
  const isWithin =
    (inFactor === undefined || to.nanos * UNIT <= inFactor) &&
    (byAmount === undefined || to.nanos - from.nanos <= byAmount);
  if (isWithin) return undefined;
  const most = smaller(
    factor && timesFactor(resource, from, to, factor),
    byAmount === undefined ? undefined : quantityOf(from.nanos + byAmount, to.format),
  );
  // What is stored can be finer than what is counted.
  return larger(most, from);
}

function leastBelow(resource: string, from: Quantity, to: Quantity, { factor, amount }: Step): Quantity | undefined {
  const byAmount = amountIn(amount, resource);
  const isWithin =
    (factor === undefined || to.nanos * factor.nanos >= from.nanos * UNIT) &&
    (byAmount === undefined || from.nanos - to.nanos <= byAmount);
  if (isWithin) return undefined;
  const least = larger(
    factor && byFactor(resource, from, to, factor),
    byAmount === undefined ? undefined : quantityOf(from.nanos - byAmount, to.format),
  );
  return smaller(least, from);
}

function timesFactor(resource: string, from: Quantity, to: Quantity, factor: Quantity): Quantity {
  return quantityOf(scaledDown(from.nanos, factor.nanos, UNIT, resource), to.format);
}

function byFactor(resource: string, from: Quantity, to: Quantity, factor: Quantity): Quantity {
  return quantityOf(scaledUp(from.nanos, UNIT, factor.nanos, resource), to.format);
}

function amountIn(amount: Amounts | undefined, resource: string): bigint | undefined {
  return amountOf(amount, resource)?.nanos;
}

/** Back to what the kubelet has set aside, or applied as a limit: that is how a resize that cannot be done is taken back. */
function isRevert({ pod: { status } }: Facts, { container, list, resource, to }: Change): boolean {
  const reported = container === undefined ? status : status.containers.get(container.name);
  const held = list === 'requests' ? reported?.allocated : reported?.resources?.limits;
  const value = held?.get(resource);
  return value !== undefined && to !== undefined && compare(value, to) === 0;
}

function explain({ pod }: Facts, { container, list, resource, from, to }: Change, passing: Quantity): Finding {
  const asked = to ?? passing;
  const bound = quantityText(passing);
  const actual = quantityText(asked);
  const most = compare(asked, passing) > 0 ? 'most' : 'least';
  const must = `${subjectOf(pod, container)} must ${boundText(list, `at ${most} ${bound}`, resource)} in one step`;
  const does = `${actualText(list, actual)}${movedText(from, asked)}`;
  return { path: resourcePath(container, list, resource), message: `${must}; ${does}`, actual, bound };
}

function toSums(facts: Facts, change: Change, steps: Settings): readonly Sum[] {
  const move = moveOf(change, steps);
  if (move === undefined) return NO_SUMS;
  const { container, list, resource } = change;
  const passing = nearestPassing(facts, change, steps);
  const { from, to, isGrowth } = move;
  const moved = `${amountText(from)} to ${amountText(to)}`;
  const isBack = isRevert(facts, change);
  return [
    {
      path: resourcePath(container, list, resource),
      title: `${word(resource)} ${list} of ${subjectOf(facts.pod, container)} in one step`,
      rows: stepRows(resource, move),
      conclusion: isBack
        ? `${moved} goes back to what the kubelet has set aside, whatever the step`
        : passing === undefined
          ? `${moved} is within one step`
          : comparedText(to, isGrowth ? 'most' : 'least', passing),
    },
  ];
}

function stepRows(resource: string, { isGrowth, from, to, allowed: { factor, amount } }: Move): readonly SumRow[] {
  const own = amountOf(amount, resource);
  const label = `at ${isGrowth ? 'most' : 'least'}`;
  const stored: SumRow = { sign: ' ', label: 'stored', amount: from };
  const rows: SumRow[] = [];
  if (factor !== undefined) {
    const reached = isGrowth ? timesFactor(resource, from, to, factor) : byFactor(resource, from, to, factor);
    rows.push(stored, { sign: isGrowth ? '×' : '÷', label: 'factor', amount: factor });
    rows.push({ sign: '=', label, amount: reached });
  }
  if (own !== undefined) {
    const reached = quantityOf(isGrowth ? from.nanos + own.nanos : from.nanos - own.nanos, to.format);
    rows.push(stored, { sign: isGrowth ? '+' : '-', label: 'amount', amount: own });
    rows.push({ sign: '=', label, amount: reached });
  }
  return [...rows, { sign: ' ', label: 'asked', amount: to }];
}
