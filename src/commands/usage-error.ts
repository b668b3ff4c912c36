// Raised when a command cannot begin: a bad flag, an unreadable file, mistakes in one. Ends with exit code 2.

/** One line for each thing that is wrong, in a person's words: after `podrail: `, or after the file it is in and the place. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}
