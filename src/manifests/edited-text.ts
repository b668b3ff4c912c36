// Edits of a text.
import type { Span } from '../guardrails/places.ts';

/** These characters of a text, replaced by others. */
export interface Edit extends Span {
  readonly text: string;
}

/** The text after the edits, which do not overlap. Edits at one place follow one another in their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let at = 0;
  let result = '';
  for (const { start, end, text: replacement } of byPlace(edits)) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** From the start of the text to its end. */
export function byPlace(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((a, b) => a.start - b.start);
}

/** Two aliases of one value ask for the same edit of it. */
export function withoutRepeats(edits: readonly Edit[]): readonly Edit[] {
  return edits.filter(
    (edit, index) =>
      !edits
        .slice(0, index)
        .some(({ start, end, text }) => start === edit.start && end === edit.end && text === edit.text),
  );
}
