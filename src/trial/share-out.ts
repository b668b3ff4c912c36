// Several values that are too much together, brought nearer to what is stored, each by the same part of what it asks for.
import type { JsonObject } from '../model/json-fields.ts';
import { type Change, changesOf } from '../model/resize.ts';
import { readPod } from '../model/read-pod.ts';
import { largest, partOf, stepsOf } from './grain.ts';
import { withChange } from './with-change.ts';

const LISTS = [['requests'], ['limits'], ['requests', 'limits']] as const;

/**
 * The pod nearest to `wanted` that passes; undefined where that is the stored one. Each resource is looked at by itself: first all that
 * moves one way in one list is scaled, and the rest left as it was asked for, and only then more than that. What passes is
 * taken for a span: the stored values do.
 */
export function sharedOut(
  stored: JsonObject,
  wanted: JsonObject,
  passes: (pod: JsonObject) => boolean,
): JsonObject | undefined {
  const changes = changesOf(readPod(stored), readPod(wanted));
  const byResource = Map.groupBy(changes, ({ resource }) => resource);
  const given = [...byResource.values()].flatMap((ofOne) => ofResource(stored, ofOne, passes));
  if (given.length === 0) return undefined;
  const pod = given.reduce(withChange, stored);
  return passes(pod) ? pod : undefined;
}

/** What can be given of the changes to one resource. */
function ofResource(
  stored: JsonObject,
  changes: readonly Change[],
  passes: (pod: JsonObject) => boolean,
): readonly Change[] {
  const isGiven = (given: readonly Change[]): boolean => passes(given.reduce(withChange, stored));
  if (isGiven(changes)) return changes;
  let withoutLimit: readonly Change[] | undefined;
  for (const scaled of waysOf(changes)) {
    const rest = changes.filter((change) => !scaled.includes(change));
    const steps = scaled.map((one) => stepsOf(one)).reduce((a, b) => (a > b ? a : b));
    const at = (step: bigint): readonly Change[] =>
      withoutUnlimited([...rest, ...scaled.map((one) => partOf(one, step, steps))]);
    const step = largest(steps, (one) => isGiven(at(one)));
    // Nothing of it, and all of the rest, is something as well.
    if (step === undefined || (step === 0n && rest.length === 0)) continue;
    const given = at(step);
    if (given.length === changes.length) return given;
    // Another way may give less to others, and something to this one.
    withoutLimit ??= given;
  }
  return withoutLimit ?? [];
}

/** Without new limits that nothing is given of, nor the new requests beside them: nobody asked for those without a limit. */
function withoutUnlimited(changes: readonly Change[]): readonly Change[] {
  const isDropped = ({ list, from, to }: Change): boolean =>
    list === 'limits' && from === undefined && to === undefined;
  const dropped = changes.filter(isDropped);
  if (dropped.length === 0) return changes;
  return changes.filter(
    (change) =>
      change.from !== undefined ||
      !dropped.some(({ container, resource }) => container === change.container && resource === change.resource),
  );
}

function waysOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const moving = changes.filter(({ to }) => to !== undefined);
  const ways = [true, false].flatMap((isGrowth) =>
    LISTS.map((lists) =>
      moving.filter((change) => lists.some((list) => list === change.list) && isUp(change) === isGrowth),
    ),
  );
  return [...ways, moving].filter((way) => way.length > 0);
}

function isUp({ from, to }: Change): boolean {
  return (to?.nanos ?? 0n) > (from?.nanos ?? 0n);
}
