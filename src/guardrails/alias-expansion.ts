// How much the aliases of a YAML document expand to, and how much of that kubectl takes (decode.go of go.yaml.in/yaml/v2).
import { isAlias, isCollection, isPair } from 'yaml';

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

type Anchors = Map<string, Expansion>;

/** Throws where the aliases under this node expand to more than kubectl would take, or to themselves. */
export function boundExpansion(node: unknown): void {
  const { written, expanded } = expansionOf(node, new Map());
  const aliased = expanded - written;
  if (aliased > FEW_ALIASED && expanded > FEW_VALUES && aliased / expanded > allowedRatio(expanded)) {
    throw new Error(`its aliases expand to ${expanded.toLocaleString('en')} values, more than kubectl reads`);
  }
}

function expansionOf(node: unknown, anchors: Anchors): Expansion {
  if (isAlias(node)) {
    const source = anchors.get(node.source);
    if (source === undefined) throw new Error(`alias *${node.source} stands for nothing that is written before it`);
    return { written: 1, expanded: 1 + source.expanded };
  }
  if (isPair(node)) return plus(expansionOf(node.key, anchors), expansionOf(node.value, anchors));
  if (!isCollection(node)) return withAnchor(node, { written: 1, expanded: 1 }, anchors);
  let total: Expansion = { written: 1, expanded: 1 };
  for (const item of node.items) total = plus(total, expansionOf(item, anchors));
  return withAnchor(node, total, anchors);
}

// An anchor counts from its end on: an alias inside its own anchor has nothing to stand for.
function withAnchor(node: unknown, expansion: Expansion, anchors: Anchors): Expansion {
  const anchor = typeof node === 'object' && node !== null && 'anchor' in node ? node.anchor : undefined;
  if (typeof anchor === 'string') anchors.set(anchor, expansion);
  return expansion;
}

function plus(a: Expansion, b: Expansion): Expansion {
  return { written: a.written + b.written, expanded: a.expanded + b.expanded };
}

function allowedRatio(expanded: number): number {
  if (expanded <= SMALL) return MOST_OF_SMALL;
  if (expanded >= LARGE) return MOST_OF_LARGE;
  return MOST_OF_SMALL - ((MOST_OF_SMALL - MOST_OF_LARGE) * (expanded - SMALL)) / (LARGE - SMALL);
}
