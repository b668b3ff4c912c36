// Manifest files on the disk: which there are under what a person names, and the text of one.
import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from './read-bytes.ts';
import { toReason } from './text-files.ts';

/** A file to read, or why a path leads to none. */
export type NamedFile = { readonly file: string } | { readonly file: string; readonly problem: string };

const MANIFEST = /\.(?:ya?ml|json)$/;

/**
 * The files that a path names: itself, or every .yaml, .yml and .json file under a folder in the order of their names. As kubectl
 * does it, links to files are followed and links to folders are not, so there is no way round in a circle; folders whose name begins
 * with a dot, and node_modules, are passed over.
 */
export function* findManifests(path: string): Iterable<NamedFile> {
  try {
    if (!statSync(path).isDirectory()) {
      yield { file: path };
      return;
    }
  } catch (error) {
    yield { file: path, problem: toReason(error) };
    return;
  }
  let isEmpty = true;
  for (const found of walk(path)) {
    isEmpty = false;
    yield found;
  }
  if (isEmpty) yield { file: path, problem: 'holds no .yaml, .yml or .json file' };
}

function* walk(folder: string): Iterable<NamedFile> {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    yield { file: folder, problem: toReason(error) };
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules') yield* walk(path);
    } else if (MANIFEST.test(entry.name) && isReadable(path, entry)) yield { file: path };
  }
}

// A link to a folder is passed over; one that leads nowhere, or to itself, is read and so told. Pipes and sockets would be waited for.
function isReadable(path: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return statSync(path).isFile();
  } catch {
    return true;
  }
}

/** Text as it is on the disk, without a byte order mark; `offset` is where it stops being UTF-8. */
export type ReadText =
  | { readonly text: string; readonly hasMark: boolean }
  | { readonly problem: string; readonly text?: string; readonly offset?: number };

/** Reads a file, or what `input` gives where it is `-`. */
export function readManifest(file: string, input: () => string): ReadText {
  try {
    return file === '-' ? withoutMark(input()) : toText(readBytes(file));
  } catch (error) {
    return { problem: toReason(error) };
  }
}

function toText(bytes: Buffer): ReadText {
  const text = bytes.toString('utf8');
  return isUtf8(bytes)
    ? withoutMark(text)
    : { problem: 'is not UTF-8; save it as UTF-8', text, offset: firstBroken(text, bytes) };
}

function withoutMark(text: string): ReadText {
  return text.startsWith('\uFEFF') ? { text: text.slice(1), hasMark: true } : { text, hasMark: false };
}

// A replacement character that was not in the file stands where it is broken.
function firstBroken(text: string, bytes: Buffer): number {
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', at + 1)) {
    const before = Buffer.byteLength(text.slice(0, at));
    if (!bytes.subarray(before, before + 3).equals(Buffer.from('\uFFFD'))) return at;
  }
  return 0;
}
