// Merging two lists whose items a field tells apart, as a strategic merge patch does: which item is which, and the order.
import { isMap, type JsonObject } from '../model/json-fields.ts';
import { PatchProblem } from './patch-problem.ts';

type Path = readonly PropertyKey[];
type Items = readonly JsonObject[];

export interface ListMerge {
  readonly mergeKey: string;
  /** Where the list stands in the patch. */
  readonly path: Path;
  readonly merge: (original: JsonObject, patch: JsonObject, path: Path) => JsonObject;
  /** `$setElementOrder`, where the patch has it. */
  readonly order?: Items;
}

/** The items of a list; every one must be a map. Those of the patch (`path` is set) must have the key. Throws PatchProblem. */
export function toItems(list: unknown, mergeKey: string, path: Path | undefined): Items {
  if (!Array.isArray(list)) throw new PatchProblem(path ?? [], 'must be a list');
  for (const [index, item] of list.entries()) {
    if (!isMap(item)) throw new PatchProblem([...(path ?? []), index], `must be a map that has ${mergeKey}`);
    const needsKey = path !== undefined && item['$patch'] !== 'replace';
    if (needsKey && !Object.hasOwn(item, mergeKey)) {
      throw new PatchProblem([...path, index], `must have ${mergeKey}, which says which one it changes`);
    }
  }
  return list as Items;
}

/**
 * The merged list. What the patch names stands in the patch's order, the rest in its own; both are interleaved as far as their old
 * order allows, so a patch that names two containers in another order swaps them. Throws PatchProblem.
 */
export function mergeList(stored: Items, patch: Items, how: ListMerge): Items {
  const { mergeKey, order } = how;
  const named = patch.filter((item) => !Object.hasOwn(item, '$patch'));
  const original = withoutDeleted(stored, patch, how);
  if (original === undefined) return named;
  const merged = mergeItems(original, named, how);
  if (order !== undefined) refuseOtherOrder(named, order, how);
  const inOrder = order ?? named;
  const keyOf = (item: JsonObject): unknown => item[mergeKey];
  const place = new Map(inOrder.map((item, index) => [keyOf(item), index]));
  const moved = merged.filter((item) => place.has(keyOf(item)));
  moved.sort((a, b) => (place.get(keyOf(a)) ?? 0) - (place.get(keyOf(b)) ?? 0));
  const others = merged.filter((item) => !place.has(keyOf(item)));
  const storedPlace = new Map(stored.map((item, index) => [keyOf(item), index]));
  return interleave(others, moved, (item) => storedPlace.get(keyOf(item)));
}

/** undefined when the patch replaces the whole list. */
function withoutDeleted(stored: Items, patch: Items, { mergeKey, path }: ListMerge): Items | undefined {
  let left = stored;
  let replaces = false;
  for (const [index, item] of patch.entries()) {
    const directive = item['$patch'];
    if (directive === undefined) continue;
    if (directive === 'delete') left = left.filter((one) => one[mergeKey] !== item[mergeKey]);
    else if (directive === 'replace') replaces = true;
    else
      throw new PatchProblem(
        [...path, index, '$patch'],
        `must be replace or delete; it is ${JSON.stringify(directive)}`,
      );
  }
  return replaces ? undefined : left;
}

function mergeItems(original: Items, named: Items, { mergeKey, path, merge }: ListMerge): Items {
  const merged = [...original];
  for (const [index, item] of named.entries()) {
    const at = merged.findIndex((one) => one[mergeKey] === item[mergeKey]);
    if (at === -1) merged.push(item);
    else merged[at] = merge(merged[at] ?? {}, item, [...path, index]);
  }
  return merged;
}

function refuseOtherOrder(named: Items, order: Items, { mergeKey, path }: ListMerge): void {
  let next = 0;
  for (const item of order) if (named[next]?.[mergeKey] === item[mergeKey]) next += 1;
  if (next < named.length)
    throw new PatchProblem([...path, next], 'must stand in the order that $setElementOrder says');
}

/** Both keep their own order; one of `others` goes first where it stood before the next of `moved`. */
function interleave(others: Items, moved: Items, placeOf: (item: JsonObject) => number | undefined): Items {
  const result: JsonObject[] = [];
  let next = 0;
  for (const item of moved) {
    const place = placeOf(item);
    for (; next < others.length; next += 1) {
      const other = others[next] as JsonObject;
      const before = placeOf(other);
      if (place === undefined || before === undefined || before >= place) break;
      result.push(other);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
