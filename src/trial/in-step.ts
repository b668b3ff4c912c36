// The request and the limit of one resource, moved together: a ratio between them lets neither go far while the other one stands.
import type { JsonObject } from '../model/json-fields.ts';
import { quantityOf } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import { furthest, gradeOf, partOf, stepsOf } from './grain.ts';
import { withChange } from './with-change.ts';

/**
 * Both by one factor, until the first of them is where it should be, as far as that passes; `pod` as it is where they do not move the same
 * way. Rounding never makes the ratio of limit to request larger.
 */
export function inStep(
  pod: JsonObject,
  request: Change,
  limit: Change,
  passes: (pod: JsonObject) => boolean,
): JsonObject {
  const [ofRequest, ofLimit] = [moveOf(request), moveOf(limit)];
  if (ofRequest === undefined || ofLimit === undefined || isUp(ofRequest) !== isUp(ofLimit)) return pod;
  const isLedByRequest = isShorter(ofRequest, ofLimit);
  const [lead, from] = isLedByRequest ? [request, ofRequest.from] : [limit, ofLimit.from];
  // The finer of both, or rounding one of them breaks a narrow ratio.
  const grade = gradeOf(request, limit);
  const steps = stepsOf(lead, grade);
  const at = (step: bigint): JsonObject => {
    const led = partOf(lead, step, steps, grade);
    const to = led.to?.nanos ?? from;
    const other = isLedByRequest
      ? scaled(limit, { to, from }, grade, 'down')
      : scaled(request, { to, from }, grade, 'up');
    return withChange(withChange(pod, led), other);
  };
  return furthest(pod, steps, at, passes);
}

interface Move {
  readonly from: bigint;
  readonly to: bigint;
}

/** undefined for what no factor leads to. */
function moveOf({ from, to }: Change): Move | undefined {
  if (from === undefined || to === undefined || from.nanos <= 0n || to.nanos <= 0n) return undefined;
  return { from: from.nanos, to: to.nanos };
}

function isUp({ from, to }: Move): boolean {
  return to > from;
}

/** Whether a smaller factor leads there, of two that both grow or both shrink. */
function isShorter(one: Move, other: Move): boolean {
  const [factor, otherFactor] = [one.to * other.from, other.to * one.from];
  return isUp(one) ? factor < otherFactor : factor > otherFactor;
}

/** By the factor of a move, in whole grades. */
function scaled(change: Change, { from, to }: Move, grade: bigint, rounded: 'up' | 'down'): Change {
  const [whole, size] = [(change.from?.nanos ?? 0n) * to, from * grade];
  const grades = (rounded === 'up' ? whole + size - 1n : whole) / size;
  return { ...change, to: quantityOf(grades * grade, change.to?.format ?? 'decimal') };
}
