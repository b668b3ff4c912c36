// Everything in which podrail and Kubernetes differ on purpose, with why, and how large a share of what is compared it may be.
import { EMPTY_BLOCK } from './compare-changes.ts';
import { type Exception, tooMany as tooManyOf } from './exception.ts';
import { LEFT } from './left-to-kubernetes.ts';
import { OTHER_REASONS } from './other-reasons.ts';
import { PURPOSES } from './refused-more.ts';
import { NEGATIVE, PAIRS } from './unsaid.ts';

/** A resize that Kubernetes cannot read, in a field that podrail knows to be dropped. */
export const UNREAD = 'unreadable values in what a resize drops';

const OTHERS: readonly Exception[] = [
  {
    name: UNREAD,
    most: 0.0008,
    reason:
      'a resize with an unreadable value never reaches a webhook; with the value mended, podrail and Kubernetes say the same of the rest',
  },
  {
    name: EMPTY_BLOCK,
    most: 0.000_02,
    reason:
      'where pods can be resized as a whole, the API server raises the generation of the pod for it; nobody asks for anything else',
  },
];

const ALL: readonly Exception[] = [...PURPOSES, ...LEFT, ...PAIRS, NEGATIVE, ...OTHER_REASONS, ...OTHERS];

/** Throws for a name that has none. */
export function exceptionOf(name: string): Exception {
  const found = ALL.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no reason is written for the exception "${name}"`);
  return found;
}

/** The reason of an exception. Throws for a name that has none. */
export function reasonOf(name: string): string {
  return exceptionOf(name).reason;
}

/** The exceptions of a suite that are a larger share of what was compared than they may be, in words. Throws for an unknown name. */
export function tooMany(counted: ReadonlyMap<string, number>, compared: number): readonly string[] {
  return tooManyOf(counted, compared, (name) => exceptionOf(name).most);
}
