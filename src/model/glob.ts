// Names and globs: `team-*`, where a star is any run of characters and everything else stands for itself.

/** Some names and globs, with the test whether a whole name fits any of them. */
export interface Globs {
  readonly globs: readonly string[];
  readonly matches: (name: string) => boolean;
}

/** Whether a glob fits every name: stars alone, however many. */
export function fitsEvery(glob: unknown): boolean {
  return typeof glob === 'string' && EVERY.test(glob);
}

const EVERY = /^\*+$/;

/**
 * Prepares names and globs once, to be asked often. No pattern can make a test slow: a name is searched from left to right, and
 * no place in it twice for the same piece.
 */
export function createGlobs(globs: readonly string[]): Globs {
  const names = globs.filter((glob) => !glob.includes('*'));
  const patterns = globs.filter((glob) => glob.includes('*')).map((glob) => glob.split('*'));
  const isName = createNames(names);
  if (patterns.length === 0) return { globs, matches: isName };
  return { globs, matches: (name) => isName(name) || patterns.some((pieces) => hasPieces(name, pieces)) };
}

// Two texts of different lengths are told apart at once; looking into a set takes the hash of each name that is asked for.
function createNames(names: readonly string[]): (name: string) => boolean {
  const [only] = names;
  if (only === undefined) return () => false;
  if (names.length === 1) return (name) => name === only;
  const set = new Set(names);
  return (name) => set.has(name);
}

// The first place where a piece fits leaves the most room for the pieces after it, so there is no need to go back.
function hasPieces(name: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces;
  const last = others.pop() ?? '';
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}
