// The flags that several commands take, and how their values are read.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Address, parseAddress } from '../http/address.ts';
import {
  type KubernetesVersion,
  NEWEST_MINOR,
  OLDEST_MINOR,
  parseKubernetesVersion,
} from '../model/kubernetes-version.ts';

/** The newest version podrail knows: what is assumed where there is no API server to ask. */
export const NEWEST_VERSION: KubernetesVersion = { minor: NEWEST_MINOR };

/** Adds `--guardrails`, `--cluster` and `--kubernetes-version`, which every command that decides takes. */
export function addDecisionFlags(command: Command): Command {
  return command
    .option('--guardrails <file|dir>', 'guardrails to apply beside the baseline (repeatable)', collect)
    .option('--cluster <file|dir>', 'nodes, pods and namespaces, as YAML or JSON (repeatable)', collect)
    .addOption(
      new Option('--kubernetes-version <version>', `whose rules to judge by (default: 1.${NEWEST_MINOR})`).argParser(
        versionFlag,
      ),
    );
}

/** For a flag that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function versionFlag(text: string): KubernetesVersion {
  const version = parseKubernetesVersion(text);
  if (version === undefined) {
    throw new InvalidArgumentError(
      `It must be a version from 1.${OLDEST_MINOR} on, such as 1.35; those after 1.${NEWEST_MINOR} are judged like it.`,
    );
  }
  return version;
}

/** A moment as in a manifest: RFC 3339, with its zone. */
export function timeFlag(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('It must be a time such as 2026-11-30T09:00:00Z.');
  }
  return time;
}

export function addressFlag(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new InvalidArgumentError('It must be HOST:PORT or :PORT, such as 127.0.0.1:8443.');
  return address;
}

/** Reads a whole number of at least `least`. */
export function countFlag(least: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= least) return count;
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  };
}
