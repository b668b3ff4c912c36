// What a schema finds wrong with a document, said as mistakes at their places.
import type { z } from 'zod';
import type { SourceDocument } from './documents.ts';
import { type Mistake, nearest, shortened, suggestion } from './mistake.ts';
import { belongsAt, exampleOf, kindOf, schemaAt, settingsOf } from './schema-walk.ts';

type Path = readonly PropertyKey[];

/**
 * Every issue that `schema` has with a value as a mistake; `prefix` is where in the document that value stands, `others` are settings
 * that may stand beside those of the schema.
 */
export function toMistakes(
  error: z.ZodError,
  schema: z.ZodType,
  document: SourceDocument,
  prefix: Path = [],
  others: readonly string[] = [],
): Mistake[] {
  return error.issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    const own = schemaAt(schema, issue.path);
    if (issue.code === 'unrecognized_keys') {
      const known = [...(issue.path.length === 0 ? others : []), ...settingsOf(own)];
      return issue.keys.map((key) =>
        mistakeAtKey(
          document,
          [...path, key],
          `unknown setting ${shortened(key) || '""'}${instead(key, own, known, path)}`,
        ),
      );
    }
    if (issue.code === 'invalid_key') {
      const problems = issue.issues.map(({ message }) => message).join(', ');
      return [mistakeAtKey(document, path, `${toPathText(path)} ${problems}`)];
    }
    const problem = problemOf(issue, valueAt(document.value, path), own);
    return [mistakeAt(document, path, `${toPathText(path) || 'the document'} ${problem}`)];
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

// The nearest name; else where the setting belongs; else all that there are.
function instead(key: string, schema: unknown, known: readonly string[], path: Path): string {
  if (nearest(key, known) !== undefined) return suggestion(key, known);
  const elsewhere = belongsAt(schema, key);
  if (elsewhere.length > 0) return `; did you mean ${elsewhere.join(' or ')}?`;
  return known.length === 0 ? '' : `; ${toPathText(path) || 'the document'} may have ${known.join(', ')}`;
}

function problemOf(issue: z.core.$ZodIssue, value: unknown, schema: unknown): string {
  if (value === undefined) return missing(issue, schema);
  const isText = typeof value === 'string';
  if (issue.code === 'invalid_value') {
    const known = issue.values.map(String);
    return `must be ${oneOf(known)}; it is ${toShown(value)}${isText ? suggestion(value, known) : ''}`;
  }
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid'))
    return `must be ${wanted(issue.expected, value)}; it is ${toShown(value)}`;
  return `${sizeProblem(issue) ?? issue.message}; it is ${toShown(value)}`;
}

// What a check of several settings says of one that is not there, it says better than that it is missing.
function missing(issue: z.core.$ZodIssue, schema: unknown): string {
  if (issue.code === 'custom') return issue.message;
  if (issue.code === 'invalid_value') return `must be set to ${oneOf(issue.values.map(String))}`;
  const example = exampleOf(schema);
  if (example !== undefined) return `must be set, such as ${example}`;
  const kind = kindOf(schema);
  return kind === undefined ? 'must be set' : `must be set to ${kind}`;
}

// What zod says by itself of lengths and sizes is about programs.
function sizeProblem(issue: z.core.$ZodIssue): string | undefined {
  if (!/^Too (big|small)/.test(issue.message)) return undefined;
  if (issue.code === 'too_big') return `must ${measured(issue.origin, `at most ${issue.maximum}`)}`;
  return issue.code === 'too_small' ? `must ${measured(issue.origin, `at least ${issue.minimum}`)}` : undefined;
}

function measured(origin: string, bound: string): string {
  if (origin === 'string') return `have ${bound} characters`;
  return origin === 'array' ? `have ${bound} items` : `be ${bound}`;
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

function wanted(expected: string, value: unknown): string {
  if (expected === 'object' || expected === 'record') return 'a map';
  if (expected === 'array') return 'a list';
  if (expected === 'string') return typeof value === 'object' ? 'a text' : 'a text, so in quotes';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function toShown(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value));
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
