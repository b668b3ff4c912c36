// A pod that passes, brought as near to what was asked for as it passes: a bound that one rule names for a refused value holds no
// longer once that value is another.
import type { JsonObject } from '../model/json-fields.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import { type Change, changesOf, hasSameContainers } from '../model/resize.ts';
import type { Pod } from '../model/pod.ts';
import { readPod } from '../model/read-pod.ts';
import { asSent } from './as-sent.ts';
import { inStep } from './in-step.ts';
import { furthest, partOf, stepsOf } from './grain.ts';
import { withChange } from './with-change.ts';

export interface Aim {
  readonly stored: JsonObject;
  readonly wanted: JsonObject;
  readonly version: KubernetesVersion;
}

/** Each round can give another value room; two that wait for each other take a few. */
const MOST_ROUNDS = 50;

/**
 * No single value of it can be brought one step (see grain.ts) nearer to `wanted`, which is as stored where nothing was asked for. First
 * comes what nobody asked to change, then what was asked for, container by container. What passes is taken for a span.
 */
export function relaxed(
  passing: JsonObject,
  { stored, wanted, version }: Aim,
  passes: (pod: JsonObject) => boolean,
): JsonObject {
  const target = readPod(wanted);
  const asked = new Set(changesOf(readPod(stored), target).map(keyOf));
  let nearest = passing;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    // A request that Kubernetes completes from its limit stands still from here on when the limit is moved.
    nearest = asSent(nearest, version);
    const before = readPod(nearest);
    if (!hasSameContainers(before, target)) return nearest;
    const away = movable(changesOf(before, target));
    const unasked = away.filter((change) => !asked.has(keyOf(change)));
    const ordered = [...unasked, ...away.filter((change) => asked.has(keyOf(change)))];
    const moved = ordered.reduce((pod, change) => nearer(pod, change, passes), together(nearest, unasked, passes));
    const next = allInStep(moved, target, passes);
    if (changesOf(before, readPod(next)).length === 0) return nearest;
    nearest = next;
  }
  return nearest;
}

/** Without new requests beside new limits: Kubernetes completes them, and nobody asked for them without a limit. */
function movable(changes: readonly Change[]): readonly Change[] {
  const isNew = ({ from, to }: Change): boolean => from === undefined && to !== undefined;
  const newLimits = new Set(changes.filter((one) => one.list === 'limits' && isNew(one)).map(keyOf));
  return changes.filter(
    (change) =>
      change.to !== undefined &&
      !(change.list === 'requests' && isNew(change) && newLimits.has(keyOf({ ...change, list: 'limits' }))),
  );
}

function keyOf({ container, list, resource }: Change): string {
  return [container?.kind ?? 'pod', container?.index ?? 0, list, resource].join(' ');
}

/** With all of it, where that passes: one value alone may not get past another. */
function together(pod: JsonObject, changes: readonly Change[], passes: (pod: JsonObject) => boolean): JsonObject {
  const whole = changes.reduce(withChange, pod);
  return changes.length > 1 && passes(whole) ? whole : pod;
}

/** A limit that is held within a ratio of its request moves by that ratio in a round, and so does the request: slowly. */
function allInStep(pod: JsonObject, target: Pod, passes: (pod: JsonObject) => boolean): JsonObject {
  const byResource = Map.groupBy(changesOf(readPod(pod), target), (change) => keyOf({ ...change, list: 'requests' }));
  // Requests come first.
  return [...byResource.values()].reduce(
    (nearest, [request, limit]) => (request && limit ? inStep(nearest, request, limit, passes) : nearest),
    pod,
  );
}

function nearer(pod: JsonObject, change: Change, passes: (pod: JsonObject) => boolean): JsonObject {
  const steps = stepsOf(change);
  return furthest(pod, steps, (step) => withChange(pod, partOf(change, step, steps)), passes);
}
