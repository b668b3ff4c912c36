// YAML and JSON files as people write them for Kubernetes: several documents, each value with its place in the file.
import { type Document, isMap, LineCounter, parseAllDocuments, type Tags } from 'yaml';
import type { Mistake } from './mistake.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface SourceDocument {
  readonly file: string;
  readonly value: unknown;
  /** Where the value at this path begins; for `key: true` where its key begins. Falls back to the nearest parent. */
  readonly at: (path: readonly PropertyKey[], key?: boolean) => Place;
}

/** One `Mistake` per broken document, each with its place; good documents of the same file are still given. */
export interface Documents {
  readonly documents: readonly SourceDocument[];
  readonly mistakes: readonly Mistake[];
}

/**
 * Reads every document of a file as kubectl does: YAML 1.1 (`yes` is true, `0777` is octal), in which dates and times stay
 * texts; JSON is YAML. Empty documents are left out. Aliases that would expand without bound are a mistake, not a crash.
 */
export function readDocuments(text: string, file: string): Documents {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { version: '1.1', customTags, lineCounter: lines, prettyErrors: false });
  const documents: SourceDocument[] = [];
  const mistakes: Mistake[] = [];
  for (const document of 'empty' in parsed ? [] : parsed) {
    if (document.errors.length > 0) {
      for (const error of document.errors)
        mistakes.push({ file, ...toPlace(lines, error.pos[0]), message: oneLine(error.message) });
      continue;
    }
    try {
      const value: unknown = document.toJS();
      if (value === null || value === undefined) continue;
      documents.push({ file, value, at: (path, key) => placeOf(document, lines, path, key === true) });
    } catch (error) {
      mistakes.push({ file, ...toPlace(lines, document.range[0]), message: oneLine((error as Error).message) });
    }
  }
  return tooDeep(mistakes) ?? { documents, mistakes };
}

// The YAML reader calls itself at each level and says at each that it cannot: one mistake of a person, whatever else it says.
function tooDeep(mistakes: readonly Mistake[]): Documents | undefined {
  const first = mistakes.find(({ message }) => /call stack|stack overflow/i.test(message));
  return first && { documents: [], mistakes: [{ ...first, message: 'is nested too deeply to be read' }] };
}

function customTags(tags: Tags): Tags {
  return tags.filter(
    (tag) => typeof tag === 'string' || (tag.tag !== 'tag:yaml.org,2002:timestamp' && tag.format !== 'TIME'),
  );
}

function placeOf(document: Document, lines: LineCounter, path: readonly PropertyKey[], key: boolean): Place {
  for (let depth = path.length; depth > 0; depth--) {
    const parent: unknown = document.getIn(path.slice(0, depth - 1), true) ?? document.contents;
    const offset = offsetIn(parent, path[depth - 1], key && depth === path.length);
    if (offset !== undefined) return toPlace(lines, offset);
  }
  return toPlace(lines, offsetOf(document.contents) ?? document.range?.[0] ?? 0);
}

function offsetIn(parent: unknown, step: PropertyKey | undefined, key: boolean): number | undefined {
  if (isMap(parent)) {
    const pair = parent.items.find((item) => String(item.key) === String(step));
    return pair && (offsetOf(key ? pair.key : pair.value) ?? offsetOf(pair.key));
  }
  return typeof step === 'number' && hasItems(parent) ? offsetOf(parent.items[step]) : undefined;
}

function hasItems(node: unknown): node is { readonly items: readonly unknown[] } {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);
}

function offsetOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  return typeof node.range[0] === 'number' ? node.range[0] : undefined;
}

function toPlace(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
