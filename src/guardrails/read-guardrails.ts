// Files of Guardrails and GuardrailExceptions → both, or every mistake in them, those between two files included.
import { isMap } from '../model/json-fields.ts';
import { besideText, type Documents, documentsOf, type SourceDocument } from './documents.ts';
import { type GuardrailException, readException } from './exception.ts';
import { BASELINE, type Guardrail, readGuardrail } from './guardrail.ts';
import { mistakeAt } from './issues.ts';
import {
  forEveryone,
  namedTwice,
  type Read,
  withoutEffect,
  withoutGuardrail,
  withoutRule,
} from './between-documents.ts';
import { atOnce, type Steps } from './steps.ts';
import { inOrder, type Mistake, nearest, shortened, suggestion } from './mistake.ts';

export interface Guardrails {
  readonly guardrails: readonly Guardrail[];
  readonly exceptions: readonly GuardrailException[];
  /** A document with a mistake gives nothing. */
  readonly mistakes: readonly Mistake[];
  /** What is no mistake, and yet not what somebody can have meant. */
  readonly warnings: readonly Mistake[];
}

/** A file by its name and its text. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** The guardrails and exceptions of one file alone. */
export function readGuardrails(text: string, file: string): Guardrails {
  return readAllGuardrails([{ file, text }]);
}

/** The guardrails and exceptions of all files together. Mistakes stand file by file, from the top of each to its end. */
export function readAllGuardrails(sources: readonly SourceText[]): Guardrails {
  return atOnce(allGuardrailsOf(sources));
}

/** As readAllGuardrails, a document at a step. */
export function* allGuardrailsOf(sources: readonly SourceText[]): Steps<Guardrails> {
  const inFiles: Documents[] = [];
  for (const { file, text } of sources) inFiles.push(yield* documentsOf(text, file, true));
  const all = yield* guardrailsOf(inFiles.flatMap(({ documents }) => documents));
  const inText = inFiles.flatMap((inFile) => inFile.mistakes);
  const mistakes = besideText(inText, all.mistakes);
  const empty = sources.flatMap(({ file }, index) => withoutDocument(file, inFiles[index]));
  const files = sources.map(({ file }) => file);
  return { ...all, mistakes: inOrderOf(files, mistakes), warnings: inOrderOf(files, [...empty, ...all.warnings]) };
}

// Comments alone may be meant; a file that something has emptied is not, and either takes all its guardrails out of force.
function withoutDocument(file: string, inFile: Documents | undefined): readonly Mistake[] {
  if (inFile === undefined || inFile.documents.length + inFile.mistakes.length > 0) return [];
  return [{ file, line: 0, column: 0, message: 'has no Guardrail and no GuardrailException' }];
}

/** The guardrails and exceptions of documents that have been read, together; they may stand in other documents. */
export function readGuardrailDocuments(documents: readonly SourceDocument[]): Guardrails {
  return atOnce(guardrailsOf(documents));
}

function* guardrailsOf(documents: readonly SourceDocument[]): Steps<Guardrails> {
  const mistakes: Mistake[] = [];
  const read: Read[] = [];
  for (const document of documents.flatMap(itemsOf)) {
    read.push(readOne(document, mistakes));
    yield;
  }
  const { twice, once } = namedTwice(read);
  mistakes.push(...twice);
  const guardrails = once.flatMap((one) => one.guardrail ?? []);
  const exceptions = once.flatMap((one) => one.exception ?? []);
  // An exception to a guardrail that could not be read is not one to a guardrail that is not there.
  const names = [BASELINE, ...read.flatMap(({ kind, name }) => (kind === 'Guardrail' && name !== '' ? [name] : []))];
  for (const one of read) {
    mistakes.push(...withoutGuardrail(one, names));
    yield;
  }
  const warnings: Mistake[] = [];
  for (const one of once) {
    warnings.push(...withoutRule(one, guardrails), ...withoutEffect(one), ...forEveryone(one));
    yield;
  }
  return { guardrails, exceptions, mistakes, warnings };
}

function readOne(document: SourceDocument, mistakes: Mistake[]): Read {
  const { value } = document;
  if (!isMap(value)) return { document, kind: 'Guardrail', name: '', guardrail: readGuardrail(document, mistakes) };
  const { kind, metadata } = value;
  const written = isMap(metadata) ? metadata['name'] : undefined;
  const name = typeof written === 'string' ? written : '';
  if (isKind(kind)) return { document, name, ...readAs(kind, document, mistakes) };
  mistakes.push(mistakeAt(document, ['kind'], wrongKind(kind)));
  // What is nearly a guardrail is read as one, so that its other mistakes are told with it.
  const meant = typeof kind === 'string' ? KINDS.find((one) => one === nearest(kind, KINDS)) : KINDS[0];
  if (meant !== undefined) readAs(meant, { ...document, value: { ...value, kind: meant } }, mistakes);
  return { document, kind: meant ?? String(kind), name };
}

const KINDS = ['Guardrail', 'GuardrailException'] as const;
type Kind = (typeof KINDS)[number];

function isKind(kind: unknown): kind is Kind {
  return KINDS.some((one) => one === kind);
}

function wrongKind(kind: unknown): string {
  if (kind === undefined) return `kind must be set to ${KINDS.join(' or ')}`;
  const must = `kind must be ${KINDS.join(' or ')}`;
  return typeof kind === 'string'
    ? `${must}; it is "${shortened(kind)}"${suggestion(kind, KINDS)}`
    : `${must}; it is ${shortened(JSON.stringify(kind))}`;
}

function readAs(
  kind: Kind,
  document: SourceDocument,
  mistakes: Mistake[],
): Pick<Read, 'kind' | 'guardrail' | 'exception'> {
  if (kind === 'Guardrail') return { kind, guardrail: readGuardrail(document, mistakes) };
  return { kind, exception: readException(document, mistakes) };
}

// `kind: List`, as `kubectl get guardrails,guardrailexceptions --output yaml` gives it.
function itemsOf(document: SourceDocument): readonly SourceDocument[] {
  const { file, value, at } = document;
  if (!isMap(value) || !/^(Guardrail|GuardrailException)?List$/.test(String(value['kind']))) return [document];
  const { items } = value;
  if (!Array.isArray(items)) return [document];
  return items.map((item: unknown, index) => ({
    file,
    value: item,
    at: (path, key) => at(['items', index, ...path], key),
  }));
}

function inOrderOf(files: readonly string[], mistakes: readonly Mistake[]): readonly Mistake[] {
  const byFile = Map.groupBy(mistakes, ({ file }) => file);
  return [...new Set(files)].flatMap((file) => inOrder(byFile.get(file) ?? []));
}
