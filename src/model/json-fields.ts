// Reading the fields of untyped JSON: a field has its type, is absent, or the object is invalid. Paths are constants,
// and a list prefixes its own place only when something is wrong, so that reading a good object builds no text.
import { InvalidObject } from './invalid-object.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** An object without fields, to read from where the object is absent. */
export const NO_FIELDS: JsonObject = Object.freeze({});

const NO_ITEMS: readonly unknown[] = Object.freeze([]);
const NO_TEXTS: Readonly<Record<string, string>> = Object.freeze({});

/** Whether it is a JSON object: a map, as a person would say. */
export function isMap(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** A field as it is written; undefined where this is no JSON object, or has none of that name. */
export function fieldOf(json: unknown, name: string): unknown {
  return isMap(json) ? json[name] : undefined;
}

/** A JSON object; undefined when it is absent or null. Throws InvalidObject for any other type. */
export function readObject(json: unknown, path: string): JsonObject | undefined {
  if (json === undefined || json === null) return undefined;
  return isMap(json) ? json : wrongType(json, path, 'a map');
}

/** A JSON object that has to be there. Throws InvalidObject when it is not. */
export function readRequiredObject(json: unknown, path: string): JsonObject {
  if (isMap(json)) return json;
  if (json === undefined) throw new InvalidObject(path, 'must be set');
  return wrongType(json, path, 'a map');
}

/** No list of a real pod is longer; rules may compare its items with one another. */
export const MOST_ITEMS = 1_000;

/** A JSON list; empty when it is absent or null. Throws InvalidObject for any other type, and for an absurd length. */
export function readList(json: unknown, path: string): readonly unknown[] {
  if (json === undefined || json === null) return NO_ITEMS;
  if (!Array.isArray(json)) return wrongType(json, path, 'a list');
  if (json.length <= MOST_ITEMS) return json;
  throw new InvalidObject(path, `must have at most ${MOST_ITEMS} items; it has ${json.length}`);
}

/** A string; undefined when it is absent or null. Throws InvalidObject for any other type. */
export function readText(json: unknown, path: string): string | undefined {
  if (typeof json === 'string') return json;
  return json === undefined || json === null ? undefined : wrongType(json, path, 'a string');
}

/** As readText, with the empty string for undefined: Go's zero value, which the API writes as an absent field. */
export function readTextOrEmpty(json: unknown, path: string): string {
  return readText(json, path) ?? '';
}

/** As readText, with undefined for the empty string. */
export function readTextOrAbsent(json: unknown, path: string): string | undefined {
  return readText(json, path) || undefined;
}

/** A time as the API writes it (RFC 3339); undefined when it is absent or null. Throws InvalidObject for anything else. */
export function readTime(json: unknown, path: string): Date | undefined {
  const text = readText(json, path);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidObject(path, 'must be a time such as 2026-11-30T09:00:00Z');
  return time;
}

/** A number; undefined when it is absent or null. Throws InvalidObject for any other type. */
export function readNumber(json: unknown, path: string): number | undefined {
  if (typeof json === 'number') return json;
  return json === undefined || json === null ? undefined : wrongType(json, path, 'a number');
}

/** A boolean; false when it is absent or null. Throws InvalidObject for any other type. */
export function readFlag(json: unknown, path: string): boolean {
  if (typeof json === 'boolean') return json;
  return json === undefined || json === null ? false : wrongType(json, path, 'a boolean');
}

/**
 * An object whose values are all strings (labels, annotations): the same object, not a copy; empty when absent. It has a
 * prototype like any object, so look keys up that a person chose with `Object.hasOwn`. Throws InvalidObject.
 */
export function readTexts(json: unknown, path: string): Readonly<Record<string, string>> {
  const texts = readObject(json, path);
  if (texts === undefined) return NO_TEXTS;
  for (const key of Object.keys(texts)) {
    if (typeof texts[key] !== 'string') wrongType(texts[key], `${path}[${key}]`, 'a string');
  }
  return texts as Readonly<Record<string, string>>;
}

/** The error of something inside `path`, with that path before its own. Any other error stays as it is. */
export function under(path: string, error: unknown): unknown {
  if (!(error instanceof InvalidObject)) return error;
  return new InvalidObject(error.path === '' ? path : `${path}.${error.path}`, error.problem);
}

function wrongType(json: unknown, path: string, wanted: string): never {
  throw new InvalidObject(path, `must be ${wanted}, not ${typeOf(json)}`);
}

/** The type of a JSON value in words that follow "not": `a list`, `a number`, `null`. */
export function typeOf(json: unknown): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return 'a list';
  return typeof json === 'object' ? 'a map' : `a ${typeof json}`;
}
