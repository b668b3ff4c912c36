// A file of several documents taken apart where kubectl does it: at lines that begin with `---` and have nothing else but a comment.

/** One part of a file; `start` is where it stands in it. */
export interface Part {
  readonly text: string;
  readonly start: number;
}

const SEPARATOR = /^---[ \t]*(?:#.*)?\r?$/gm;

/** The parts of a text, one at a time, so that what was read of one is free before the next is. */
export function* splitDocuments(text: string): Iterable<Part> {
  let start = 0;
  for (const { index } of text.matchAll(SEPARATOR)) {
    // What stands before the first separator and holds only directives belongs to the document behind it.
    if (index === start || isDirectives(text.slice(start, index))) continue;
    yield { text: text.slice(start, index), start };
    start = index;
  }
  if (start < text.length) yield { text: text.slice(start), start };
}

function isDirectives(text: string): boolean {
  return text.startsWith('%') || /^%/m.test(text) ? /^(?:[ \t]*(?:#.*)?\r?\n|%.*\r?\n)*$/.test(text) : false;
}
