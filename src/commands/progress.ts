// A line on a terminal that says how far a long run has come, written over again and again.
import type { Terminal } from './terminal.ts';

export interface Progress {
  /** How many files are done; drawn a few times a second at most. */
  readonly show: (files: number) => void;
  /** Takes the line away, before anything else is written. */
  readonly clear: () => void;
}

const EVERY_MS = 200;
const ERASE = '\r\u001B[K';

/** Draws nothing where standard error is no terminal, nor in a run that is soon over. */
export function createProgress({ hasProgress, err, now }: Terminal): Progress {
  let last = now().getTime();
  let isDrawn = false;
  return {
    show(files) {
      if (!hasProgress || now().getTime() - last < EVERY_MS) return;
      last = now().getTime();
      isDrawn = true;
      err(`${ERASE}${files} files checked…`);
    },
    clear() {
      if (!isDrawn) return;
      isDrawn = false;
      err(ERASE);
    },
  };
}
