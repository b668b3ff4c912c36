// Who asks, where there is no API server to say it: the flags of the commands that try a request.
import { type Command, InvalidArgumentError } from 'commander';
import type { Requester } from '../rules/facts.ts';
import { isServiceAccount, requesterOf } from '../trial/requester.ts';
import { collect } from './flags.ts';
import { UsageError } from './usage-error.ts';

export interface RequesterFlags {
  readonly user?: string;
  readonly group?: readonly string[];
  readonly serviceAccount?: string;
}

/** Adds `--user`, `--group` and `--service-account`. */
export function addRequesterFlags(command: Command): Command {
  return command
    .option('--user <name>', 'who asks (default: nobody that a guardrail names)')
    .option('--group <name>', 'a group of theirs (repeatable)', collect)
    .option(
      '--service-account <namespace/name>',
      'the service account that asks, instead of a user',
      serviceAccountFlag,
    );
}

function serviceAccountFlag(text: string): string {
  if (isServiceAccount(text)) return text;
  throw new InvalidArgumentError('It must be NAMESPACE/NAME, such as kube-system/vpa-updater.');
}

/** Whom the flags name. Throws UsageError for two at once. */
export function toRequester({ user, group, serviceAccount }: RequesterFlags): Requester {
  if (user !== undefined && serviceAccount !== undefined)
    throw new UsageError('podrail: --user and --service-account cannot both ask');
  return requesterOf({ user, groups: group, serviceAccount });
}
