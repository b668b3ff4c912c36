// Where lines of the audit end up: standard output, the audit file (port of the line writer).

/** It is asked for one thing at a time. */
export interface LineTarget {
  /** Writes whole lines. Gives how many of their bytes it kept, at least one; when it rejects it kept none. */
  readonly append: (lines: Buffer) => Promise<number>;
  readonly close: () => Promise<void>;
}
