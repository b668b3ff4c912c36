// The reviews in test/reviews: what real API servers have sent (test/cluster/capture-reviews.ts writes them).
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Phase } from '../../src/admission/request.ts';

export interface Captured {
  /** Such as `1.37/resize.mutate`. */
  readonly id: string;
  /** Of the API server. */
  readonly minor: string;
  readonly phase: Phase;
  readonly text: string;
}

const folder = join(import.meta.dirname, '../reviews');

/** All of them, in the order of their ids. */
export const CAPTURED: readonly Captured[] = globSync('*/*.json', { cwd: folder })
  .sort()
  .map((file) => {
    const [request = '', phase] = basename(file, '.json').split('.');
    const minor = dirname(file);
    return {
      id: `${minor}/${request}.${phase}`,
      minor,
      phase: phase as Phase,
      text: readFileSync(join(folder, file), 'utf8'),
    };
  });

/** The text of one. Throws when there is none of that id. */
export function captured(id: string): string {
  const found = CAPTURED.find((one) => one.id === id);
  if (found === undefined)
    throw new Error(`test/reviews has no ${id}; there are ${CAPTURED.map((one) => one.id).join(', ')}`);
  return found.text;
}
