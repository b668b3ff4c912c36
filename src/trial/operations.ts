// A JSON Patch (RFC 6902) on a pod as the API server applies it, which is by evanphx/json-patch v4: `replace` sets what a map does not
// have, `copy` of nothing gives null, negative indices count from the end.
import { isMap, type JsonObject, typeOf } from '../model/json-fields.ts';
import { PatchProblem } from './patch-problem.ts';
import { isSameJson } from './same-json.ts';

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** The patched pod; the pod itself is not changed. Throws PatchProblem. */
export function applyOperations(pod: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch)) {
    throw new PatchProblem([], `must be a list of operations, since its type is json; it is ${typeOf(patch)}`);
  }
  let patched: unknown = structuredClone(pod);
  for (const [index, operation] of patch.entries()) {
    patched = applyOperation(patched, toOperation(operation, index), index);
    if (!isMap(patched)) throw new PatchProblem([index, 'value'], `must be a pod; it is ${typeOf(patched)}`);
  }
  return patched as JsonObject;
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: unknown;
}

function toOperation(json: unknown, index: number): Operation {
  if (!isMap(json)) throw new PatchProblem([index], `must be an operation; it is ${typeOf(json)}`);
  const { op, path, from, value } = json;
  if (!OPERATIONS.includes(String(op))) {
    throw new PatchProblem([index, 'op'], `must be one of ${OPERATIONS.join(', ')}; it is ${JSON.stringify(op)}`);
  }
  if (path !== '' || (op !== 'replace' && op !== 'test')) requirePointer(path, [index, 'path']);
  if (op === 'move' || op === 'copy') requirePointer(from, [index, 'from']);
  else if (op !== 'remove' && value === undefined) {
    throw new PatchProblem([index], `must have a value, since it is ${String(op)}`);
  }
  return { op: String(op), path: String(path), from: String(from), value };
}

function requirePointer(pointer: unknown, at: readonly PropertyKey[]): void {
  if (typeof pointer === 'string' && pointer.startsWith('/')) return;
  throw new PatchProblem(at, `must be a place such as /spec/containers/0/resources; it is ${JSON.stringify(pointer)}`);
}

function applyOperation(pod: unknown, { op, path, from, value }: Operation, index: number): unknown {
  if (path === '' && op === 'replace') return structuredClone(value);
  const at = path === '' ? undefined : placeOf(pod, path, [index, 'path']);
  switch (op) {
    case 'add':
      insert(at, structuredClone(value));
      break;
    case 'replace':
      set(at, structuredClone(value));
      break;
    case 'remove':
      remove(at);
      break;
    case 'test':
      if (!isSameJson((at === undefined ? pod : valueAt(at)) ?? null, value))
        throw new PatchProblem([index, 'value'], `is not what stands at ${path || 'the root'}, so the test fails`);
      break;
    default:
      transfer(pod, { op, path, from, value }, index);
  }
  return pod;
}

// The place is looked up after the value is gone: indices behind it have moved.
function transfer(pod: unknown, { op, path, from }: Operation, index: number): void {
  const source = placeOf(pod, from, [index, 'from']);
  const value = structuredClone(valueAt(source) ?? null);
  if (op === 'move') remove(source);
  insert(placeOf(pod, path, [index, 'path']), value);
}

/** A key in a map or an index in a list that is there. */
interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
  readonly pointer: string;
  /** Where in the patch it is named. */
  readonly named: readonly PropertyKey[];
}

function placeOf(pod: unknown, pointer: string, named: readonly PropertyKey[]): Place {
  const segments = pointer.split('/').slice(1);
  let holder = pod as Place['holder'];
  for (const [at, segment] of segments.slice(0, -1).entries()) {
    const passed = `/${segments.slice(0, at + 1).join('/')}`;
    const inner = valueAt({ holder, key: unescape(segment), pointer: passed, named });
    if (!isHolder(inner)) throw absent(passed, named);
    holder = inner;
  }
  return { holder, key: unescape(segments.at(-1) ?? ''), pointer, named };
}

function isHolder(value: unknown): value is Place['holder'] {
  return typeof value === 'object' && value !== null;
}

/** undefined for a key that a map does not have; an index that a list does not have is a problem. */
function valueAt(place: Place): unknown {
  const { holder, key } = place;
  if (Array.isArray(holder)) return holder[indexIn(place, holder.length)];
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function set(place: Place | undefined, value: unknown): void {
  if (place === undefined) return;
  const { holder, key } = place;
  if (Array.isArray(holder)) holder[indexIn(place, holder.length)] = value;
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function insert(place: Place | undefined, value: unknown): void {
  if (place === undefined || !Array.isArray(place.holder)) set(place, value);
  else if (place.key === '-') place.holder.push(value);
  else place.holder.splice(indexIn(place, place.holder.length + 1), 0, value);
}

function remove(place: Place | undefined): void {
  if (place === undefined) return;
  const { holder, key } = place;
  if (Array.isArray(holder)) holder.splice(indexIn(place, holder.length), 1);
  else if (Object.hasOwn(holder, key)) Reflect.deleteProperty(holder, key);
  else throw absent(place.pointer, place.named);
}

function indexIn({ key, pointer, named }: Place, length: number): number {
  const index = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN;
  const counted = index < 0 ? index + length : index;
  if (counted >= 0 && counted < length) return counted;
  throw absent(pointer, named);
}

function absent(pointer: string, named: readonly PropertyKey[]): PatchProblem {
  return new PatchProblem(named, `leads nowhere: the pod has nothing at ${pointer}`);
}

function unescape(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
