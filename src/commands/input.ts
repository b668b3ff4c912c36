// What a command is given to read: a file, standard input, or the text itself.
import { isUtf8 } from 'node:buffer';
import { readBytes, readDescriptor } from '../cluster/read-bytes.ts';
import { toReason } from '../cluster/text-files.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** The text of a file; `-` is standard input. Throws UsageError. */
export function readInput(file: string, terminal: Terminal): string {
  return file === '-' ? readWith(file, terminal.input) : readFile(file);
}

/** The text of a file. Throws UsageError. */
export function readFile(file: string): string {
  return readWith(file, () => readBytes(file).toString('utf8'));
}

function readWith(file: string, read: () => string): string {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${file} ${toReason(error)}`);
  }
}

/** All of standard input. Throws an Error in plain words for what is no text, or too large. */
export function readStandardInput(): string {
  const bytes = readDescriptor(0);
  if (!isUtf8(bytes)) throw new Error('is not UTF-8');
  return bytes.toString('utf8');
}

// JSON, or YAML that no name of a file looks like: more than a line, an item of a list, or a key, also in quotes.
const ITSELF = /^\s*[{[]|\n|^\s*-\s+\S|^\s*(?:[\w.-]+|"[^"]*"|'[^']*'):(\s|$)/;

/** As readInput, where the value of a flag may also be the text itself; with the name to use for its place in mistakes. */
export function readInputOrText(
  value: string,
  flag: string,
  terminal: Terminal,
): readonly [text: string, file: string] {
  return ITSELF.test(value) ? [value, flag] : [readInput(value, terminal), value];
}
