// Where in a text a value stands: from a path into a parsed YAML document to offsets, and from offsets to lines and columns.
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';

/** The keys and positions from a document's root to a value. */
export type Path = readonly PropertyKey[];

export { toSteps } from '../model/every-problem.ts';

export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** Characters of a text, the end left out. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands at a path, or at as much of it as there is. */
export interface Found {
  /** The value as it is written: an alias is not followed. */
  readonly node: unknown;
  /** Its key where it is in a map. */
  readonly key: unknown;
  /** How many steps of the path led here. */
  readonly depth: number;
}

/** Follows a path, through aliases to where the value is written and through merge keys. */
export function findAt(document: Document, path: Path): Found {
  let found: Found = { node: document.contents, key: undefined, depth: 0 };
  for (const step of path) {
    const pair = childOf(resolved(document, found.node), step, document);
    if (pair === undefined) break;
    found = { ...pair, depth: found.depth + 1 };
  }
  return found;
}

/** What an alias stands for; any other node is itself. */
export function resolved(document: Document, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function childOf(parent: unknown, step: PropertyKey, document: Document): Omit<Found, 'depth'> | undefined {
  if (isMap(parent)) return entryOf(parent, String(step), document);
  if (!isSeq(parent) || typeof step !== 'number' || step >= parent.items.length) return undefined;
  return { node: parent.items[step], key: undefined };
}

// The last entry or merge key that has it counts.
function entryOf(map: YAMLMap, name: string, document: Document): Omit<Found, 'depth'> | undefined {
  for (const pair of map.items.toReversed()) {
    if (nameOf(resolved(document, pair.key)) === name) return { node: pair.value, key: pair.key };
    const merged = isMerge(pair) ? mergedEntryOf(resolved(document, pair.value), name, document) : undefined;
    if (merged !== undefined) return merged;
  }
  return undefined;
}

function mergedEntryOf(merged: unknown, name: string, document: Document): Omit<Found, 'depth'> | undefined {
  for (const source of isSeq(merged) ? merged.items : [merged]) {
    const map = resolved(document, source);
    const entry = isMap(map) ? entryOf(map, name, document) : undefined;
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function nameOf(key: unknown): string {
  return isScalar(key) && typeof key.value !== 'symbol' ? String(key.value) : '';
}

function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

/**
 * What to point at for a path: a text or number itself; for a map or list its key; where the path leads to nothing, the nearest
 * parent that is there.
 */
export function spanOf(document: Document, path: Path, text: string): Span {
  const { node, key, depth } = findAt(document, path);
  const own = rangeOf(node);
  const isValue = isAlias(node) || isScalar(node);
  if (depth === path.length && isValue && own !== undefined && own.end > own.start) return firstLine(own, text);
  const ownKey = rangeOf(key);
  if (ownKey !== undefined) return ownKey;
  return own === undefined ? { start: 0, end: 0 } : firstLine(firstEntry(node) ?? own, text);
}

// Of an item of a list its first entry says best which one it is.
function firstEntry(node: unknown): Span | undefined {
  const first = isMap(node) ? node.items[0] : undefined;
  const key = rangeOf(first?.key);
  const value = isScalar(first?.value) ? rangeOf(first.value) : undefined;
  return key && { start: key.start, end: Math.max(key.end, value?.end ?? 0) };
}

function firstLine({ start, end }: Span, text: string): Span {
  const [line = ''] = text.slice(start, end).split(/\r?\n/, 1);
  return { start, end: start + line.trimEnd().length };
}

/** The characters of a node, without its comments; undefined for what is no node. */
export function rangeOf(node: unknown): Span | undefined {
  return isNode(node) && node.range ? { start: node.range[0], end: node.range[1] } : undefined;
}

// What is kept must not grow with the lines of a text, which may be nothing but line ends.
const BLOCK = 4_096;

/** A line from 1, and the offset that it begins at. */
interface Line {
  readonly line: number;
  readonly start: number;
}

const FIRST: Line = { line: 1, start: 0 };

/** Lines and columns of a text; its lines are counted when the first is asked for. */
export function createLines(text: string): (offset: number) => Place {
  let blocks: readonly Line[] | undefined;
  return (offset) => {
    blocks ??= lineOfEachBlock(text);
    const block = Math.min(Math.floor(offset / BLOCK), blocks.length - 1);
    let { line, start } = blocks[block] ?? FIRST;
    const from = block * BLOCK;
    const before = text.slice(from, offset);
    for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) {
      line++;
      start = from + at + 1;
    }
    return { line, column: offset - start + 1 };
  };
}

// The line in which each block of the text begins.
function lineOfEachBlock(text: string): readonly Line[] {
  const blocks = [FIRST];
  let last = FIRST;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    while (blocks.length * BLOCK <= at) blocks.push(last);
    last = { line: last.line + 1, start: at + 1 };
  }
  while (blocks.length * BLOCK < text.length) blocks.push(last);
  return blocks;
}
