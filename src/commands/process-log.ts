// The process log: what happens to podrail itself, as JSON lines on standard error. Audit records never come here.
import { type Logger, pino } from 'pino';

/**
 * A logger to standard error. It writes in place, so that the last line before an end is there; whoever can be made to
 * log by a stranger's requests limits itself (createSparseWrite).
 */
export function createProcessLog(): Logger {
  const destination = pino.destination({ fd: 2, sync: true });
  // A reader that went away is no reason to stop serving.
  destination.on('error', () => undefined);
  return pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    destination,
  );
}
