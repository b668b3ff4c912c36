// The running oracle: questions go in as lines of JSON, answers come out in the same order.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface Oracle {
  /** Asks any number of questions at once. Throws when the program ends before it has answered. */
  readonly ask: (questions: readonly object[]) => Promise<readonly unknown[]>;
  readonly close: () => Promise<void>;
}

interface Pending {
  readonly wanted: number;
  readonly answers: unknown[];
  readonly resolve: (answers: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** Starts an oracle that was built by oracle-build.ts. */
export function startOracle(file: string): Oracle {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(file, { stdio: ['pipe', 'pipe', 'inherit'] });
  const pending: Pending[] = [];
  const ended = new Promise<void>((resolve) => {
    child.on('close', (code) => {
      for (const { reject } of pending.splice(0)) reject(new Error(`${file} ended with code ${code}`));
      resolve();
    });
  });
  child.on('error', (error) => {
    for (const { reject } of pending.splice(0)) reject(error);
  });
  // Whoever waits for an answer hears of it when the program ends.
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [first] = pending;
    if (first === undefined) return;
    first.answers.push(JSON.parse(line));
    if (first.answers.length < first.wanted) return;
    pending.shift();
    first.resolve(first.answers);
  });
  return {
    ask(questions) {
      if (questions.length === 0) return Promise.resolve([]);
      return new Promise((resolve, reject) => {
        pending.push({ wanted: questions.length, answers: [], resolve, reject });
        child.stdin.write(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
      });
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
