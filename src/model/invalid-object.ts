// Raised by every `read…` function: the JSON is not the object it should be.

/** `path` is the field as a person would type it, `problem` what is wrong there: "must be a list, not a string". */
export class InvalidObject extends Error {
  override readonly name = 'InvalidObject';
  readonly path: string;
  readonly problem: string;

  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path} ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}
