// A patch from a file or a flag: YAML or JSON, applied to a pod, with what is wrong at its place.
import { readDocuments, type SourceDocument } from '../guardrails/documents.ts';
import { toPathText } from '../guardrails/issues.ts';
import type { Mistake } from '../guardrails/mistake.ts';
import { suggestion } from '../guardrails/mistake.ts';
import { toSteps } from '../guardrails/places.ts';
import { InvalidObject } from '../model/invalid-object.ts';
import { isMap, type JsonObject } from '../model/json-fields.ts';
import { readPod } from '../model/read-pod.ts';
import { applyPatch, type PatchType } from './apply-patch.ts';
import { PatchProblem } from './patch-problem.ts';
import { unknownFields } from './unknown-fields.ts';

export interface PatchSource {
  readonly document: SourceDocument;
  /** Where in the document the patch stands. */
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

/** The pod that is asked for, or why the patch gives none; `notes` say what it probably does not mean. */
export type Patched =
  | { readonly requested: JsonObject; readonly notes: readonly string[] }
  | { readonly mistakes: readonly Mistake[] };

/** The one document in `text`. */
export function readOnePatch(text: string, file: string): PatchSource | { readonly mistakes: readonly Mistake[] } {
  const { documents, mistakes } = readDocuments(text, file);
  if (mistakes.length > 0) return { mistakes };
  const [document, second] = documents;
  if (document === undefined) return { mistakes: [{ file, line: 0, column: 0, message: 'holds no patch' }] };
  if (second === undefined) return { document, path: [], value: document.value };
  return { mistakes: [{ file, ...second.at([]), message: 'must not be here: a patch is one document' }] };
}

/** Applies a patch as the API server would. */
export function applyPatchSource(pod: JsonObject, source: PatchSource, type: PatchType): Patched {
  const { value } = source;
  try {
    const requested = withSameName(pod, applyPatch(pod, value, type));
    readPod(requested);
    const notes = type === 'json' ? [] : notesOn(pod, value);
    return { requested, notes: [...notes, ...unknownFields(pod, requested)] };
  } catch (error) {
    if (error instanceof PatchProblem) return { mistakes: [toMistake(source, error.path, error.message)] };
    if (!(error instanceof InvalidObject)) throw error;
    const steps = type === 'json' ? [] : toSteps(error.path);
    const message = `leaves a pod that Kubernetes cannot read: ${error.message}`;
    return { mistakes: [toMistake(source, placeIn(value, steps, pod), message)] };
  }
}

function toMistake({ document, path }: PatchSource, at: readonly PropertyKey[], message: string): Mistake {
  const place = document.at([...path, ...at]);
  return { file: document.file, ...place, message: `${toPathText(at) || 'the patch'} ${message}` };
}

// The request's own address says which pod in which namespace: a patch may leave both out of it, but not name others.
function withSameName(pod: JsonObject, requested: JsonObject): JsonObject {
  const stored = metadataOf(pod);
  const asked = metadataOf(requested);
  for (const field of ['name', 'namespace', 'uid'] as const) {
    const [before, after] = [stored[field], asked[field]];
    if (before !== undefined && after !== undefined && before !== after)
      throw new PatchProblem(
        ['metadata', field],
        `must stay ${JSON.stringify(before)}; it is ${JSON.stringify(after)}`,
      );
  }
  const { name, namespace } = stored;
  return { ...requested, metadata: { name, namespace, ...asked } };
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isMap(metadata) ? metadata : {};
}

const LISTS = ['containers', 'initContainers'] as const;

// A container of the patched pod stands elsewhere in the patch: there it is found by its name.
function placeIn(patch: unknown, steps: readonly PropertyKey[], pod: JsonObject): readonly PropertyKey[] {
  const [spec, list, index, ...rest] = steps;
  if (typeof index !== 'number') return steps;
  const name = namesIn(pod, String(list))[index];
  const at = namesIn(patch, String(list)).indexOf(name);
  return at === -1 ? [spec ?? '', list ?? ''] : [spec ?? '', list ?? '', at, ...rest];
}

// A patch that names another container adds one, which a resize cannot: the verdict says that, this says what was meant.
function notesOn(pod: JsonObject, patch: unknown): readonly string[] {
  return LISTS.flatMap((list) => {
    const known = namesIn(pod, list);
    const elsewhere = namesIn(pod, list === 'containers' ? 'initContainers' : 'containers');
    return namesIn(patch, list).flatMap((name) => {
      if (typeof name !== 'string' || known.includes(name)) return [];
      const other = list === 'containers' ? 'initContainers' : 'containers';
      if (elsewhere.includes(name)) return [`"${name}" is one of the pod's ${other}, the patch has it in ${list}`];
      return [`the pod has no "${name}" in ${list}${suggestion(name, known.map(String)).replace(/(\S+)\?$/, '"$1"?')}`];
    });
  });
}

function namesIn(json: unknown, list: string): readonly unknown[] {
  const spec = isMap(json) ? json['spec'] : undefined;
  const items = isMap(spec) ? spec[list] : undefined;
  return Array.isArray(items) ? items.map((item: unknown) => (isMap(item) ? item['name'] : undefined)) : [];
}
