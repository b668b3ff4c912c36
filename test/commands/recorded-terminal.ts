// A terminal that keeps what a command says, for tests: the port written as a literal.
import type { ExitCode, Terminal } from '../../src/commands/terminal.ts';

export interface Recorded {
  readonly terminal: Terminal;
  /** Everything on standard output. */
  readonly out: () => string;
  /** Everything on standard error. */
  readonly err: () => string;
  readonly code: () => ExitCode | undefined;
}

/** `input` is what standard input has; the clock stands at one moment. */
export function recordedTerminal(input = ''): Recorded {
  let out = '';
  let err = '';
  let code: ExitCode | undefined;
  const terminal: Terminal = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    input: () => input,
    hasColor: false,
    hasProgress: false,
    now: () => new Date('2026-11-30T09:00:00Z'),
    podNamespace: undefined,
    self: 'podrail',
    exit: (ended) => {
      code = ended;
    },
  };
  return { terminal, out: () => out, err: () => err, code: () => code };
}
