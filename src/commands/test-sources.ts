// What a PolicyTest names: a file beside it, or a document in the test itself; both with their places.
import { dirname, join } from 'node:path';
import { type ClusterObject, readClusterObject } from '../cluster/cluster-objects.ts';
import { readClusterFiles } from '../cluster/files.ts';
import { readTextFiles } from '../cluster/text-files.ts';
import { readDocuments, type SourceDocument } from '../guardrails/documents.ts';
import { type Guardrails, readGuardrailDocuments } from '../guardrails/read-guardrails.ts';
import { mistakeAt } from '../guardrails/issues.ts';
import type { Mistake } from '../guardrails/mistake.ts';
import { toSteps } from '../guardrails/places.ts';
import { everyProblem } from '../model/every-problem.ts';
import { InvalidObject } from '../model/invalid-object.ts';
import type { JsonObject } from '../model/json-fields.ts';
import { type PatchSource, readOnePatch } from '../trial/one-patch.ts';
import { readOnePod, toPod } from '../trial/one-pod.ts';

type Path = readonly PropertyKey[];

/** A value of a test, and where it stands in it. */
export interface Named {
  readonly document: SourceDocument;
  readonly path: Path;
}

/** The guardrails and exceptions of files, folders and the test itself; mistakes are pushed. */
export function readNamedGuardrails(sources: readonly unknown[], test: Named, mistakes: Mistake[]): Guardrails {
  const documents = sources.flatMap((source, index) =>
    documentsOf(source, { ...test, path: [...test.path, index] }, mistakes),
  );
  const read = readGuardrailDocuments(documents);
  mistakes.push(...read.mistakes);
  return read;
}

/** The objects of a cluster; mistakes are pushed. */
export function readNamedCluster(sources: readonly unknown[], test: Named, mistakes: Mistake[]): ClusterObject[] {
  return sources.flatMap((source, index): readonly ClusterObject[] => {
    const named = { ...test, path: [...test.path, index] };
    if (typeof source !== 'string') return objectOf(source, named, mistakes);
    const read = readClusterFiles([besideTest(source, named)]);
    mistakes.push(...read.mistakes.map((mistake) => toNamed(mistake, named)));
    return read.objects;
  });
}

/** A pod; of one in the test itself only what matters need be there. undefined when there is a mistake, which is pushed. */
export function readNamedPod(source: unknown, named: Named, mistakes: Mistake[]): JsonObject | undefined {
  const { document, path } = named;
  const text = textOf(source, named, mistakes);
  if (typeof source === 'string' && text === undefined) return undefined;
  const inTest = { apiVersion: 'v1', kind: 'Pod', ...(source as JsonObject) };
  const read = text === undefined ? toPod(document, path, inTest) : readOnePod(text, besideTest(String(source), named));
  if ('pod' in read) return read.pod;
  mistakes.push(...read.mistakes);
  return undefined;
}

/** A patch. undefined when there is a mistake, which is pushed. */
export function readNamedPatch(source: unknown, named: Named, mistakes: Mistake[]): PatchSource | undefined {
  const text = textOf(source, named, mistakes);
  if (text === undefined) return typeof source === 'string' ? undefined : { ...named, value: source };
  const read = readOnePatch(text, besideTest(String(source), named));
  if (!('mistakes' in read)) return read;
  mistakes.push(...read.mistakes);
  return undefined;
}

function documentsOf(source: unknown, named: Named, mistakes: Mistake[]): readonly SourceDocument[] {
  const { document, path } = named;
  if (typeof source !== 'string') {
    return [{ file: document.file, value: source, at: (inner, key) => document.at([...path, ...inner], key) }];
  }
  const { files, mistakes: unread } = readTextFiles([besideTest(source, named)]);
  mistakes.push(...unread.map((mistake) => toNamed(mistake, named)));
  return files.flatMap(({ file, text }) => {
    const read = readDocuments(text, file);
    mistakes.push(...read.mistakes);
    return read.documents;
  });
}

function objectOf(source: unknown, { document, path }: Named, mistakes: Mistake[]): readonly ClusterObject[] {
  try {
    const object = readClusterObject(source);
    return object === undefined ? [] : [object];
  } catch (error) {
    if (!(error instanceof InvalidObject)) throw error;
    for (const { path: field, message } of everyProblem(source, readClusterObject))
      mistakes.push(mistakeAt(document, [...path, ...toSteps(field)], message));
    return [];
  }
}

/** undefined where the value is no file, and where the file cannot be read, which is a mistake. */
function textOf(source: unknown, named: Named, mistakes: Mistake[]): string | undefined {
  if (typeof source !== 'string') return undefined;
  const { files, mistakes: unread } = readTextFiles([besideTest(source, named)]);
  mistakes.push(...unread.map((mistake) => toNamed(mistake, named)));
  return files[0]?.text;
}

function besideTest(source: string, { document }: Named): string {
  return join(dirname(document.file), source);
}

// A file that cannot be read is a mistake of who names it.
function toNamed(mistake: Mistake, { document, path }: Named): Mistake {
  return mistake.line === 0 ? mistakeAt(document, path, `${mistake.file} ${mistake.message}`) : mistake;
}
