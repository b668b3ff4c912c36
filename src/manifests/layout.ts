// How a document is laid out around a place: its indentation, its line ends, where its lists put their dashes.
import { isCollection, isMap, isPair, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import { findAt, type Path, rangeOf, resolved } from '../guardrails/places.ts';
import type { WrittenDocument } from './documents.ts';
import type { Edit } from './edited-text.ts';

/** How the line of an entry begins that has a line of its own. */
export interface EntryLine {
  readonly lineEnd: string;
  readonly indent: string;
}

export interface Layout {
  readonly text: string;
  /** Whether maps are written as JSON has them: keys in double quotes. */
  readonly isJson: boolean;
  /** How far the dashes of a list stand to the right of the list's key: mostly 0 or 2. */
  readonly dashOffset: number;
  /** How many characters stand before an offset on its line. */
  readonly columnOf: (offset: number) => number;
  /** undefined where the entries of a flow collection stand on one line. */
  readonly lineOfEntry: (collection: YAMLMap | YAMLSeq) => EntryLine | undefined;
  readonly lineEnd: string;
  /** Lines behind the line of an offset, and behind the comments that belong to what stands there. */
  readonly behindLine: (offset: number, column: number, lines: readonly string[]) => Edit;
}

/** The layout around the value at `path`. */
export function layoutOf(written: WrittenDocument, path: Path): Layout {
  const { text } = written;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const columnOf = (offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);
  return {
    text,
    lineEnd,
    isJson: written.isJson || hasQuotedKeys(written, path),
    dashOffset: dashOffsetAt(written, path, columnOf),
    columnOf,
    lineOfEntry(collection) {
      const start = startOf(collection.items[0]);
      const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
      const isOwnLine =
        line.trim() === '' && start > (rangeOf(collection)?.start ?? 0) && text.slice(0, start).includes('\n');
      return isOwnLine ? { lineEnd, indent: line } : undefined;
    },
    behindLine: (offset, column, lines) => behindLine(text, offset, column, lines, lineEnd),
  };
}

// The range of a block collection goes on to where the next thing begins, so its last entry is asked.
/** Where the text of a value ends, or of an entry. */
export function endOf(node: unknown): number {
  if (isPair(node)) return rangeOf(node.value) === undefined ? (rangeOf(node.key)?.end ?? 0) : endOf(node.value);
  const last = isCollection(node) && !node.flow ? node.items.at(-1) : undefined;
  return last === undefined ? (rangeOf(node)?.end ?? 0) : endOf(last);
}

/** Where the text of a value begins, or of an entry. */
export function startOf(item: unknown): number {
  return rangeOf(isPair(item) ? item.key : item)?.start ?? 0;
}

// The nearest flow collection that has keys decides: what is empty has no style of its own, and JSON has the same everywhere.
function hasQuotedKeys({ document }: WrittenDocument, path: Path): boolean {
  for (let depth = path.length; depth >= 0; depth--) {
    const isQuoted = isQuotedFlow(resolved(document, findAt(document, path.slice(0, depth)).node));
    if (isQuoted !== undefined) return isQuoted;
  }
  return false;
}

// undefined where it has no keys to tell it by.
function isQuotedFlow(node: unknown): boolean | undefined {
  if (!isCollection(node) || !node.flow) return undefined;
  if (isSeq(node)) return node.items.map(isQuotedFlow).find((isQuoted) => isQuoted !== undefined);
  const [first] = isMap(node) ? node.items : [];
  return first && isScalar(first.key) && first.key.type === 'QUOTE_DOUBLE';
}

// As the nearest list around it has them.
function dashOffsetAt({ document }: WrittenDocument, path: Path, columnOf: (offset: number) => number): number {
  for (let depth = path.length; depth > 0; depth--) {
    const { node, key } = findAt(document, path.slice(0, depth));
    const dash = isSeq(node) && !node.flow ? rangeOf(node) : undefined;
    const ownKey = rangeOf(key);
    if (dash !== undefined && ownKey !== undefined) return Math.max(0, columnOf(dash.start) - columnOf(ownKey.start));
  }
  return 0;
}

function behindLine(text: string, offset: number, column: number, lines: readonly string[], lineEnd: string): Edit {
  // A block scalar ends behind its last line end.
  const isPastLine = offset > 0 && text[offset - 1] === '\n';
  const own = isPastLine ? offset - 1 : text.indexOf('\n', offset);
  if (own === -1) return { start: text.length, end: text.length, text: lines.map((line) => lineEnd + line).join('') };
  const end = pastComments(text, own, column);
  if (end === text.length && text[end - 1] !== '\n')
    return { start: end, end, text: lines.map((line) => lineEnd + line).join('') };
  const at = text[end - 1] === '\r' ? end - 1 : end;
  return { start: at, end: at, text: lines.map((line) => lineEnd + line).join('') };
}

// Comments that are indented more than the map belong to the entry before them. Gives the offset of the line end behind the last.
function pastComments(text: string, lineEnd: number, column: number): number {
  let end = lineEnd;
  let at = lineEnd;
  while (at !== -1 && at < text.length) {
    const next = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, next === -1 ? text.length : next);
    const indent = line.search(/\S/);
    if (indent !== -1 && (line[indent] !== '#' || indent <= column)) break;
    if (indent !== -1) end = next === -1 ? text.length : next;
    at = next;
  }
  return end;
}
