// A patch of `kubectl patch` on a pod, as the API server applies it: strategic merge, JSON merge (RFC 7386), JSON Patch (RFC 6902).
import jsonpatch from 'jsonpatch';
import { isMap, type JsonObject, typeOf } from '../model/json-fields.ts';
import { PatchProblem } from './patch-problem.ts';
import { isSameJson } from './same-json.ts';
import { applyStrategicPatch, requireMap } from './strategic-patch.ts';

export const PATCH_TYPES = ['strategic', 'merge', 'json'] as const;

export type PatchType = (typeof PATCH_TYPES)[number];

/** The patched pod; the pod itself is not changed. Throws PatchProblem with the place in the patch. */
export function applyPatch(pod: JsonObject, patch: unknown, type: PatchType): JsonObject {
  if (type === 'json') return applyOperations(pod, patch);
  if (type === 'merge') return applyMergePatch(pod, requireMap(patch)) as JsonObject;
  return applyStrategicPatch(pod, requireMap(patch));
}

function applyMergePatch(original: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const merged = new Map(isMap(original) ? Object.entries(original) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, applyMergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

function applyOperations(pod: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch)) {
    throw new PatchProblem([], `must be a list of operations, since its type is json; it is ${typeOf(patch)}`);
  }
  let patched: unknown = pod;
  for (const [index, operation] of patch.entries()) {
    requireOperation(operation, index);
    patched = applyOperation(patched, operation, index);
  }
  return patched as JsonObject;
}

function requireOperation(operation: unknown, index: number): asserts operation is JsonObject {
  if (!isMap(operation)) throw new PatchProblem([index], `must be an operation; it is ${typeOf(operation)}`);
  const { op, from } = operation;
  if (!OPERATIONS.includes(String(op))) {
    throw new PatchProblem([index, 'op'], `must be one of ${OPERATIONS.join(', ')}; it is ${JSON.stringify(op)}`);
  }
  requirePointer(operation['path'], [index, 'path']);
  if (op === 'move' || op === 'copy') requirePointer(from, [index, 'from']);
  else if (op !== 'remove' && !Object.hasOwn(operation, 'value')) {
    throw new PatchProblem([index], `must have a value, since it is ${String(op)}`);
  }
}

function requirePointer(pointer: unknown, at: readonly PropertyKey[]): void {
  if (typeof pointer === 'string' && pointer.startsWith('/')) return;
  throw new PatchProblem(at, `must be a place such as /spec/containers/0/resources; it is ${JSON.stringify(pointer)}`);
}

function applyOperation(pod: unknown, operation: JsonObject, index: number): unknown {
  // The package takes any two objects for the same (it asks the wrong object for its own keys), so `test` is ours.
  if (operation['op'] === 'test') return tested(pod, operation, index);
  try {
    return jsonpatch.apply_patch(pod, [operation as never]);
  } catch (error) {
    const field = error instanceof Error && error.message.includes('destination') ? 'from' : 'path';
    throw new PatchProblem([index, field], `cannot be done: ${reasonOf(operation, pod)}`);
  }
}

function tested(pod: unknown, { path, value }: JsonObject, index: number): unknown {
  const there = valueAt(pod, String(path));
  if (isSameJson(there ?? null, value)) return pod;
  throw new PatchProblem([index, 'value'], `is not what stands at ${String(path)}: the test fails`);
}

function reasonOf({ op, path, from }: JsonObject, pod: unknown): string {
  if ((op === 'move' || op === 'copy') && valueAt(pod, String(from)) === undefined)
    return `the pod has nothing at ${String(from)}`;
  if (op === 'move' && String(path).startsWith(`${String(from)}/`)) return `${String(path)} is inside ${String(from)}`;
  const parent = String(path).slice(0, String(path).lastIndexOf('/'));
  const hasParent = parent === '' || valueAt(pod, parent) !== undefined;
  return `the pod has nothing at ${hasParent ? String(path) : parent}`;
}

/** The value at a JSON Pointer (RFC 6901); undefined where there is none. */
function valueAt(pod: unknown, pointer: string): unknown {
  let value = pod;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    const holds = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = holds ? (value as JsonObject)[key] : undefined;
  }
  return value;
}
