// A cluster from files: what `kubectl get nodes,namespaces,pods,hpa -A -o yaml` gives, or objects written by hand.
import { readDocuments, type SourceDocument } from '../guardrails/documents.ts';
import type { Mistake } from '../guardrails/mistake.ts';
import { type Path, toSteps } from '../guardrails/places.ts';
import { everyProblem } from '../model/every-problem.ts';
import { InvalidObject } from '../model/invalid-object.ts';
import { type ClusterObject, type ClusterOfObjects, readClusterObject, toClusterView } from './cluster-objects.ts';
import { readTextFiles } from './text-files.ts';

interface SourceObject {
  readonly document: SourceDocument;
  readonly path: Path;
  readonly value: unknown;
}

/** The view, and every mistake in the files: a view with mistakes lacks the objects that could not be read. */
export interface ClusterFromFiles {
  readonly view: ClusterOfObjects;
  readonly objects: readonly ClusterObject[];
  readonly mistakes: readonly Mistake[];
}

/** Reads files, and the `.yaml`, `.yml` and `.json` files of folders; nothing is thrown for what is wrong in them. */
export function readClusterFiles(paths: readonly string[]): ClusterFromFiles {
  const { files, mistakes } = readTextFiles(paths);
  const objects: ClusterObject[] = [];
  const found: Mistake[] = [...mistakes];
  for (const { file, text } of files) {
    const source = readSource(text, file);
    const inFile = [...source.mistakes];
    for (const item of source.documents.flatMap(itemsOf)) {
      const object = readItem(item, inFile);
      if (object !== undefined) objects.push(object);
    }
    found.push(...inFile.sort((a, b) => a.line - b.line || a.column - b.column));
  }
  return { view: toClusterView(objects), objects, mistakes: found };
}

// A dump of a big cluster is JSON; JSON.parse reads it a hundred times faster than a YAML reader, which is then only
// asked for the place of a mistake.
function readSource(text: string, file: string): ReturnType<typeof readDocuments> {
  if (!/^\s*[{[]/.test(text)) return readDocuments(text, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return readDocuments(text, file);
  }
  const at: SourceDocument['at'] = (path, key) =>
    readDocuments(text, file).documents[0]?.at(path, key) ?? { line: 1, column: 1 };
  return { documents: [{ file, value, at }], mistakes: [] };
}

// The lists of the API server itself leave out what every item is.
const KIND_OF_ITEMS: Readonly<Record<string, string | undefined>> = {
  List: undefined,
  NodeList: 'Node',
  NamespaceList: 'Namespace',
  PodList: 'Pod',
};

// `kind: List` as kubectl writes it, the API server's lists, and a bare list of objects.
function itemsOf(document: SourceDocument): readonly SourceObject[] {
  const value = document.value as { readonly kind?: unknown; readonly items?: unknown };
  if (Array.isArray(value)) return value.map((item: unknown, index) => ({ document, path: [index], value: item }));
  if (typeof value.kind !== 'string' || !Object.hasOwn(KIND_OF_ITEMS, value.kind) || !Array.isArray(value.items)) {
    return [{ document, path: [], value }];
  }
  const kind = KIND_OF_ITEMS[value.kind];
  return value.items.map((item: unknown, index) => ({
    document,
    path: ['items', index],
    value: kind === undefined || typeof item !== 'object' || item === null ? item : { apiVersion: 'v1', kind, ...item },
  }));
}

function readItem({ document, path, value }: SourceObject, mistakes: Mistake[]): ClusterObject | undefined {
  try {
    return readClusterObject(value);
  } catch (error) {
    if (!(error instanceof InvalidObject)) throw error;
    for (const { path: field, message } of everyProblem(value, readClusterObject))
      mistakes.push({ file: document.file, ...document.at([...path, ...toSteps(field)]), message });
    return undefined;
  }
}
