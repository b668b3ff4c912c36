// Reads the parts of a JSON text that a shape names, in one pass, and steps over the rest.
import {
  broken,
  CLOSE_LIST,
  CLOSE_OBJECT,
  closeKey,
  createCursor,
  type Cursor,
  endOfString,
  enter,
  hasEscape,
  next,
  OPEN_LIST,
  OPEN_OBJECT,
  openKey,
  peek,
  QUOTE,
  skipLiteral,
  skipNested,
  skipValue,
} from './json-cursor.ts';
import type { Field, Shape } from './shape.ts';

/**
 * The value of `text` as far as `shape` reaches, in plain objects and lists. Where a value is of another kind than the
 * shape expects it is kept as it is (a list or object empty), so that the reader of the object can say what is wrong.
 * Throws InvalidReview where the text is no JSON, where a key that is read stands twice, or where the nesting is absurd.
 */
export function readJson(text: string, shape: Shape): unknown {
  const cursor = createCursor(text);
  const value = readValue(cursor, shape, 0);
  if (!Number.isNaN(peek(cursor))) throw broken(cursor, 'something follows its value');
  return value;
}

function readValue(cursor: Cursor, shape: Shape, depth: number): unknown {
  const code = peek(cursor);
  if (code === OPEN_OBJECT) return readObject(cursor, shape, depth + 1);
  if (code === OPEN_LIST) return readList(cursor, shape, depth + 1);
  if (code === QUOTE) return readString(cursor);
  return readLiteral(cursor, shape.kind === 'quantity');
}

function readObject(cursor: Cursor, shape: Shape, depth: number): unknown {
  if (shape.kind === 'fields') return readFields(cursor, shape.byLength, depth);
  if (shape.kind === 'entries') return readEntries(cursor, shape.values, depth);
  skipNested(cursor, depth);
  return {};
}

function readFields(cursor: Cursor, byLength: readonly (readonly Field[] | undefined)[], depth: number): unknown {
  const { text } = cursor;
  const object: Record<string, unknown> = {};
  let seen = 0;
  for (let more = enter(cursor, CLOSE_OBJECT); more; more = next(cursor, CLOSE_OBJECT)) {
    const start = openKey(cursor);
    const end = endOfString(cursor, start);
    const field = fieldNamed(text, start, byLength[end - start]);
    closeKey(cursor, end);
    if (field === undefined) {
      // No encoder writes the letters of a name as escapes; one who does wants it overlooked.
      if (hasEscape(cursor, start, end))
        throw broken(cursor, 'a key is written with escapes where podrail reads fields');
      skipValue(cursor, depth);
      continue;
    }
    if ((seen & field.bit) !== 0) throw broken(cursor, `its key "${field.name}" stands twice`);
    seen |= field.bit;
    // Strings are most of what is kept, so they are not sent the long way round.
    object[field.name] = peek(cursor) === QUOTE ? readString(cursor) : readValue(cursor, field.shape, depth);
  }
  return object;
}

function fieldNamed(text: string, start: number, candidates: readonly Field[] | undefined): Field | undefined {
  if (candidates === undefined) return undefined;
  const first = text.charCodeAt(start);
  for (let place = 0; place < candidates.length; place++) {
    const field = candidates[place] as Field;
    if (field.first === first && text.startsWith(field.name, start)) return field;
  }
  return undefined;
}

function readEntries(cursor: Cursor, values: Shape, depth: number): unknown {
  const object: Record<string, unknown> = {};
  for (let more = enter(cursor, CLOSE_OBJECT); more; more = next(cursor, CLOSE_OBJECT)) {
    const start = openKey(cursor);
    const end = endOfString(cursor, start);
    const key = textBetween(cursor, start, end);
    closeKey(cursor, end);
    if (Object.hasOwn(object, key)) throw broken(cursor, `its key "${key}" stands twice`);
    const value = readValue(cursor, values, depth);
    // An ordinary assignment to this one key would change the object's prototype instead.
    if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true });
    else object[key] = value;
  }
  return object;
}

function readList(cursor: Cursor, shape: Shape, depth: number): unknown {
  const values: unknown[] = [];
  if (shape.kind !== 'list') {
    skipNested(cursor, depth);
    return values;
  }
  for (let more = enter(cursor, CLOSE_LIST); more; more = next(cursor, CLOSE_LIST)) {
    values.push(readValue(cursor, shape.items, depth));
  }
  return values;
}

function readString(cursor: Cursor): string {
  const start = cursor.at + 1;
  const end = endOfString(cursor, start);
  cursor.at = end + 1;
  return textBetween(cursor, start, end);
}

function textBetween(cursor: Cursor, start: number, end: number): string {
  const text = cursor.text.slice(start, end);
  return hasEscape(cursor, start, end) ? String(parse(cursor, `"${text}"`, start)) : text;
}

function readLiteral(cursor: Cursor, asText: boolean): unknown {
  const start = cursor.at;
  skipLiteral(cursor);
  const text = cursor.text.slice(start, cursor.at);
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  const value = parse(cursor, text, start);
  return asText && typeof value === 'number' ? text : value;
}

function parse(cursor: Cursor, text: string, start: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    cursor.at = start;
    throw broken(cursor, `${text.slice(0, 20)} is no JSON value`);
  }
}
