// What a schema finds wrong with a document, said as mistakes at their places.
import { z } from 'zod';
import type { SourceDocument } from './documents.ts';
import { type Mistake, shortened, suggestion } from './mistake.ts';

type Path = readonly PropertyKey[];

/** Every issue that `schema` has with a value as a mistake; `prefix` is where in the document that value stands. */
export function toMistakes(
  error: z.ZodError,
  schema: z.ZodType,
  document: SourceDocument,
  prefix: Path = [],
): Mistake[] {
  return error.issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const known = knownKeys(schema, issue.path);
      return issue.keys.map((key) =>
        mistakeAtKey(document, [...path, key], `unknown setting ${shortened(key)}${suggestion(key, known)}`),
      );
    }
    if (issue.code === 'invalid_key') {
      const problems = issue.issues.map(({ message }) => message).join(', ');
      return [mistakeAtKey(document, path, `${toPathText(path)} ${problems}`)];
    }
    return [
      mistakeAt(
        document,
        path,
        `${toPathText(path) || 'the document'} ${problemOf(issue, valueAt(document.value, path))}`,
      ),
    ];
  });
}

export function mistakeAt(document: SourceDocument, path: Path, message: string): Mistake {
  return { file: document.file, ...document.at(path), message };
}

export function mistakeAtKey(document: SourceDocument, path: Path, message: string): Mistake {
  return { file: document.file, ...document.at(path, true), message };
}

/** `spec.match.namespaces[0]`, as a person would type it. */
export function toPathText(path: Path): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${shortened(String(step))}`,
    '',
  );
}

function problemOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'must be set';
  if (issue.code === 'invalid_value') {
    const known = issue.values.map(String);
    return `must be ${oneOf(known)}; it is ${toShown(value)}${typeof value === 'string' ? suggestion(value, known) : ''}`;
  }
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}; it is ${toShown(value)}`;
  return `${issue.message}; it is ${toShown(value)}`;
}

// zod does not say which keys it would have known, so the schema is walked to where it complained.
function knownKeys(schema: z.ZodType, path: Path): readonly string[] {
  let at: unknown = unwrapped(schema);
  for (const step of path) {
    if (at instanceof z.ZodObject) at = unwrapped(at.shape[String(step)]);
    else if (at instanceof z.ZodArray) at = unwrapped(at.element);
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrapped(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[step] : undefined,
    value,
  );
}

function oneOf(words: readonly string[]): string {
  return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`;
}

function article(expected: string): string {
  if (expected === 'object' || expected === 'record') return 'a map';
  if (expected === 'array') return 'a list';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function toShown(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value));
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
