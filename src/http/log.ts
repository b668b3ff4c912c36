// A log line that nobody can make a flood of.
import type { ProcessLog } from '../admission/process-log.ts';

type Write = ProcessLog['info'];

const WINDOW_MS = 10_000;
const LINES_A_WINDOW = 20;

/**
 * A `write` that whoever sends bad requests cannot flood: at most 20 lines in ten seconds. What was left out is counted
 * and said in the next line that is written.
 */
export function createSparseWrite(write: Write, now: () => number = () => performance.now()): Write {
  let opened = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let omitted = 0;
  return (fields, message) => {
    const time = now();
    if (time - opened >= WINDOW_MS) {
      opened = time;
      lines = 0;
    }
    if (lines >= LINES_A_WINDOW) {
      omitted += 1;
      return;
    }
    lines += 1;
    write(omitted === 0 ? fields : { ...fields, linesOmittedBefore: omitted }, message);
    omitted = 0;
  };
}
