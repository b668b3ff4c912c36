// The one pod in a file: a manifest, what `kubectl get pod NAME -o yaml` gives, or a list with one.
import { mistakeAt } from '../guardrails/issues.ts';
import { readDocuments, type SourceDocument } from '../guardrails/documents.ts';
import type { Mistake } from '../guardrails/mistake.ts';
import { everyProblem } from '../model/every-problem.ts';
import { isMap, type JsonObject, typeOf } from '../model/json-fields.ts';
import { readPod } from '../model/read-pod.ts';
import { toSteps } from '../guardrails/places.ts';

/** A pod that can be read, or why there is none. */
export type OnePod = { readonly pod: JsonObject } | { readonly mistakes: readonly Mistake[] };

type Path = readonly PropertyKey[];

const WANTED = 'must be a Pod, such as kubectl get pod NAME -o yaml gives';

/** The pod of `text`, as it is written there. */
export function readOnePod(text: string, file: string): OnePod {
  const { documents, mistakes } = readDocuments(text, file);
  if (mistakes.length > 0) return { mistakes };
  const found = documents.flatMap((document) => itemsOf(document));
  const [first, second] = found;
  if (first === undefined) return { mistakes: [{ file, line: 0, column: 0, message: `holds nothing; it ${WANTED}` }] };
  if (second !== undefined) {
    const message = `must be the only one; it is one of ${found.length}: give one pod`;
    return { mistakes: [mistakeAt(second.document, second.path, message)] };
  }
  return toPod(first.document, first.path, first.value);
}

interface Item {
  readonly document: SourceDocument;
  readonly path: Path;
  readonly value: unknown;
}

function itemsOf(document: SourceDocument): readonly Item[] {
  const { value } = document;
  const kind = isMap(value) ? value['kind'] : undefined;
  const items = isMap(value) ? value['items'] : undefined;
  if ((kind !== 'List' && kind !== 'PodList') || !Array.isArray(items)) return [{ document, path: [], value }];
  const isOfPods = kind === 'PodList';
  return items.map((item: unknown, index) => ({
    document,
    path: ['items', index],
    value: isOfPods && isMap(item) ? { apiVersion: 'v1', kind: 'Pod', ...item } : item,
  }));
}

/** Says of a value at its place in a document why it is no pod, or gives it. */
export function toPod(document: SourceDocument, path: Path, value: unknown): OnePod {
  if (!isMap(value)) return { mistakes: [mistakeAt(document, path, `${WANTED}; it is ${typeOf(value)}`)] };
  const { kind, apiVersion = 'v1' } = value;
  if (kind !== 'Pod' || apiVersion !== 'v1') {
    const what = kind === undefined ? 'has no kind' : `is ${[apiVersion, kind].map(toShown).join(' ')}`;
    return { mistakes: [mistakeAt(document, [...path, 'kind'], `${WANTED}; it ${what}`)] };
  }
  const problems = everyProblem(value, readPod);
  if (problems.length === 0) return { pod: value };
  return {
    mistakes: problems.map(({ path: field, message }) => mistakeAt(document, [...path, ...toSteps(field)], message)),
  };
}

function toShown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
