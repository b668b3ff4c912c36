// A patch of a pod as edits of the text it is written in: comments, order, quotes and indentation of everything else stay.
import { isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { toPlainValue } from '../guardrails/kubernetes-yaml.ts';
import { findAt, type Path, rangeOf, resolved, type Span } from '../guardrails/places.ts';
import type { PatchOperation } from '../model/json-patch.ts';
import type { WrittenDocument } from './documents.ts';
import type { Edit } from './edited-text.ts';
import { behindEntry, intoEmpty } from './flow-entry.ts';
import { endOf, type Layout, layoutOf } from './layout.ts';
import { toBlockEntry, toBlockItem, toFlow, toScalarText } from './written-value.ts';

/** Raised where a patch cannot be written down without touching something else. */
export class CannotEdit extends Error {
  override readonly name = 'CannotEdit';
}

/** What changes: the pod at `path` of a document, which `patch` makes to `patched`. */
export interface PodChange {
  readonly path: Path;
  readonly patch: readonly PatchOperation[];
  readonly patched: unknown;
}

/** The edits of `written.text` that make this change. Throws CannotEdit. */
export function toEdits(written: WrittenDocument, { path, patch, patched }: PodChange): readonly Edit[] {
  // Several operations on one place are one edit, and what is inside a value that is new comes with it.
  const byPointer = Map.groupBy(patch, (operation) => operation.path);
  const pointers = [...byPointer.keys()].filter(
    (pointer) => ![...byPointer.keys()].some((other) => pointer.startsWith(`${other}/`)),
  );
  const changes = pointers.map((pointer) => {
    const steps = pointer.split('/').slice(1).map(toStep);
    const values =
      steps.at(-1) === '-' ? (byPointer.get(pointer) ?? []).map(({ value }) => value) : [valueAt(patched, steps)];
    return { at: [...path, ...steps], values };
  });
  // Lines that come behind the same line: what is further inside goes first.
  return changes.toSorted((a, b) => b.at.length - a.at.length).map(({ at, values }) => toEdit(written, at, values));
}

function toStep(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function valueAt(value: unknown, steps: Path): unknown {
  return steps.reduce<unknown>((inner, step) => (inner as Readonly<Record<PropertyKey, unknown>>)[step], value);
}

function toEdit(written: WrittenDocument, path: Path, values: readonly unknown[]): Edit {
  const parentPath = path.slice(0, -1);
  const name = String(path.at(-1));
  const found = findAt(written.document, parentPath);
  const parent = found.depth === parentPath.length ? resolved(written.document, found.node) : undefined;
  const layout = layoutOf(written, parentPath);
  if (isSeq(parent)) return appended(parent, values, layout);
  if (!isMap(parent)) throw new CannotEdit(`${parentPath.join('.')} is not there`);
  const [value] = values;
  const pair = entryNamed(parent, name);
  return pair === undefined ? inserted(parent, name, value, layout) : replaced(pair, value, layout);
}

function replaced(pair: Pair, value: unknown, layout: Layout): Edit {
  const { value: node } = pair;
  const span = rangeOf(node);
  if (span === undefined || isUnwritten(node, span)) return behindColon(pair, toFlow(value, layout.isJson), layout);
  if (!isScalar(node) && !isAlias(node)) throw new CannotEdit('a list or map stands where a value is expected');
  if (isScalar(node) && node.type?.startsWith('BLOCK_')) return insideBlock(span, String(value), layout);
  return { ...span, text: typeof value === 'string' ? inStyleOf(node, value, layout) : toFlow(value, layout.isJson) };
}

// `>-` and a comment behind it stay, and so do the line ends behind the text.
function insideBlock({ start, end }: Span, value: string, { text }: Layout): Edit {
  const block = text.slice(start, end);
  const head = /^.*\s*/.exec(block)?.[0].length ?? 0;
  return { start: start + head, end: start + Math.max(head, block.trimEnd().length), text: value };
}

// `resizePolicy:` and nothing behind it.
function isUnwritten(node: unknown, { start, end }: Span): boolean {
  return isScalar(node) && start === end;
}

function behindColon({ key }: Pair, text: string, layout: Layout): Edit {
  const colon = layout.text.indexOf(':', rangeOf(key)?.end ?? 0) + 1;
  return { start: colon, end: colon, text: ` ${text}` };
}

// Quotes stay, and so do their absence and a number that is none.
function inStyleOf(node: unknown, value: string, layout: Layout): string {
  const type = isScalar(node) ? node.type : undefined;
  if (layout.isJson || type === 'QUOTE_DOUBLE') return JSON.stringify(value);
  if (type === 'QUOTE_SINGLE') return `'${value.replaceAll("'", "''")}'`;
  const isNumber = isScalar(node) && typeof node.value === 'number' && typeof toPlainValue(value) === 'number';
  return isNumber ? value : toScalarText(value);
}

// Behind what people write it behind, so that it does not end up far from the resources that it is about.
const BEFORE_IT = ['resources', 'image', 'name'];

function inserted(map: YAMLMap, key: string, value: unknown, layout: Layout): Edit {
  const before = BEFORE_IT.map((name) => entryNamed(map, name)).find((pair) => pair !== undefined) ?? map.items.at(-1);
  if (before === undefined) return intoEmpty(map, `${toKey(key, layout)}: ${toFlow(value, layout.isJson)}`, layout);
  const end = endOf(before);
  if (map.flow)
    return behindEntry(
      map,
      before,
      layout,
      (indent) => `${toKey(key, layout)}: ${toFlow(value, layout.isJson, indent)}`,
    );
  const column = layout.columnOf(rangeOf(map.items.at(-1)?.key)?.start ?? 0);
  return layout.behindLine(end, column, toBlockEntry(key, value, column, layout.dashOffset));
}

function appended(list: YAMLSeq, values: readonly unknown[], layout: Layout): Edit {
  const last = list.items.at(-1);
  const { isJson } = layout;
  if (last === undefined) return intoEmpty(list, values.map((value) => toFlow(value, isJson)).join(', '), layout);
  const end = endOf(last);
  if (!list.flow) {
    const column = layout.columnOf(rangeOf(list)?.start ?? 0);
    const lines = values.flatMap((value) => toBlockItem(value, column));
    return layout.behindLine(end, column, lines);
  }
  const edits = values.map((value) => behindEntry(list, last, layout, (indent) => toFlow(value, isJson, indent)));
  return { start: end, end, ...edits[0], text: edits.map(({ text }) => text).join('') };
}

function entryNamed(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

function toKey(key: string, { isJson }: Layout): string {
  return isJson ? JSON.stringify(key) : toScalarText(key);
}
