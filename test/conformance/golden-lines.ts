// The lines of golden/: one question a line, with what each minor answered.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface GoldenLine {
  /** The stream whose comparison it is for. */
  readonly stream: string;
  readonly question: object;
  /** Every minor is in one of them. */
  readonly answers: readonly { readonly minors: readonly string[]; readonly answer: unknown }[];
  /** What podrail once got wrong. */
  readonly why?: string;
}

export const goldenFolder = join(import.meta.dirname, 'golden');

/** Reads a file of golden/ that golden.ts has written. */
export function readGoldenLines(name: string): readonly GoldenLine[] {
  const lines = readFileSync(join(goldenFolder, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as GoldenLine);
}
