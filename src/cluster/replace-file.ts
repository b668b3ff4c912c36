// A file replaced as a whole: whoever reads it sees the old text or the new one, never a part.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Writes beside the file and renames; its mode stays, and a link to it stays a link. Throws the errors of the file system. */
export function replaceFile(file: string, text: string): void {
  const target = realpathSync(file);
  const stats = statSync(target);
  // A pipe or a device would be gone, with a file in its place.
  if (!stats.isFile()) throw new Error('is no file');
  const beside = join(dirname(target), `.${basename(target)}.podrail-${process.pid}`);
  try {
    writeNew(beside, text);
    // Given to openSync, the mode would be cut by the umask.
    chmodSync(beside, stats.mode & 0o7777);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function writeNew(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    const bytes = Buffer.from(text);
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    // Without this a loss of power right after the renaming could leave an empty file.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
