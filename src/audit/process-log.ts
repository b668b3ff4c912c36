// Where the audit sinks say what happens to themselves: the process log (port). A pino logger fits.

/** None of these may throw. */
export interface ProcessLog {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

/** Counts records that a sink did not keep. */
export type CountDropped = (sink: string, records: number) => void;

/**
 * A process log of which nobody has to fear that it throws. A pino logger on standard error does when that is a file on
 * a full disk, which is when the audit has the most to say; then there is nobody left to tell.
 */
export function toQuietLog(log: ProcessLog): ProcessLog {
  const quiet = (write: () => void): void => {
    try {
      write();
    } catch {
      // Said above.
    }
  };
  return {
    info: (fields, message) => quiet(() => log.info(fields, message)),
    warn: (fields, message) => quiet(() => log.warn(fields, message)),
    error: (fields, message) => quiet(() => log.error(fields, message)),
  };
}
