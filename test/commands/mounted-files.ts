// Files as Kubernetes mounts a ConfigMap or a Secret: each name leads over the link `..data` into a folder that never changes, and
// what is new comes by another link of that name.
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MountedFiles {
  readonly folder: string;
  /** Replaces all files at once: their texts, in the order of their names. */
  readonly replace: (texts: readonly string[]) => void;
}

/** Mounts files of these names in an empty folder; there is nothing in them before the first `replace`. */
export function mountFiles(folder: string, names: readonly string[]): MountedFiles {
  let generation = 0;
  for (const name of names) symlinkSync(join('..data', name), join(folder, name));
  return {
    folder,
    replace(texts) {
      generation += 1;
      const inside = `..2026_11_30_${generation}`;
      mkdirSync(join(folder, inside));
      for (const [index, name] of names.entries()) writeFileSync(join(folder, inside, name), texts[index] ?? '');
      symlinkSync(inside, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    },
  };
}
