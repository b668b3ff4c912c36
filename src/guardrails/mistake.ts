// A mistake in a file that a person wrote: where it is and what to do about it.

export interface Mistake {
  readonly file: string;
  /** 1-based; 0 when the mistake is in the file as a whole. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** `podrail.yaml:12:5 unknown setting maxFactr; did you mean maxFactor?` */
export function toMistakeText(mistake: Mistake): string {
  const place = mistake.line === 0 ? mistake.file : `${mistake.file}:${mistake.line}:${mistake.column}`;
  return `${place} ${mistake.message}`;
}

/** From the top of the file to its end, as a person mends them. */
export function inOrder(mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** A word that a person wrote, cut where it is longer than anybody reads. */
export function shortened(word: string): string {
  return word.length <= LONGEST_WORD ? word : `${word.slice(0, LONGEST_WORD - 1)}…`;
}

const LONGEST_WORD = 63;

/** `; did you mean enforce?`, or nothing when no known word is near. */
export function suggestion(word: string, known: Iterable<string>): string {
  const near = nearest(word, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** The known word that is fewest edits away, if that is close enough to be a slip of the finger. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  // No known word is as long, and comparing takes time for each pair of letters.
  if (word.length > LONGEST_WORD) return undefined;
  const budget = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = budget + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

// Edits as a person's fingers make them: a letter more, less or other, or two neighbours swapped (optimal string alignment).
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = i > 1 && j > 1 && isSwap ? at(beforeLast, j - 2) + 1 : replaced;
      row.push(Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1));
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 0;
}
