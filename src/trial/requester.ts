// A requester as the API server authenticates it, from what a person says of it.
import type { Requester } from '../rules/facts.ts';

export interface SaidRequester {
  readonly user?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  /** `namespace/name`. */
  readonly serviceAccount?: string | undefined;
}

/** A service account has its groups of its own accord, and everyone is authenticated. */
export function requesterOf({ user, groups = [], serviceAccount }: SaidRequester): Requester {
  if (serviceAccount === undefined) return { name: user ?? '', groups: together(groups, ['system:authenticated']) };
  const [namespace = '', name = ''] = serviceAccount.split('/');
  const own = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups: together(groups, own) };
}

function together(groups: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...groups, ...more])];
}

/** Whether it is `namespace/name`. */
export function isServiceAccount(text: string): boolean {
  return /^[^/\s]+\/[^/\s]+$/.test(text);
}
