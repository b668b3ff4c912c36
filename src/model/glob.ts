// Names and globs: `team-*`, where a star is any run of characters and everything else stands for itself.

/** Some names and globs, with the test whether a whole name fits any of them. */
export interface Globs {
  readonly globs: readonly string[];
  readonly matches: (name: string) => boolean;
}

/**
 * Prepares names and globs once, to be asked often. No pattern can make a test slow: a name is searched from left to right, and
 * no place in it twice for the same piece.
 */
export function createGlobs(globs: readonly string[]): Globs {
  const names = new Set(globs.filter((glob) => !glob.includes('*')));
  const patterns = globs.filter((glob) => glob.includes('*')).map((glob) => glob.split('*'));
  return {
    globs,
    matches: (name) => names.has(name) || patterns.some((pieces) => hasPieces(name, pieces)),
  };
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
