// One value of a pod, as JSON, set to what a change asks for.
import { isMap, type JsonObject } from '../model/json-fields.ts';
import { listOf } from '../model/pod.ts';
import { toCanonical } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';

type Step = string | number;

/** A copy of the pod with it; a value that the change takes away is left as it is. */
export function withChange(pod: JsonObject, { container, list, resource, to }: Change): JsonObject {
  if (to === undefined) return pod;
  const inPod: readonly Step[] = container === undefined ? ['spec'] : ['spec', listOf(container), container.index];
  return withValue(pod, [...inPod, 'resources', list, resource], toCanonical(to));
}

/** A copy with the value at the path; maps that are not there are made. */
export function withValue(holder: JsonObject, path: readonly Step[], value: string): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return holder;
  const inner: unknown = holder[step];
  if (rest.length === 0) return { ...holder, [step]: value };
  if (!Array.isArray(inner)) return { ...holder, [step]: withValue(isMap(inner) ? inner : {}, rest, value) };
  const [index, ...within] = rest;
  const items = inner.map((item: JsonObject, at) => (at === index ? withValue(item, within, value) : item));
  return { ...holder, [step]: items };
}
