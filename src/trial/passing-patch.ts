// The nearest resize that would pass: every value that is refused is set to the bound its rule names, and tried.
import { isMap, type JsonObject } from '../model/json-fields.ts';
import { parseQuantity, type Quantity, toCanonical } from '../model/quantity.ts';
import { type Change, changesOf } from '../model/resize.ts';
import { readPod } from '../model/read-pod.ts';
import type { Finding } from '../rules/rule.ts';
import { asKept, asSent } from './as-sent.ts';
import { type Trial, type TrialSetting, tryResize } from './trial.ts';

/** A bound can break another rule's, which then names its own; no chain of them is longer. */
const MOST_TRIES = 6;

/** Part of a pod: what a strategic merge patch for `pods/resize` holds. */
export type ResizePatch = JsonObject;

/**
 * A strategic merge patch in the place of a refused one, with the largest values that the rules name; it has been tried and passes.
 * undefined where the rules name none, or where it would change nothing.
 */
export function passingPatch(
  stored: unknown,
  requested: unknown,
  refused: Trial,
  setting: TrialSetting,
): ResizePatch | undefined {
  let trial = refused;
  let pod = asSent(requested, setting.context.version);
  for (let tries = 0; tries < MOST_TRIES && !trial.allowed; tries += 1) {
    const next = withBounds(pod, violationsOf(trial));
    if (next === undefined) return undefined;
    pod = next;
    trial = tryResize(stored, pod, setting);
  }
  return trial.allowed ? toPatch(asKept(stored, setting.context.version), pod) : undefined;
}

function violationsOf({ phases }: Trial): readonly Finding[] {
  return phases.at(-1)?.reply.decided?.verdict.violations ?? [];
}

const PLACE = /^spec\.(?:(containers|initContainers)\[(\d+)\]\.)?resources\.(requests|limits)\[(.+)\]$/;

/** undefined when a violation names no value. */
function withBounds(pod: JsonObject, violations: readonly Finding[]): JsonObject | undefined {
  const bounds = violations.map(toBound);
  return bounds.reduce<JsonObject | undefined>(
    (bounded, bound) => bounded && bound && withValue(bounded, bound.steps, bound.value),
    bounds.length === 0 ? undefined : pod,
  );
}

type Steps = readonly (string | number)[];

function toBound({ path, bound }: Finding): { readonly steps: Steps; readonly value: string } | undefined {
  const [, list, index, requests, resource] = PLACE.exec(path) ?? [];
  const quantity = parseQuantity(bound ?? '');
  if (requests === undefined || resource === undefined || quantity.problem !== undefined) return undefined;
  const holder = list === undefined ? ['spec'] : ['spec', list, Number(index)];
  return { steps: [...holder, 'resources', requests, resource], value: toCanonical(quantity) };
}

function withValue(holder: JsonObject, path: Steps, value: string): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return holder;
  const inner: unknown = holder[step];
  if (rest.length === 0) return { ...holder, [step]: value };
  if (!Array.isArray(inner)) return { ...holder, [step]: withValue(isMap(inner) ? inner : {}, rest, value) };
  const [index, ...within] = rest;
  const items = inner.map((item: JsonObject, at) => (at === index ? withValue(item, within, value) : item));
  return { ...holder, [step]: items };
}

function toPatch(stored: JsonObject, passing: JsonObject): ResizePatch | undefined {
  const changes = changesOf(readPod(stored), readPod(passing));
  if (changes.length === 0) return undefined;
  const spec: Record<string, unknown> = {};
  for (const [container, ofOne] of Map.groupBy(changes, (change) => change.container)) {
    const resources = toLists(ofOne);
    if (container === undefined) spec['resources'] = resources;
    else {
      const list = container.kind === 'main' ? 'containers' : 'initContainers';
      const before = (spec[list] ?? []) as readonly unknown[];
      spec[list] = [...before, { name: container.name, resources }];
    }
  }
  return { spec };
}

function toLists(changes: readonly Change[]): JsonObject {
  const lists = Map.groupBy(changes, ({ list }) => list);
  return Object.fromEntries(
    [...lists].map(([list, ofList]) => [
      list,
      Object.fromEntries(ofList.map(({ resource, to }) => [resource, toJson(to)])),
    ]),
  );
}

function toJson(quantity: Quantity | undefined): string | null {
  return quantity === undefined ? null : toCanonical(quantity);
}
