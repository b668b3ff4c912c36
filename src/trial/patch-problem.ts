// Raised when a patch cannot be applied to a pod: what is wrong with it, and where in the patch.

/** `path` leads to the place in the patch; empty for the patch as a whole. The message says what is wrong without the place. */
export class PatchProblem extends Error {
  override readonly name = 'PatchProblem';
  readonly path: readonly PropertyKey[];

  constructor(path: readonly PropertyKey[], message: string) {
    super(message);
    this.path = path;
  }
}
