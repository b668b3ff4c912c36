// Raised by every `read…` function: the JSON is not the object it should be.

const LONGEST_PATH = 200;

/** `path` is the field as a person would type it, `problem` what is wrong there: "must be a list, not a string". */
export class InvalidObject extends Error {
  override readonly name = 'InvalidObject';
  readonly path: string;
  readonly problem: string;

  constructor(path: string, problem: string) {
    // A path can hold a key that somebody made a megabyte long.
    const shown = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
    super(shown === '' ? problem : `${shown} ${problem}`);
    this.path = shown;
    this.problem = problem;
  }
}
