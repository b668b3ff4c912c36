// A patch of `kubectl patch` on a pod, as the API server applies it: strategic merge, JSON merge (RFC 7386), JSON Patch (RFC 6902).
import { isMap, type JsonObject } from '../model/json-fields.ts';
import { applyOperations } from './operations.ts';
import { applyStrategicPatch, requireMap, withoutNulls } from './strategic-patch.ts';

export const PATCH_TYPES = ['strategic', 'merge', 'json'] as const;

export type PatchType = (typeof PATCH_TYPES)[number];

/** The patched pod; the pod itself is not changed. Throws PatchProblem with the place in the patch. */
export function applyPatch(pod: JsonObject, patch: unknown, type: PatchType): JsonObject {
  if (type === 'json') return applyOperations(pod, patch);
  if (type === 'merge') return applyMergePatch(pod, requireMap(patch)) as JsonObject;
  return applyStrategicPatch(pod, requireMap(patch));
}

function applyMergePatch(original: unknown, patch: unknown): unknown {
  // As evanphx/json-patch does, also inside lists: there a null would be a zero.
  if (!isMap(patch)) return isMap(original) ? patch : withoutNulls(patch);
  const merged = new Map(isMap(original) ? Object.entries(original) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, applyMergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
