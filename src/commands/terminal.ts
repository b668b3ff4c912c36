// What a command may use of the process it runs in. main.ts makes the real one; a test makes its own.
import { toReason } from '../cluster/text-files.ts';

/** 0: done, allowed · 1: denied, or ended before it was done · 2: bad usage or unreadable input. */
export type ExitCode = 0 | 1 | 2;

export interface Terminal {
  /** Standard output: results only. */
  readonly out: (text: string) => void;
  /** Standard error: everything that is said to a person. */
  readonly err: (text: string) => void;
  /** All of standard input. */
  readonly input: () => string;
  /** Whether standard output is a terminal that wants colour. */
  readonly hasColor: boolean;
  /** Whether standard error is a terminal, where a line may be written over. */
  readonly hasProgress: boolean;
  readonly now: () => Date;
  /** The namespace that podrail itself runs in (POD_NAMESPACE); undefined outside a cluster. */
  readonly podNamespace: string | undefined;
  /** How a person types `podrail` here: `podrail`, or `npm run -s podrail --` in a checkout. */
  readonly self: string;
  /** The code to end with; the process ends by itself when nothing is left to do. */
  readonly exit: (code: ExitCode) => void;
}

/** The line for standard output that takes no more. */
export function toUnwritten(error: Error): string {
  return `podrail: standard output cannot be written: it ${toReason(error)}`;
}
