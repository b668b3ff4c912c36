// A strategic merge patch on a pod: maps are merged, null removes, and lists that have a key are merged item by item. Follows
// StrategicMergeMapPatch of k8s.io/apimachinery/pkg/util/strategicpatch, which also says in which order items end up.
import { isMap, type JsonObject, typeOf } from '../model/json-fields.ts';
import { mergeList, toItems } from './keyed-list.ts';
import { PatchProblem } from './patch-problem.ts';

type Path = readonly PropertyKey[];

/** The lists of a pod that are merged, with the field that tells their items apart; every other list is replaced. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  env: 'name',
  ports: 'containerPort',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  volumes: 'name',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  schedulingGates: 'name',
  resourceClaims: 'name',
  evictionResponders: 'name',
  ownerReferences: 'uid',
};

const ORDER = '$setElementOrder/';

/** The patched map; neither input is changed. Throws PatchProblem. */
export function applyStrategicPatch(original: JsonObject, patch: JsonObject, path: Path = []): JsonObject {
  if (Object.hasOwn(patch, '$patch')) return directed(patch, path);
  const merged = new Map(Object.entries(original));
  const ordered = orderedLists(patch);
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(ORDER) || ordered.has(key)) continue;
    refuseOtherDirectives(key, path);
    put(merged, key, mergedValue(merged.get(key), value, key, [...path, key]));
  }
  for (const key of ordered) putOrdered(merged, patch, key, path);
  return Object.fromEntries(merged);
}

const REMOVED = Symbol('removed');

function put(merged: Map<string, unknown>, key: string, value: unknown): void {
  if (value === REMOVED) merged.delete(key);
  else merged.set(key, value);
}

function mergedValue(original: unknown, value: unknown, key: string, path: Path): unknown {
  if (value === null) return REMOVED;
  if (isMap(original) && isMap(value)) return applyStrategicPatch(original, value, path);
  const mergeKey = MERGE_KEYS[key];
  if (mergeKey !== undefined && Array.isArray(original) && Array.isArray(value)) {
    return mergeList(toItems(original, mergeKey, undefined), toItems(value, mergeKey, path), {
      mergeKey,
      path,
      merge: applyStrategicPatch,
    });
  }
  // A list that is replaced keeps what is in it; of what is new, nulls and directives are left out.
  return Array.isArray(original) && Array.isArray(value) ? value : withoutDirectives(withoutNulls(value));
}

/** The lists for which the patch says in which order their items stand; kubectl edit does. */
function orderedLists(patch: JsonObject): ReadonlySet<string> {
  const names = Object.keys(patch).filter((key) => key.startsWith(ORDER));
  return new Set(names.map((key) => key.slice(ORDER.length)));
}

function putOrdered(merged: Map<string, unknown>, patch: JsonObject, key: string, path: Path): void {
  const at = [...path, ORDER + key];
  const mergeKey = MERGE_KEYS[key];
  if (mergeKey === undefined) throw new PatchProblem(at, 'orders a list whose items podrail cannot tell apart');
  const order = toItems(patch[ORDER + key], mergeKey, at);
  const isThere = merged.has(key);
  if (!isThere && !Object.hasOwn(patch, key)) return;
  const stored = isThere ? toItems(merged.get(key), mergeKey, undefined) : [];
  const items = Object.hasOwn(patch, key) ? toItems(patch[key], mergeKey, [...path, key]) : [];
  const named = isThere ? items : (withoutDirectives(items) as readonly JsonObject[]);
  merged.set(key, mergeList(stored, named, { mergeKey, path: [...path, key], merge: applyStrategicPatch, order }));
}

function directed(patch: JsonObject, path: Path): JsonObject {
  const { $patch: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw new PatchProblem([...path, '$patch'], `must be replace or delete; it is ${JSON.stringify(directive)}`);
}

function refuseOtherDirectives(key: string, path: Path): void {
  if (key !== '$retainKeys' && !key.startsWith('$deleteFromPrimitiveList/')) return;
  throw new PatchProblem([...path, key], 'is a directive that no field of a resize has');
}

function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== REMOVED);
  if (!isMap(value)) return value;
  if (Object.hasOwn(value, '$patch')) return REMOVED;
  const kept = Object.entries(value).map(([key, inner]) => [key, withoutDirectives(inner)] as const);
  return Object.fromEntries(kept.filter(([, inner]) => inner !== REMOVED));
}

/** Nulls in maps mean nothing where there was nothing to remove. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}

/** Says of a patch that is no map what it is instead. */
export function requireMap(patch: unknown): JsonObject {
  if (isMap(patch)) return patch;
  const hint = Array.isArray(patch) ? ', which a patch of type json is' : '';
  throw new PatchProblem([], `must be a map such as {"spec": {"containers": […]}}; it is ${typeOf(patch)}${hint}`);
}
