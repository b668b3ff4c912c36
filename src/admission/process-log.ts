// Where everything outside the decision says what happens to it: the process log (port). A pino logger fits.

type Write = (fields: object, message: string) => void;

/** None of these may throw. */
export interface ProcessLog {
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
