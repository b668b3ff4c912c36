// What the webhook would change in pods, written into the manifest that they are made of. The result is read again, and only
// what says exactly the same as the patched pods is given.
import { visit } from 'yaml';
import { rangeOf, type Span } from '../guardrails/places.ts';
import { isMap } from '../model/json-fields.ts';
import { type ManifestDocument, readManifestParts, type WrittenDocument } from './documents.ts';
import { applyEdits, type Edit, withoutRepeats } from './edited-text.ts';
import { readJsonValues } from './json-text.ts';
import { CannotEdit, type PodChange, toEdits } from './pod-edits.ts';

/** A pod that the webhook would patch. */
export interface PatchedPod extends PodChange {
  readonly manifest: ManifestDocument;
  readonly path: readonly (string | number)[];
}

export interface Fixed {
  /** Of the whole file. */
  readonly edits: readonly Edit[];
  /** Where something could not be written: it stays as it is. */
  readonly problems: readonly { readonly offset: number; readonly message: string }[];
}

/** The edits of a file that make its pods what the webhook would make of them. */
export function fixManifest(pods: readonly PatchedPod[]): Fixed {
  const edits: Edit[] = [];
  const problems: Fixed['problems'][number][] = [];
  for (const [manifest, own] of Map.groupBy(pods, (pod) => pod.manifest)) {
    try {
      edits.push(...editsOf(manifest, own));
    } catch (error) {
      if (!(error instanceof CannotEdit)) throw error;
      const offset = error instanceof SharedValue ? error.offset : manifest.spanOf(own[0]?.path ?? []).start;
      problems.push({ offset, message: `cannot be fixed in place: ${error.message}` });
    }
  }
  return { edits, problems };
}

function editsOf(manifest: ManifestDocument, pods: readonly PatchedPod[]): readonly Edit[] {
  const written = manifest.written();
  const edits = withoutRepeats(pods.flatMap((pod) => toEdits(written, pod)));
  const wanted = pods.reduce<unknown>((value, pod) => withSpec(value, pod.path, pod.patched), manifest.value);
  if (!isSame(valueOf(applyEdits(written.text, edits), written), wanted)) throw whyNot(written, edits);
  return edits.map(({ start, end, text }) => ({ start: start + written.start, end: end + written.start, text }));
}

/** What would be changed stands at an anchor, and an alias elsewhere, at `offset` of the file, stands for it too. */
class SharedValue extends CannotEdit {
  readonly offset: number;

  constructor(alias: string, offset: number) {
    super(`what would be changed is also used elsewhere, through alias *${alias}; change it by hand`);
    this.offset = offset;
  }
}

function whyNot({ document, start: from }: WrittenDocument, edits: readonly Edit[]): CannotEdit {
  const isChanged = (span: Span): boolean => edits.some(({ start, end }) => start <= span.end && end >= span.start);
  let shared: CannotEdit | undefined;
  visit(document, {
    Alias(_, alias) {
      const span = rangeOf(alias.resolve(document));
      if (span === undefined || !isChanged(span)) return undefined;
      shared = new SharedValue(alias.source, from + (rangeOf(alias)?.start ?? 0));
      return visit.BREAK;
    },
  });
  return shared ?? new CannotEdit('it cannot be written without changing something else; change it by hand');
}

function valueOf(text: string, { ordinal, isJson }: WrittenDocument): unknown {
  if (isJson && readJsonValues(text) === undefined) return undefined;
  const part = [...readManifestParts(text)][ordinal];
  return part?.is === 'manifest' ? part.manifest.value : undefined;
}

// podrail patches nothing outside a pod's spec.
function withSpec(value: unknown, path: PatchedPod['path'], patched: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return isMap(value) && isMap(patched) ? { ...value, spec: patched['spec'] } : value;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === step ? withSpec(item, rest, patched) : item));
  return isMap(value) ? { ...value, [step]: withSpec(value[step], rest, patched) } : value;
}

// A quantity may be written as a number or as a text.
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isMap(a) || !isMap(b)) return a === b || (isScalar(a) && isScalar(b) && String(a) === String(b));
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
