// The documents of a manifest file, YAML or JSON, one at a time: plain values at once, places only for whom asks.
import { type Document, isMap, parseAllDocuments } from 'yaml';
import { shortened } from '../guardrails/mistake.ts';
import { KUBERNETES_YAML, toValue } from '../guardrails/kubernetes-yaml.ts';
import { type Path, type Span, spanOf } from '../guardrails/places.ts';
import {
  oneLine,
  standsTwice,
  syntaxMistakes,
  UnreadableYaml,
  type YamlMistake,
} from '../guardrails/unreadable-yaml.ts';
import { isMap as isObject } from '../model/json-fields.ts';
import { type JsonValue, readJsonValues, repeatedKey, spanInJson } from './json-text.ts';
import { type Part, splitDocuments } from './split.ts';
import { mayHoldPods } from './workloads.ts';

/** A document that can hold pods. */
export interface ManifestDocument {
  readonly value: unknown;
  /** The characters of the file to point at for a path in this document. */
  readonly spanOf: (path: Path) => Span;
  /** The document as it is written, for whom wants to change its text; a JSON document is parsed again for that. */
  readonly written: () => WrittenDocument;
}

/** Offsets of the document's nodes count from `start` of the file. */
export interface WrittenDocument extends Part {
  readonly document: Document;
  /** Which of the documents in that text it is, from 0. */
  readonly ordinal: number;
  /** Whether it was read as JSON, and has to stay that. */
  readonly isJson: boolean;
}

/**
 * What a file holds, in its order: documents that can hold pods, objects of other kinds (which hold none), documents that are no object of
 * Kubernetes at all, and what cannot be read.
 */
export type ManifestPart =
  | { readonly is: 'manifest'; readonly manifest: ManifestDocument }
  | { readonly is: 'other' }
  | { readonly is: 'no-object' }
  | { readonly is: 'mistake'; readonly offset: number; readonly message: string };

/** No API server takes a request of a tenth of this, and the parser needs some sixty times as much memory. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

const TOO_DEEP = 'this document is nested too deep to be read';
const OTHER: ManifestPart = { is: 'other' };
const NO_OBJECT: ManifestPart = { is: 'no-object' };

/** Reads a file's text part by part. Nothing is thrown for what is wrong in it. */
export function* readManifestParts(text: string): Iterable<ManifestPart> {
  for (const part of splitDocuments(text)) {
    // Of the same length, so that places stay right.
    const bare = { ...part, text: part.text.replace(/^---/, '   ') };
    const values = /^\s*\{/.test(bare.text) ? readJsonValues(bare.text) : undefined;
    if (values === undefined) yield* readYaml(part);
    else for (const value of values) yield readJson(bare, value);
  }
}

function readJson(part: Part, json: JsonValue): ManifestPart {
  const at = part.start + json.start;
  try {
    return readJsonValue(part.text.slice(json.start, json.end), json.value, at);
  } catch (error) {
    return { is: 'mistake', offset: at, message: reasonOf(error) };
  }
}

function readJsonValue(text: string, value: unknown, at: number): ManifestPart {
  const repeated = repeatedKey(text);
  if (repeated !== undefined)
    return { is: 'mistake', offset: at + repeated.start, message: standsTwice(`"${shortened(repeated.key)}"`) };
  const kind = isObject(value) ? value['kind'] : undefined;
  if (!mayHoldPods(kind)) return withoutPods(kind);
  const written = (): WrittenDocument => ({
    text,
    start: at,
    document: parsedYaml(text)[0] as Document,
    ordinal: 0,
    isJson: true,
  });
  return { is: 'manifest', manifest: { value, spanOf: (path) => moved(spanInJson(text, path), at), written } };
}

function* readYaml(part: Part): Iterable<ManifestPart> {
  const { start } = part;
  const text = withoutBlankEnd(part.text);
  if (text.length > MOST_CHARACTERS) {
    const most = `${MOST_CHARACTERS / 1024 / 1024} MiB`;
    yield {
      is: 'mistake',
      offset: start,
      message: `this document is larger than ${most}, which no API server takes; split it`,
    };
    return;
  }
  try {
    let ordinal = 0;
    for (const document of parsedYaml(text))
      yield* readYamlDocument({ text, start, document, ordinal: ordinal++, isJson: false });
  } catch (error) {
    yield { is: 'mistake', offset: start, message: reasonOf(error) };
  }
}

const MANY_BLANKS = 1_000;
const KEEPS_END = /[|>][1-9]?\+/;

// The parser keeps something of each line end. They mean nothing, unless a text says that it keeps those behind it.
function withoutBlankEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return text.length - end < MANY_BLANKS || KEEPS_END.test(text) ? text : `${text.slice(0, end)}\n`;
}

function parsedYaml(text: string): readonly Document[] {
  const documents = parseAllDocuments(text, KUBERNETES_YAML);
  return 'empty' in documents ? [] : documents;
}

function* readYamlDocument(written: WrittenDocument): Iterable<ManifestPart> {
  const { text, start, document } = written;
  const broken = document.errors.length === 0 ? [] : mistakesOf(document, text, start);
  if (broken.length > 0) {
    yield* broken;
    return;
  }
  if (isEmpty(document)) return;
  const kind: unknown = isMap(document.contents) ? document.get('kind') : undefined;
  if (!mayHoldPods(kind)) {
    yield withoutPods(kind);
    return;
  }
  try {
    const value = toValue(document, text);
    yield {
      is: 'manifest',
      manifest: { value, spanOf: (path) => moved(spanOf(document, path, text), start), written: () => written },
    };
  } catch (error) {
    yield* unreadable(error, document.range?.[0] ?? 0, start);
  }
}

function withoutPods(kind: unknown): ManifestPart {
  return typeof kind === 'string' ? OTHER : NO_OBJECT;
}

// One mistake can make the parser stumble a thousand times.
const MOST_MISTAKES = 10;

function mistakesOf(document: Document, text: string, start: number): readonly ManifestPart[] {
  const deep = document.errors.find(({ message }) => message.startsWith('Maximum call stack'));
  if (deep !== undefined) return toMistakes([{ offset: deep.pos[0], message: TOO_DEEP }], start);
  return toMistakes(syntaxMistakes(document, text).slice(0, MOST_MISTAKES), start);
}

function unreadable(error: unknown, offset: number, start: number): readonly ManifestPart[] {
  return toMistakes(error instanceof UnreadableYaml ? error.mistakes : [{ offset, message: reasonOf(error) }], start);
}

function toMistakes(mistakes: readonly YamlMistake[], start: number): readonly ManifestPart[] {
  return mistakes.map(({ offset, message }) => ({ is: 'mistake', offset: start + offset, message }));
}

function isEmpty({ contents }: Document): boolean {
  return contents === null || ('value' in contents && contents.value === null);
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return TOO_DEEP;
  return oneLine(error instanceof Error ? error.message : String(error));
}
