// What the aliases and merge keys of a YAML document lead to, and how much of that kubectl takes (decode.go of go.yaml.in/yaml/v2).
import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, type Pair } from 'yaml';
import { rangeOf } from './places.ts';
import { UnreadableYaml, type YamlMistake } from './unreadable-yaml.ts';

// A document may come from aliases to 99 %, and less the larger it is.
const SMALL = 400_000;
const LARGE = 4_000_000;
const MOST_OF_SMALL = 0.99;
const MOST_OF_LARGE = 0.1;
const FEW_ALIASED = 100;
const FEW_VALUES = 1_000;

interface Expansion {
  /** Values as they stand in the text. */
  readonly written: number;
  /** Values when every alias is replaced by what it stands for. */
  readonly expanded: number;
}

interface Anchored extends Expansion {
  readonly node: unknown;
}

/** What is known when the walk has come to a node. */
interface Walk {
  readonly anchors: Map<string, Anchored>;
  readonly mistakes: YamlMistake[];
  /** The alias that expands to the most. */
  largest: { readonly offset: number; readonly expanded: number };
}

/**
 * Throws UnreadableYaml where the aliases under this node expand to more than kubectl would take, to themselves or to nothing, or
 * where a merge key stands for no map: all of it, each at its own place.
 */
export function boundExpansion(node: unknown): void {
  const walk: Walk = { anchors: new Map(), mistakes: [], largest: { offset: 0, expanded: 0 } };
  const { written, expanded } = expansionOf(node, walk);
  const aliased = expanded - written;
  if (aliased > FEW_ALIASED && expanded > FEW_VALUES && aliased / expanded > allowedRatio(expanded)) {
    const message = `aliases must expand to no more than kubectl reads; they expand to ${expanded.toLocaleString('en')} values, this one to the most`;
    walk.mistakes.push({ offset: walk.largest.offset, message });
  }
  if (walk.mistakes.length > 0) throw new UnreadableYaml(walk.mistakes);
}

function expansionOf(node: unknown, walk: Walk): Expansion {
  if (isAlias(node)) return expansionOfAlias(node.source, startOf(node), walk);
  if (isPair(node)) {
    const total = plus(expansionOf(node.key, walk), expansionOf(node.value, walk));
    if (isScalar(node.key) && typeof node.key.value === 'symbol') checkMerged(node, walk);
    return total;
  }
  if (!isCollection(node)) return withAnchor(node, { written: 1, expanded: 1 }, walk);
  let total: Expansion = { written: 1, expanded: 1 };
  for (const item of node.items) total = plus(total, expansionOf(item, walk));
  return withAnchor(node, total, walk);
}

function expansionOfAlias(name: string, offset: number, walk: Walk): Expansion {
  const source = walk.anchors.get(name);
  if (source === undefined) {
    const message = `alias *${name} must stand for what is written before it as &${name}; nothing is`;
    walk.mistakes.push({ offset, message });
    return { written: 1, expanded: 1 };
  }
  const expanded = 1 + source.expanded;
  if (expanded > walk.largest.expanded) walk.largest = { offset, expanded };
  return { written: 1, expanded };
}

function checkMerged({ value }: Pair, walk: Walk): void {
  const merged = resolved(value, walk);
  const items: readonly unknown[] = isSeq(merged) ? merged.items : [value];
  for (const item of items) {
    const map = resolved(item, walk);
    if (map === undefined || isMap(map)) continue;
    walk.mistakes.push({ offset: startOf(item), message: 'merge key << must stand for a map or a list of maps' });
  }
}

// undefined for an alias that stands for nothing, which has been told.
function resolved(node: unknown, { anchors }: Walk): unknown {
  return isAlias(node) ? anchors.get(node.source)?.node : node;
}

// An anchor counts from its end on: an alias inside its own anchor has nothing to stand for.
function withAnchor(node: unknown, expansion: Expansion, walk: Walk): Expansion {
  const anchor = typeof node === 'object' && node !== null && 'anchor' in node ? node.anchor : undefined;
  if (typeof anchor === 'string') walk.anchors.set(anchor, { ...expansion, node });
  return expansion;
}

function startOf(node: unknown): number {
  return rangeOf(node)?.start ?? 0;
}

function plus(a: Expansion, b: Expansion): Expansion {
  return { written: a.written + b.written, expanded: a.expanded + b.expanded };
}

function allowedRatio(expanded: number): number {
  if (expanded <= SMALL) return MOST_OF_SMALL;
  if (expanded >= LARGE) return MOST_OF_LARGE;
  return MOST_OF_SMALL - ((MOST_OF_SMALL - MOST_OF_LARGE) * (expanded - SMALL)) / (LARGE - SMALL);
}
