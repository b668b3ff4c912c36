// Runs a command in the foreground, as a shell does: it says what it says, and a signal to us is a signal to it.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

export interface ForegroundOptions {
  readonly cwd: string;
  /** Added to our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Lets everything else on this machine go first. */
  readonly isPatient?: boolean;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Gives the exit code. When a signal interrupts it, this process ends as well, after it. Throws when it cannot be run. */
export async function runInForeground(
  command: string,
  args: readonly string[],
  { cwd, env = {}, isPatient = false }: ForegroundOptions,
): Promise<number> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
  let interruption: (typeof SIGNALS)[number] | undefined;
  const forward = (signal: (typeof SIGNALS)[number]): void => {
    interruption = signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 1));
      // What it starts inherits it.
      if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward);
    if (interruption !== undefined) process.exit(128 + constants.signals[interruption]);
  }
}
