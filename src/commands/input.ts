// What a command is given to read: a file, standard input, or the text itself.
import { readFileSync } from 'node:fs';
import { toReason } from '../cluster/text-files.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** The text of a file; `-` is standard input. Throws UsageError. */
export function readInput(file: string, terminal: Terminal): string {
  try {
    return file === '-' ? terminal.input() : readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} ${toReason(error)}`);
  }
}

// JSON, or YAML that no name of a file looks like: more than a line, or a key.
const ITSELF = /^\s*[{[]|\n|^\s*[\w.-]+:(\s|$)/;

/** As readInput, where the value of a flag may also be the text itself; with the name to use for its place in mistakes. */
export function readInputOrText(
  value: string,
  flag: string,
  terminal: Terminal,
): readonly [text: string, file: string] {
  return ITSELF.test(value) ? [value, flag] : [readInput(value, terminal), value];
}
