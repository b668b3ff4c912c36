// Who sends a request: as settings name them, and as a message does.
import { z } from 'zod';
import type { Requester } from './facts.ts';
import { joinWords, quote } from './message.ts';
import { globsSetting, WITHOUT_MISTAKES } from './settings.ts';

/** Users, groups and service accounts by names and globs: whoever is any of them. */
export const requestersSetting = z
  .strictObject({
    users: globsSetting.optional().describe('Users, as the API server authenticates them.'),
    groups: globsSetting.optional().describe('Groups, any of which is enough.'),
    serviceAccounts: globsSetting.optional().describe('Service accounts, as namespace/name.'),
  })
  .refine((lists) => Object.values(lists).some((list) => list !== undefined && list.globs.length > 0), {
    error: 'must name users, groups or serviceAccounts',
    ...WITHOUT_MISTAKES,
  })
  .meta({
    'x-kubernetes-validations': [
      {
        rule: '[has(self.users) ? size(self.users) : 0, has(self.groups) ? size(self.groups) : 0, has(self.serviceAccounts) ? size(self.serviceAccounts) : 0].exists(count, count > 0)',
        message: 'must name users, groups or serviceAccounts',
      },
    ],
  });

export type Requesters = z.output<typeof requestersSetting>;

/** Whether the requester is one of them: by name, by any group, or as a service account. */
export function isAmong({ users, groups, serviceAccounts }: Requesters, requester: Requester): boolean {
  if (users?.matches(requester.name)) return true;
  if (groups !== undefined && requester.groups.some((group) => groups.matches(group))) return true;
  const account = serviceAccounts && toServiceAccount(requester.name);
  return account !== undefined && serviceAccounts?.matches(account) === true;
}

/** `user "dev-lee"`, `service account "kube-system/vpa-updater"`. */
export function requesterText({ name }: Requester): string {
  const account = toServiceAccount(name);
  return account === undefined ? `user ${quote(name)}` : `service account ${quote(account)}`;
}

/** `user "ann", group "platform-*" or service account "kube-system/vpa-updater"`; of more than `most` only that there are others. */
export function requestersText({ users, groups, serviceAccounts }: Requesters, most: number): string {
  const all = [
    ...(users?.globs ?? []).map((name) => `user ${quote(name)}`),
    ...(groups?.globs ?? []).map((name) => `group ${quote(name)}`),
    ...(serviceAccounts?.globs ?? []).map((name) => `service account ${quote(name)}`),
  ];
  const left = all.length - most;
  return joinWords(left > 0 ? [...all.slice(0, most), left === 1 ? '1 other' : `${left} others`] : all, 'or');
}

const SERVICE_ACCOUNT = 'system:serviceaccount:';

/** `kube-system/vpa-updater` for the user `system:serviceaccount:kube-system:vpa-updater`; undefined for a person. */
export function toServiceAccount(user: string): string | undefined {
  return user.startsWith(SERVICE_ACCOUNT) ? user.slice(SERVICE_ACCOUNT.length).replace(':', '/') : undefined;
}

/** The same the other way round, also for a glob: a star in the place of a name or of both stays one. */
export function toUserGlob(serviceAccount: string): string {
  return SERVICE_ACCOUNT + serviceAccount.replace('/', ':');
}
