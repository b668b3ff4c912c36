// What the audit sinks say about themselves, and count.
import type { ProcessLog } from '../admission/process-log.ts';

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
