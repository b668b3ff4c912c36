// The way from one value to another in steps that a person would count in.
import { MILLI, type Quantity, quantityOf, UNIT } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';

/** The last step, below `steps`, up to which all is well; undefined where nothing is. */
export function largest(steps: bigint, isWell: (step: bigint) => boolean): bigint | undefined {
  if (!isWell(0n)) return undefined;
  let [low, high] = [0n, steps];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isWell(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The furthest on a way of so many steps that passes; `start` where not even the first does. What passes is taken for a span. */
export function furthest<T>(start: T, steps: bigint, at: (step: bigint) => T, passes: (one: T) => boolean): T {
  const end = at(steps);
  if (passes(end)) return end;
  // Nearly always there is nothing to be had, and that is soon known.
  if (steps === 1n || !passes(at(1n))) return start;
  return at(largest(steps, (step) => step < 2n || passes(at(step))) ?? 0n);
}

const SIZES = [1024n * 1024n * UNIT, 1024n * UNIT, UNIT];

/** What a person would count in: millicores, or the largest of Mi, Ki and bytes that all these values of one resource are whole in. */
export function gradeOf(...changes: readonly [Change, ...Change[]]): bigint {
  if (changes[0].resource === 'cpu') return MILLI;
  const nanos = changes.flatMap(({ from, to }) => [from?.nanos ?? 0n, to?.nanos ?? 0n]);
  return SIZES.find((size) => nanos.every((one) => one % size === 0n)) ?? UNIT;
}

/** How many of these lie between the two values; at least one. */
export function stepsOf(change: Change, grade: bigint = gradeOf(change)): bigint {
  const moved = (change.to?.nanos ?? 0n) - (change.from?.nanos ?? 0n);
  const steps = (moved < 0n ? -moved : moved) / grade;
  return steps > 0n ? steps : 1n;
}

/**
 * That many of the steps of a change, rounded towards where it starts; all of them are the change itself. Nothing of a limit that was not
 * there is no limit, since one of 0 is none to a node.
 */
export function partOf(change: Change, step: bigint, steps: bigint, grade: bigint = gradeOf(change)): Change {
  if (step === steps) return change;
  const from = change.from?.nanos ?? 0n;
  const to: Quantity = change.to ?? quantityOf(0n, 'decimal');
  const moved = (((to.nanos - from) * step) / (steps * grade)) * grade;
  if (from + moved === 0n && change.from === undefined && change.list === 'limits') return { ...change, to: undefined };
  return { ...change, to: quantityOf(from + moved, to.format) };
}
