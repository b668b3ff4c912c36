// JSON as kubectl reads it: one value after the other, a key only once in an object, each value with its place.
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  closeKey,
  createCursor,
  type Cursor,
  endOfString,
  enter,
  next,
  OPEN_LIST,
  OPEN_OBJECT,
  openKey,
  peek,
  skipValue,
} from '../admission/json-cursor.ts';
import type { Path, Span } from '../guardrails/places.ts';

/** One JSON value of a text that may hold several, and where it stands. */
export interface JsonValue extends Span {
  readonly value: unknown;
}

/** The values of a text, one after the other; undefined when it is no JSON. */
export function readJsonValues(text: string): readonly JsonValue[] | undefined {
  const whole = parsed(text, { start: Math.max(0, text.search(/\S/)), end: text.length });
  if (whole !== undefined) return [whole];
  const values: JsonValue[] = [];
  try {
    const cursor = createCursor(text);
    while (!Number.isNaN(peek(cursor))) {
      const start = cursor.at;
      skipValue(cursor, 0);
      const value = parsed(text, { start, end: cursor.at });
      if (value === undefined) return undefined;
      values.push(value);
    }
  } catch {
    return undefined;
  }
  return values;
}

function parsed(text: string, span: Span): JsonValue | undefined {
  try {
    return { ...span, value: JSON.parse(text.slice(span.start, span.end)) };
  } catch {
    return undefined;
  }
}

/** Where a key stands for the second time in its object; undefined when none does. The text is JSON. */
export function repeatedKey(text: string): (Span & { readonly key: string }) | undefined {
  return repeatedIn(createCursor(text));
}

function repeatedIn(cursor: Cursor): ReturnType<typeof repeatedKey> {
  const code = peek(cursor);
  if (code === OPEN_OBJECT) return repeatedInObject(cursor);
  if (code !== OPEN_LIST) {
    skipValue(cursor, 0);
    return undefined;
  }
  for (let more = enter(cursor, CLOSE_LIST); more; more = next(cursor, CLOSE_LIST)) {
    const repeated = repeatedIn(cursor);
    if (repeated !== undefined) return repeated;
  }
  return undefined;
}

function repeatedInObject(cursor: Cursor): ReturnType<typeof repeatedKey> {
  const keys = new Set<string>();
  for (let more = enter(cursor, CLOSE_OBJECT); more; more = next(cursor, CLOSE_OBJECT)) {
    const { key, start, end } = readKey(cursor);
    if (keys.has(key)) return { key, start, end };
    keys.add(key);
    const repeated = repeatedIn(cursor);
    if (repeated !== undefined) return repeated;
  }
  return undefined;
}

/** What to point at for a path, as spanOf in guardrails/places.ts does it for YAML. The text is JSON. */
export function spanInJson(text: string, path: Path): Span {
  const cursor = createCursor(text);
  peek(cursor);
  let span: Span = { start: cursor.at, end: cursor.at + 1 };
  for (const step of path) {
    const found = stepInto(cursor, step);
    if (found === undefined) return span;
    span = found.key ?? { start: cursor.at, end: cursor.at + 1 };
  }
  if (isCollection(cursor)) return span;
  const start = cursor.at;
  skipValue(cursor, 0);
  return { start, end: cursor.at };
}

// Leaves the cursor at the value, if there is one.
function stepInto(cursor: Cursor, step: PropertyKey): { readonly key: Span | undefined } | undefined {
  const code = peek(cursor);
  if (code === OPEN_OBJECT) return stepIntoObject(cursor, String(step));
  if (code !== OPEN_LIST || typeof step !== 'number') return undefined;
  let index = 0;
  for (let more = enter(cursor, CLOSE_LIST); more; more = next(cursor, CLOSE_LIST)) {
    peek(cursor);
    if (index++ === step) return { key: undefined };
    skipValue(cursor, 0);
  }
  return undefined;
}

function stepIntoObject(cursor: Cursor, step: string): { readonly key: Span } | undefined {
  for (let more = enter(cursor, CLOSE_OBJECT); more; more = next(cursor, CLOSE_OBJECT)) {
    const { key, start, end } = readKey(cursor);
    peek(cursor);
    if (key === step) return { key: { start, end } };
    skipValue(cursor, 0);
  }
  return undefined;
}

function readKey(cursor: Cursor): Span & { readonly key: string } {
  const start = openKey(cursor) - 1;
  const end = endOfString(cursor, start + 1) + 1;
  const key = String(JSON.parse(cursor.text.slice(start, end)));
  closeKey(cursor, end - 1);
  return { start, end, key };
}

function isCollection(cursor: Cursor): boolean {
  const code = peek(cursor);
  return code === OPEN_OBJECT || code === OPEN_LIST;
}
