// YAML and JSON files as people write them for Kubernetes: several documents, each value with its place in the file.
import { Composer, type Document, Parser } from 'yaml';
import { KUBERNETES_YAML, toValue } from './kubernetes-yaml.ts';
import type { Mistake } from './mistake.ts';
import { isKeyTwice, oneLine, syntaxMistakes, UnreadableYaml, type YamlMistake } from './unreadable-yaml.ts';
import { atOnce, type Steps } from './steps.ts';
import { createLines, findAt, type Path, type Place, rangeOf } from './places.ts';

export type { Place } from './places.ts';

export interface SourceDocument {
  readonly file: string;
  readonly value: unknown;
  /** Where the value at this path begins; for `key: true` where its key begins. Falls back to the nearest parent. */
  readonly at: (path: Path, key?: boolean) => Place;
}

/** Each `Mistake` with its place; good documents of the same file are still given. */
export interface Documents {
  readonly documents: readonly SourceDocument[];
  readonly mistakes: readonly Mistake[];
}

/**
 * Reads every document of a file as kubectl does: YAML 1.1 (`yes` is true, `0777` is octal), in which dates and times stay
 * texts; JSON is YAML. Empty documents are left out. Aliases that would expand without bound are a mistake, not a crash.
 */
export function readDocuments(text: string, file: string): Documents {
  return atOnce(documentsOf(text, file));
}

/**
 * As readDocuments, a document at a step. With `keepsFlawed` also those are given in which only a value or a key is wrong: for whom
 * tells their other mistakes as well, and takes nothing from a file with mistakes.
 */
export function* documentsOf(text: string, file: string, keepsFlawed = false): Steps<Documents> {
  const toPlace = createLines(text);
  const documents: SourceDocument[] = [];
  const mistakes: Mistake[] = [];
  for (const document of new Composer(KUBERNETES_YAML).compose(new Parser().parse(text))) {
    yield;
    const broken = syntaxMistakes(document, text);
    mistakes.push(...broken.map(({ offset, message }) => ({ file, ...toPlace(offset), message })));
    if (broken.some(({ leavesValue }) => !(keepsFlawed && leavesValue === true))) continue;
    try {
      const value = toValue(document, text);
      if (value === null || value === undefined) continue;
      documents.push({ file, value, at: (path, key) => toPlace(startOf(document, path, key === true)) });
    } catch (error) {
      const unread = unreadable(error, document.range?.[0] ?? 0);
      mistakes.push(...unread.map(({ offset, message }) => ({ file, ...toPlace(offset), message })));
    }
  }
  return tooDeep(mistakes) ?? { documents, mistakes };
}

/** The mistakes in the text, and beside them those in its values that do not follow from them: what is no number is no limit. */
export function besideText(inText: readonly Mistake[], inValues: readonly Mistake[]): readonly Mistake[] {
  const told = new Set(inText.filter(({ message }) => !isKeyTwice(message)).map(toPlaceText));
  return [...inText, ...inValues.filter((mistake) => !told.has(toPlaceText(mistake)))];
}

function toPlaceText({ file, line, column }: Mistake): string {
  return `${line}:${column} ${file}`;
}

// The YAML reader calls itself at each level and says at each that it cannot: one mistake of a person, whatever else it says.
function tooDeep(mistakes: readonly Mistake[]): Documents | undefined {
  const first = mistakes.find(({ message }) => /call stack|stack overflow/i.test(message));
  return first && { documents: [], mistakes: [{ ...first, message: 'is nested too deeply to be read' }] };
}

function startOf(document: Document, path: Path, wantsKey: boolean): number {
  const { node, key, depth } = findAt(document, path);
  const value = rangeOf(node);
  const own = wantsKey && depth === path.length ? (rangeOf(key) ?? value) : (value ?? rangeOf(key));
  return own?.start ?? document.range?.[0] ?? 0;
}

function unreadable(error: unknown, start: number): readonly YamlMistake[] {
  if (error instanceof UnreadableYaml) return error.mistakes;
  return [{ offset: start, message: oneLine(error instanceof Error ? error.message : String(error)) }];
}
