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
  if (order !== undefined) refuseOtherOrder(patch, order, how);
  const named = patch.filter((item) => !Object.hasOwn(item, '$patch'));
  const original = withoutDeleted(stored, patch, how);
  if (original === undefined && order === undefined) return named;
  const merged = inPatchOrder(original ?? [], named, how);
  const keyOf = (item: JsonObject): unknown => item[mergeKey];
  return order === undefined ? merged : inOrder(merged, order.map(keyOf), stored.map(keyOf), keyOf);
}

function inPatchOrder(original: Items, named: Items, how: ListMerge): Items {
  const keyOf = (item: JsonObject): unknown => item[how.mergeKey];
  return inOrder(mergeItems(original, named, how), named.map(keyOf), original.map(keyOf), keyOf);
}

type KeyOf = (item: JsonObject) => unknown;

/** What is in `wanted` in that order, the rest in the order that is stored. */
function inOrder(items: Items, wanted: readonly unknown[], stored: readonly unknown[], keyOf: KeyOf): Items {
  const moved = items.filter((item) => wanted.includes(keyOf(item)));
  moved.sort((a, b) => wanted.indexOf(keyOf(a)) - wanted.indexOf(keyOf(b)));
  const others = items.filter((item) => !wanted.includes(keyOf(item)));
  others.sort((a, b) => stored.indexOf(keyOf(a)) - stored.indexOf(keyOf(b)));
  return interleave(others, moved, (item) => stored.indexOf(keyOf(item)));
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

// What is deleted need not be in the order; no order at all orders nothing.
function refuseOtherOrder(patch: Items, order: Items, { mergeKey, path }: ListMerge): void {
  const named = patch.filter((item) => item['$patch'] !== 'delete');
  if (order.length === 0) return;
  let next = 0;
  for (const item of order) {
    while (named[next]?.['$patch'] !== undefined) next += 1;
    if (next < named.length && named[next]?.[mergeKey] === item[mergeKey]) next += 1;
  }
  const out = named[next];
  if (out !== undefined)
    throw new PatchProblem([...path, patch.indexOf(out)], 'must stand in the order that $setElementOrder says');
}

/** Both keep their own order; one of `others` goes first where it stood before the next of `moved`. -1 is no place. */
function interleave(others: Items, moved: Items, placeOf: (item: JsonObject) => number): Items {
  const result: JsonObject[] = [];
  let next = 0;
  for (const item of moved) {
    for (; next < others.length; next += 1) {
      const other = others[next] as JsonObject;
      if (placeOf(other) === -1 || placeOf(other) >= placeOf(item)) break;
      result.push(other);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
