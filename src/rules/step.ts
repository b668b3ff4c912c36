// One step of a value: how far it may go at once, by a factor, by an amount, or by the nearer of both.
import { z } from 'zod';
import { compare, type Quantity, quantityOf, UNIT } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import { amountOf, amountsSetting, larger, scaledDown, scaledUp, smaller } from './amounts.ts';
import { factorSetting, needed } from './settings.ts';

export const stepSetting = needed(
  z.strictObject({
    factor: factorSetting.optional().describe('At most so many times as much, or so many times less.'),
    amount: amountsSetting.optional().describe('At most so much more, or less, by resource.'),
  }),
  'must set factor or amount',
);

type Step = z.output<typeof stepSetting>;

/** A value that goes from one to another, and what is allowed of that at once. */
export interface Move {
  readonly resource: string;
  readonly isGrowth: boolean;
  readonly from: Quantity;
  readonly to: Quantity;
  readonly allowed: { readonly factor: Quantity | undefined; readonly amount: Quantity | undefined };
}

/** undefined where no step is set for it: there is none from nothing. */
export function moveOf(
  { resource, from, to }: Change,
  { grow, shrink }: { readonly grow?: Step | undefined; readonly shrink?: Step | undefined },
): Move | undefined {
  if (from === undefined || to === undefined || from.nanos <= 0n || to.problem !== undefined) return undefined;
  const isGrowth = compare(to, from) > 0;
  const step = isGrowth ? grow : shrink;
  if (step === undefined) return undefined;
  const allowed = { factor: step.factor, amount: amountOf(step.amount, resource) };
  return { resource, isGrowth, from, to, allowed };
}

/** The value one step away; undefined when what was asked is no further. */
export function nearestWithin(move: Move): Quantity | undefined {
  if (isWithin(move)) return undefined;
  const [byFactor, byAmount] = [reachedByFactor(move), reachedByAmount(move)];
  // What is stored can be finer than what is counted.
  return move.isGrowth
    ? larger(smaller(byFactor, byAmount), move.from)
    : smaller(larger(byFactor, byAmount), move.from);
}

/** Exactly: no division, so no rounding. */
function isWithin({ isGrowth, from, to, allowed: { factor, amount } }: Move): boolean {
  const [less, more] = isGrowth ? [from.nanos, to.nanos] : [to.nanos, from.nanos];
  return (
    (factor === undefined || more * UNIT <= less * factor.nanos) &&
    (amount === undefined || more - less <= amount.nanos)
  );
}

/** How far the factor goes, to the millicore or byte; undefined where none is set. */
export function reachedByFactor({ resource, isGrowth, from, to, allowed: { factor } }: Move): Quantity | undefined {
  if (factor === undefined) return undefined;
  const nanos = isGrowth
    ? scaledDown(from.nanos, factor.nanos, UNIT, resource)
    : scaledUp(from.nanos, UNIT, factor.nanos, resource);
  return quantityOf(nanos, to.format);
}

/** How far the amount goes; undefined where none is set for the resource. */
export function reachedByAmount({ isGrowth, from, to, allowed: { amount } }: Move): Quantity | undefined {
  return amount && quantityOf(isGrowth ? from.nanos + amount.nanos : from.nanos - amount.nanos, to.format);
}
