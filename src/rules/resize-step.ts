// A resize must not take too large a step at once: sudden growth takes a node down, and a sudden shrink what runs in it.
//
// Looks at: every request and limit that the resize changes, of containers and of the pod
// Allowed:  up to `factor` times what is stored and `amount` more; down likewise, each to the millicore or byte
// Passes:   what was not set, or 0, before, as there is no step from nothing; a step back to what the kubelet has set aside
import { z } from 'zod';
import { compare, type Quantity } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import { isBack } from './direction.ts';
import type { Facts } from './facts.ts';
import { inOrder } from './finding-order.ts';
import { actualText, boundText, quantityText, resourcePath, subjectOf, word } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { shape, SHAPED } from './shape.ts';
import { type Move, moveOf, nearestWithin, reachedByAmount, reachedByFactor, stepSetting } from './step.ts';
import { movedText } from './stored.ts';
import { amountText, comparedText, NO_SUMS, type Sum, type SumRow } from './sum.ts';

const settings = z.strictObject({
  grow: stepSetting.optional().describe('How far a value may grow in one step.'),
  shrink: stepSetting.optional().describe('How far a value may shrink in one step.'),
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
  return move === undefined || isRevert(facts, change) ? undefined : nearestWithin(move);
}

/** Back to what the kubelet has set aside, or applied as a limit: that is how a resize that cannot be done is taken back. */
function isRevert({ before }: Facts, change: Change): boolean {
  return before !== undefined && isBack(before, change);
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
      rows: stepRows(move),
      conclusion: isBack
        ? `${moved} goes back to what the kubelet has set aside, whatever the step`
        : passing === undefined
          ? `${moved} is within one step`
          : comparedText(to, isGrowth ? 'most' : 'least', passing),
    },
  ];
}

function stepRows(move: Move): readonly SumRow[] {
  const { isGrowth, from, to, allowed } = move;
  const label = `at ${isGrowth ? 'most' : 'least'}`;
  const stored: SumRow = { sign: ' ', label: 'stored', amount: from };
  const rows: SumRow[] = [];
  if (allowed.factor !== undefined) {
    rows.push(stored, { sign: isGrowth ? '×' : '÷', label: 'factor', amount: allowed.factor });
    rows.push({ sign: '=', label, amount: reachedByFactor(move) });
  }
  if (allowed.amount !== undefined) {
    rows.push(stored, { sign: isGrowth ? '+' : '-', label: 'amount', amount: allowed.amount });
    rows.push({ sign: '=', label, amount: reachedByAmount(move) });
  }
  return [...rows, { sign: ' ', label: 'asked', amount: to }];
}
