// JSON Patch operations (RFC 6902) that podrail emits. Built by hand, since the API server applies them: a path never
// points into a parent that is not there.

/** Only what podrail needs: `add` creates or appends, `replace` changes what is there. */
export type PatchOperation =
  | { readonly op: 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'replace'; readonly path: string; readonly value: unknown };

const NO_OPERATIONS: readonly PatchOperation[] = [];

/** A JSON Pointer (RFC 6901): `toPointer('metadata', 'labels', 'a/b')` is `/metadata/labels/a~1b`. */
export function toPointer(...segments: readonly (string | number)[]): string {
  let pointer = '';
  for (const segment of segments) pointer += `/${typeof segment === 'number' ? segment : escape(segment)}`;
  return pointer;
}

/**
 * Appends to the list at `pointer`; `list` is what is there. undefined or null makes a new list, for which the parent must exist.
 * Nothing to append is no operation.
 */
export function addToList(
  pointer: string,
  list: readonly unknown[] | undefined | null,
  values: readonly unknown[],
): readonly PatchOperation[] {
  if (values.length === 0) return NO_OPERATIONS;
  if (list === undefined || list === null) return [{ op: 'add', path: pointer, value: values }];
  return values.map((value) => ({ op: 'add', path: `${pointer}/-`, value }));
}

/**
 * Sets entries of the map at `pointer`; `map` is what is there. undefined or null makes a new map, for which the parent must
 * exist. An entry that has its value already is no operation.
 */
export function addToMap(
  pointer: string,
  map: Readonly<Record<string, unknown>> | undefined | null,
  entries: Readonly<Record<string, unknown>>,
): readonly PatchOperation[] {
  const keys = Object.keys(entries);
  if (keys.length === 0) return NO_OPERATIONS;
  if (map === undefined || map === null) return [{ op: 'add', path: pointer, value: entries }];
  const operations: PatchOperation[] = [];
  for (const key of keys) {
    const isThere = Object.hasOwn(map, key);
    if (isThere && map[key] === entries[key]) continue;
    operations.push({ op: isThere ? 'replace' : 'add', path: pointer + toPointer(key), value: entries[key] });
  }
  return operations;
}

/** `~` first, since what stands for `/` has one. */
function escape(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
