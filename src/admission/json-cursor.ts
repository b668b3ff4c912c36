// A position in a JSON text, and how to step over what nobody reads. What is stepped over is only checked for its
// brackets and quotes; the API server, which wrote the text, is trusted for more.
import { InvalidReview } from './invalid-review.ts';

export interface Cursor {
  readonly text: string;
  at: number;
  /** Where the next backslash stands, as far as it has been looked for: most strings have none, and need no other look. */
  slash: number;
}

export function createCursor(text: string): Cursor {
  return { text, at: 0, slash: -1 };
}

/** Deeper nesting than this is no pod: the deepest path of a real AdmissionReview (managedFields) has about 20 levels. */
export const MAX_DEPTH = 100;

export const QUOTE = 34;
export const OPEN_LIST = 91;
export const CLOSE_LIST = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;

const SPACE = 32;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

const LONGEST_PROBLEM = 200;

export function broken(cursor: Cursor, problem: string): InvalidReview {
  // A problem can name a key that somebody made a megabyte long.
  const shown = problem.length > LONGEST_PROBLEM ? `${problem.slice(0, LONGEST_PROBLEM)}…` : problem;
  return new InvalidReview(
    `the body is no JSON that podrail can read: ${shown} (at character ${cursor.at})`,
    cursor.at,
  );
}

/** The next character that is no white space, as its code; NaN at the end of the text. */
export function peek(cursor: Cursor): number {
  const code = cursor.text.charCodeAt(cursor.at);
  // What the API server writes has no white space.
  return code > SPACE ? code : afterSpace(cursor);
}

function afterSpace(cursor: Cursor): number {
  let code = cursor.text.charCodeAt(cursor.at);
  while (code === SPACE || code === 9 || code === 10 || code === 13) code = cursor.text.charCodeAt(++cursor.at);
  return code;
}

/** Steps into a list or object; false when it is empty, and then past its closing bracket. */
export function enter(cursor: Cursor, close: number): boolean {
  cursor.at++;
  if (peek(cursor) !== close) return true;
  cursor.at++;
  return false;
}

/** Steps over the comma to the next item; false at the closing bracket, and then past it. */
export function next(cursor: Cursor, close: number): boolean {
  const code = peek(cursor);
  if (code !== COMMA && code !== close) throw broken(cursor, 'a comma or a closing bracket is missing');
  cursor.at++;
  return code === COMMA;
}

/** Gives where the text of a key begins, behind its quote. */
export function openKey(cursor: Cursor): number {
  if (peek(cursor) !== QUOTE) throw broken(cursor, 'a key in quotes is missing');
  return cursor.at + 1;
}

export function closeKey(cursor: Cursor, end: number): void {
  cursor.at = end + 1;
  if (peek(cursor) !== COLON) throw broken(cursor, 'a colon is missing');
  cursor.at++;
}

/** Where the string that begins at `start` (behind its quote) ends: the place of its closing quote. */
export function endOfString(cursor: Cursor, start: number): number {
  const { text } = cursor;
  const end = text.indexOf('"', start);
  return end !== -1 && text.charCodeAt(end - 1) !== BACKSLASH ? end : endOfEscaped(cursor, start, end);
}

function endOfEscaped(cursor: Cursor, start: number, quote: number): number {
  const { text } = cursor;
  let end = quote;
  while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  if (end === -1) throw broken(cursor, 'a string has no end');
  return end;
}

/** Whether a backslash stands between two places. Places are asked for in the order of the text. */
export function hasEscape(cursor: Cursor, start: number, end: number): boolean {
  if (cursor.slash < start) {
    const slash = cursor.text.indexOf('\\', start);
    cursor.slash = slash === -1 ? cursor.text.length : slash;
  }
  return cursor.slash < end;
}

function isEscaped(text: string, start: number, quote: number): boolean {
  let slashes = 0;
  for (let at = quote - 1; at >= start && text.charCodeAt(at) === BACKSLASH; at--) slashes++;
  return slashes % 2 === 1;
}

export function skipValue(cursor: Cursor, depth: number): void {
  const code = peek(cursor);
  if (code === OPEN_OBJECT || code === OPEN_LIST) skipNested(cursor, depth + 1);
  else if (code === QUOTE) cursor.at = endOfString(cursor, cursor.at + 1) + 1;
  else skipLiteral(cursor);
}

/** Steps over a list or object: only quotes and brackets matter, and a string is left in one stride. */
export function skipNested(cursor: Cursor, depth: number): void {
  const { text } = cursor;
  const { length } = text;
  let level = depth - 1;
  // Held here and not in the cursor: this loop sees most of a body, and a field that is written each time doubles its cost.
  let at = cursor.at;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(cursor, at + 1);
    // One bit apart, [ and { are the same, and so are ] and }.
    else if ((code | 32) === OPEN_OBJECT) level++;
    else if ((code | 32) === CLOSE_OBJECT) level--;
    if (level > MAX_DEPTH) throw broken(cursor, `it is nested deeper than ${MAX_DEPTH} levels`);
    at++;
  } while (level >= depth && at < length);
  cursor.at = at;
  if (level >= depth) throw broken(cursor, 'it ends before its brackets are closed');
}

/** Steps over a number, `true`, `false` or `null`: the run of characters such a word can have. */
export function skipLiteral(cursor: Cursor): void {
  const start = cursor.at;
  let code = cursor.text.charCodeAt(cursor.at);
  while (
    (code >= 48 && code <= 57) ||
    ((code | 32) >= 97 && (code | 32) <= 122) ||
    code === 43 ||
    code === 45 ||
    code === 46
  ) {
    code = cursor.text.charCodeAt(++cursor.at);
  }
  if (cursor.at === start) throw broken(cursor, 'a value is missing');
}
