// What a schema knows of a place in it: its settings, where another one would belong, and what one may look like.
import { z } from 'zod';

type Path = readonly PropertyKey[];

/** The schema of the value at a path, without what wraps it; undefined where there is none. */
export function schemaAt(schema: z.ZodType, path: Path): unknown {
  let at: unknown = unwrapped(schema);
  for (const step of path) {
    if (at instanceof z.ZodObject) at = unwrapped(at.shape[String(step)]);
    else if (at instanceof z.ZodArray) at = unwrapped(at.element);
    else if (at instanceof z.ZodRecord) at = unwrapped(at.valueType);
    else return undefined;
  }
  return at;
}

/** The settings that may stand in a map of this schema. */
export function settingsOf(schema: unknown): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** How far below a map a setting is looked for that somebody has written into the map itself. */
const DEEPEST = 2;

/** Where below a map of this schema a setting of that name would be known, nearest first: `max.cpu`. */
export function belongsAt(schema: unknown, key: string, depth = DEEPEST): readonly string[] {
  if (!(schema instanceof z.ZodObject) || depth === 0) return [];
  const children = Object.entries(schema.shape).map(([name, child]) => [name, unwrapped(child)] as const);
  const here = children.filter(([, child]) => takes(child, key)).map(([name]) => `${name}.${key}`);
  if (here.length > 0) return here;
  return children.flatMap(([name, child]) => belongsAt(child, key, depth - 1).map((below) => `${name}.${below}`));
}

const ANY_WORD = 'any-word';

// A map that takes every word as a key says nothing about where this one belongs.
function takes(schema: unknown, key: string): boolean {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, key);
  if (!(schema instanceof z.ZodRecord)) return false;
  const accepts = (word: string): boolean => z.safeParse(schema.keyType, word).success;
  return accepts(key) && !accepts(ANY_WORD);
}

/** What a value may look like, as the schema has it in `meta`. */
export function exampleOf(schema: unknown): string | undefined {
  const examples: unknown = schema instanceof z.ZodType ? schema.meta()?.['examples'] : undefined;
  return Array.isArray(examples) && typeof examples[0] === 'string' ? examples[0] : undefined;
}

/** `a list`, as a sentence has it. */
export function kindOf(schema: unknown): string | undefined {
  if (schema instanceof z.ZodObject) return `a map of ${settingsOf(schema).join(', ')}`;
  if (schema instanceof z.ZodRecord) return 'a map';
  if (schema instanceof z.ZodArray) return 'a list';
  return schema instanceof z.ZodString ? 'a text' : undefined;
}

function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe)
    return schema.in instanceof z.ZodTransform ? unwrapped(schema.out) : unwrapped(schema.in);
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}
