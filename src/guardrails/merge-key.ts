// The merge key `<<` as kubectl reads it: entries take effect in the order in which they are written, so a merge key behind an
// entry wins over it, and of two merge keys the second does (go.yaml.in/yaml/v2; the YAML library lets an entry always win).
import { type Alias, isAlias, isMap, isSeq, Scalar, type ScalarTag } from 'yaml';

type ToJSContext = NonNullable<Parameters<Alias['resolve']>[1]>;

export const MERGE_KEY: ScalarTag = {
  identify: (value) => typeof value === 'symbol' && value.description === '<<',
  default: 'key',
  tag: 'tag:yaml.org,2002:merge',
  test: /^<<$/,
  resolve: () => Object.assign(new Scalar(Symbol('<<')), { addToJSMap: addMerged }),
};

// In a list of maps the first wins.
function addMerged(
  context: ToJSContext,
  target: Record<string, unknown> | Map<unknown, unknown>,
  value: unknown,
): void {
  const source = resolved(context, value);
  const maps = isSeq(source) ? source.items.toReversed().map((item) => resolved(context, item)) : [source];
  for (const map of maps) {
    if (!isMap(map)) throw new Error('a merge key must stand for a map or a list of maps');
    for (const [key, own] of map.toJSON(null, context, Map) as Map<unknown, unknown>) set(target, key, own);
  }
}

function set(target: Record<string, unknown> | Map<unknown, unknown>, key: unknown, value: unknown): void {
  if (target instanceof Map) target.set(key, value);
  else Object.defineProperty(target, String(key), { value, writable: true, enumerable: true, configurable: true });
}

function resolved(context: ToJSContext, node: unknown): unknown {
  return isAlias(node) ? node.resolve(context.doc, context) : node;
}
