// The edits of a text as a unified diff, which `git apply` and `patch -p1` read.
import { applyEdits, byPlace, type Edit } from './edited-text.ts';

const CONTEXT = 3;

/** Lines of the old text that are replaced, and those that come in their place. Line numbers count from 0. */
interface Change {
  readonly from: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** The difference that the edits make, with three lines around each; empty when they make none. */
export function toUnifiedDiff(file: string, text: string, edits: readonly Edit[]): string {
  const lines = toLines(text);
  const changes = toChanges(lines, edits);
  if (changes.length === 0) return '';
  const name = file === '-' ? 'stdin' : file.replace(/^(?:\.?\/)+/, '');
  let shift = 0;
  const hunks = toHunks(changes).map((hunk) => {
    const shown = toHunkText(lines, hunk, shift);
    for (const { removed, added } of hunk) shift += added.length - removed.length;
    return shown;
  });
  return `--- a/${name}\n+++ b/${name}\n${hunks.join('')}`;
}

// Each with its line end; the last one may have none.
function toLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function toChanges(lines: readonly string[], edits: readonly Edit[]): readonly Change[] {
  const ends: number[] = [];
  for (const line of lines) ends.push((ends.at(-1) ?? 0) + line.length);
  const changes: Change[] = [];
  const queue = [...byPlace(edits)];
  for (let from = 0; from < lines.length; from++) {
    const start = ends[from - 1] ?? 0;
    let to = from;
    const own: Edit[] = [];
    while (queue[0] !== undefined && isWithin(queue[0], to, ends)) {
      const edit = queue.shift() as Edit;
      own.push({ ...edit, start: edit.start - start, end: edit.end - start });
      while (edit.end > (ends[to] ?? edit.end)) to++;
    }
    if (own.length > 0) changes.push(...trimmed(from, lines.slice(from, to + 1), own));
    from = to;
  }
  return changes;
}

// What stands behind a line end belongs to the next line; at the end of the text there is none.
function isWithin(edit: Edit, line: number, ends: readonly number[]): boolean {
  return edit.start < (ends[line] ?? 0) || line === ends.length - 1;
}

function trimmed(from: number, removed: readonly string[], edits: readonly Edit[]): readonly Change[] {
  const added = toLines(applyEdits(removed.join(''), edits));
  let head = 0;
  while (head < removed.length && removed[head] === added[head]) head++;
  let tail = 0;
  const most = Math.min(removed.length, added.length) - head;
  while (tail < most && removed.at(-1 - tail) === added.at(-1 - tail)) tail++;
  const change = {
    from: from + head,
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
  };
  return change.removed.length + change.added.length === 0 ? [] : [change];
}

// Changes whose surroundings touch are told together.
function toHunks(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const change of changes) {
    if (change.from - end <= 2 * CONTEXT) hunks.at(-1)?.push(change);
    else hunks.push([change]);
    end = change.from + change.removed.length;
  }
  return hunks;
}

function toHunkText(lines: readonly string[], hunk: readonly Change[], shift: number): string {
  const [first] = hunk;
  const from = Math.max(0, (first?.from ?? 0) - CONTEXT);
  let at = from;
  let oldCount = 0;
  let newCount = 0;
  let body = '';
  const keep = (to: number): void => {
    const kept = lines.slice(at, to);
    oldCount += kept.length;
    newCount += kept.length;
    body += marked(' ', kept);
  };
  for (const change of hunk) {
    keep(change.from);
    body += marked('-', change.removed) + marked('+', change.added);
    oldCount += change.removed.length;
    newCount += change.added.length;
    at = change.from + change.removed.length;
  }
  keep(at + CONTEXT);
  return `@@ -${range(from, oldCount)} +${range(from + shift, newCount)} @@\n${body}`;
}

// An empty range is named after the line before it.
function range(from: number, count: number): string {
  return `${count === 0 ? from : from + 1},${count}`;
}

function marked(mark: string, lines: readonly string[]): string {
  return lines.map((line) => mark + (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('');
}
