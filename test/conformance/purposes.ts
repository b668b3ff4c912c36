// What podrail refuses on purpose although Kubernetes accepts it, by rule, each with its reason.
import type { RuleFinding } from './core-findings.ts';
import { UNBOUNDED } from './compare-quantities.ts';

/** The exception of a resize that Kubernetes cannot read, in a field that podrail knows to be dropped. */
export const UNREAD = 'unreadable values in what a resize drops';

/** The reason of each exception that a comparison may name. */
export const REASONS: Readonly<Record<string, string>> = {
  'quantity-valid': 'a text without a digit, or more than Kubernetes can count, which it takes for zero',
  'quantity-plausible': 'a unit that nobody means: cpu in mebibytes or beyond 1024 cores, memory below 1Mi',
  'sidecar-restart-policy':
    'a restartPolicy that 1.34 drops without a word, and an init container that ends although it has ports',
  'resize-supported-pod': 'a pod that has finished never runs again, so its resize does nothing',
  'resize-only-cpu-memory':
    'through 1.34 a container without requests or limits may gain any resource in them, and through 1.36 a claim',
  [UNREAD]: 'a resize with an unreadable value never reaches a webhook, and this one would not have been stored',
  [UNBOUNDED]: 'a text of a few characters could ask for gigabytes of memory',
};

/** The reason of an exception. Throws for a name that has none. */
export function reasonOf(name: string): string {
  const reason = REASONS[name];
  if (reason === undefined) throw new Error(`no reason is written for the exception "${name}"`);
  return reason;
}

/** The exception that a finding of a core rule is; undefined when it is none. */
export function purposeOf({ rule, message }: RuleFinding, minor: string): string | undefined {
  if (rule === 'quantity-valid' && message.endsWith('is too large to count')) return UNBOUNDED;
  return rule === 'sidecar-restart-policy' && minor === '1.34' ? rule : undefined;
}
