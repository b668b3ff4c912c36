// The files that a person names on the command line, as texts: nothing here knows what is in them.
import { isUtf8 } from 'node:buffer';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Mistake } from '../guardrails/mistake.ts';
import { MOST_INPUT_BYTES, readBytes } from './read-bytes.ts';

/** A file as it is on the disk. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/**
 * The texts of files, and of the YAML and JSON files directly in folders, in the order of their names. A file that is named twice is read once. What cannot be read, is larger than
 * `mostBytes`, and a folder without such a file, is a mistake.
 */
export function readTextFiles(
  paths: readonly string[],
  mostBytes = MOST_INPUT_BYTES,
): {
  readonly files: readonly TextFile[];
  readonly mistakes: readonly Mistake[];
} {
  const files: TextFile[] = [];
  const mistakes: Mistake[] = [];
  const trying = (file: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      mistakes.push({ file, line: 0, column: 0, message: toReason(error) });
    }
  };
  const seen = new Set<string>();
  const isNew = (file: string): boolean => seen.size < seen.add(resolve(file)).size;
  for (const path of paths) {
    trying(path, () => {
      for (const file of filesAt(path)) {
        if (isNew(file)) trying(file, () => void files.push({ file, text: readText(file, mostBytes) }));
      }
    });
  }
  return { files, mistakes };
}

function readText(file: string, mostBytes: number): string {
  const bytes = readBytes(file, mostBytes);
  if (!isUtf8(bytes)) throw new Error('is no text in UTF-8; save it as that');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function filesAt(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => /\.(ya?ml|json)$/.test(name));
  if (names.length === 0) throw new Error('holds no .yaml, .yml or .json file');
  return names.sort().map((name) => join(path, name));
}

/** Why a file could not be read or written, in plain words. */
export function toReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not in a folder',
  ELOOP: 'is a link that leads back to itself',
  EROFS: 'is on a disk that cannot be written',
  ENXIO: 'is no file',
  ENOSPC: 'does not fit on the disk',
  ERR_STRING_TOO_LONG: 'is too large to be read; split it',
  ERR_FS_FILE_TOO_LARGE: 'is too large to be read; split it',
};
