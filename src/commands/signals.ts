// What the process does on signals while it serves.
import type { ExitCode } from './terminal.ts';

export interface SignalActions {
  /** SIGTERM or SIGINT, the first time. */
  readonly end: (signal: string) => void;
  /** SIGHUP. */
  readonly reopen: () => void;
}

// `npm start` hands on the signal that a terminal's Ctrl-C has already sent to the whole process group.
const SAME_SIGNAL_MS = 300;
const ENDED_AT_ONCE: ExitCode = 1;

/** Acts on signals until the function it gives is called. A second SIGTERM or SIGINT ends the process at once, with code 1. */
export function followSignals({ end, reopen }: SignalActions): () => void {
  let ending: number | undefined;
  const endOnce = (signal: string): void => {
    if (ending === undefined) {
      ending = performance.now();
      end(signal);
    } else if (performance.now() - ending > SAME_SIGNAL_MS) {
      process.exit(ENDED_AT_ONCE);
    }
  };
  process.on('SIGTERM', endOnce).on('SIGINT', endOnce).on('SIGHUP', reopen);
  return () => {
    process.off('SIGTERM', endOnce).off('SIGINT', endOnce).off('SIGHUP', reopen);
  };
}
