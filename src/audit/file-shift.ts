// Making room for a new audit file: audit.log becomes audit.log.1, that becomes audit.log.2, and the oldest goes.
import { access, rename } from 'node:fs/promises';

/**
 * Renames `path` and what was rotated before it, so that at most `maxFiles` are left once `path` exists again. Throws
 * what the file system says; the numbered files stay in their order then.
 */
export async function shiftFiles(path: string, maxFiles: number): Promise<void> {
  const names = [path];
  for (let number = 1; number < maxFiles; number += 1) names.push(`${path}.${number}`);
  for (let free = await firstFree(names); free > 0; free -= 1) {
    await renameIfThere(names[free - 1] ?? path, names[free] ?? path);
  }
}

/** A number that is free needs no older file moved; where none is, the oldest file is overwritten. */
async function firstFree(names: readonly string[]): Promise<number> {
  const last = names.length - 1;
  for (let number = 1; number < last; number += 1) {
    if (!(await exists(names[number] ?? ''))) return number;
  }
  return last;
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (await exists(from)) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
