// Where podrail's own files are: the folder of its package.json, in a checkout and in an installed package alike.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder at or above this module that has a package.json (the bundle is one folder below it, this file two). */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(`no package.json above ${import.meta.dirname}: podrail is not fully installed`);
    folder = parent;
  }
  return folder;
}

/** The version in that package.json. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return manifest.version;
}
