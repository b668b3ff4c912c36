// What podrail refuses on purpose although Kubernetes accepts it: each is bound to a rule, the fields that it names there and the
// minors in which Kubernetes is so, so that a rule that says anything else is a difference.
import { EMPTY_BLOCK } from './compare-changes.ts';
import type { RuleFinding } from './core-findings.ts';
import { reasonToLeave } from './left-to-kubernetes.ts';

/** What podrail does not expand. */
export const UNBOUNDED = 'texts of more than 400 digits or zeros';
/** A resize that Kubernetes cannot read, in a field that podrail knows to be dropped. */
export const UNREAD = 'unreadable values in what a resize drops';
/** Both refuse, and podrail says only the first of several reasons. */
export const UNSAID = 'what a conclusive finding leaves unsaid';

interface Purpose {
  readonly name: string;
  readonly rule: string;
  /** Whether the rule itself calls it podrail's own; else it expects Kubernetes to refuse the same. */
  readonly ours: boolean;
  readonly field: RegExp;
  /** By default every minor: the second number of the first and the last one. */
  readonly minors?: readonly [first: number, last: number];
  /** What else must be so. */
  readonly isMeant?: (finding: RuleFinding) => boolean;
  readonly reason: string;
}

/** A request, a limit, or overhead. */
const VALUE = /^spec\.(?:(?:(?:initContainers|containers)\[\d+\]\.)?resources\.(?:requests|limits)|overhead)\[.+\]$/;
const EVER = [0, Infinity] as const;

const PURPOSES: readonly Purpose[] = [
  {
    name: UNBOUNDED,
    rule: 'quantity-valid',
    ours: false,
    field: VALUE,
    isMeant: ({ message }) => message.endsWith(' is too large to count'),
    reason: 'a text of a few characters could ask for gigabytes of memory',
  },
  {
    name: 'quantity-valid: a text without a digit',
    rule: 'quantity-valid',
    ours: true,
    field: VALUE,
    isMeant: ({ actual = '', bound }) => bound === undefined && !/\d/.test(actual),
    reason: 'Kubernetes takes it for zero, which nobody means by it',
  },
  {
    name: 'quantity-valid: more than can be counted',
    rule: 'quantity-valid',
    ours: true,
    field: new RegExp(`^spec$|${VALUE.source}`),
    isMeant: ({ bound }) => bound !== undefined && bound !== '0',
    reason: 'the scheduler and the kubelet count it, or the sum of which it is a part, as another amount',
  },
  {
    name: 'quantity-plausible',
    rule: 'quantity-plausible',
    ours: true,
    field: VALUE,
    reason: 'a unit that nobody means: cpu in mebibytes or beyond 1024 cores, memory below 1Mi',
  },
  {
    name: 'sidecar-restart-policy: dropped by 1.34',
    rule: 'sidecar-restart-policy',
    ours: false,
    field: /^spec\.(?:initContainers|containers)\[\d+\]\.restartPolicy$/,
    minors: [34, 34],
    // What is dropped is any policy of a container, and of an init container any but Always; not what such a one may not have.
    isMeant: ({ path, actual, message }) =>
      actual !== undefined &&
      (path.startsWith('spec.containers') || actual !== 'Always') &&
      !message.includes('which alone may have'),
    reason: 'its API server drops such a restartPolicy without a word, and the pod runs without it',
  },
  {
    name: 'sidecar-restart-policy: ports of an init container',
    rule: 'sidecar-restart-policy',
    ours: true,
    field: /^spec\.initContainers\[\d+\]\.restartPolicy$/,
    minors: [35, Infinity],
    isMeant: ({ actual = '' }) => ['OnFailure', 'Never'].includes(actual),
    reason: 'it must end before any container starts, so that nobody can use its port',
  },
  {
    name: 'resize-supported-pod: finished pods',
    rule: 'resize-supported-pod',
    ours: true,
    field: /^status\.phase$/,
    reason: 'a pod that has finished never runs again, so its resize does nothing',
  },
  {
    name: 'resize-only-cpu-memory: new resources',
    rule: 'resize-only-cpu-memory',
    ours: true,
    field: /^spec\.(?:initContainers|containers)\[\d+\]\.resources\.(?:requests|limits)\[.+\]$/,
    minors: [0, 34],
    reason: 'through 1.34 a container without requests, or without limits, may gain any resource in them',
  },
  {
    name: 'resize-only-cpu-memory: new claims',
    rule: 'resize-only-cpu-memory',
    ours: true,
    field: /^spec\.(?:initContainers|containers)\[\d+\]\.resources\.claims$/,
    minors: [0, 36],
    reason:
      'through 1.36 the API server compares containers without the claims of the new one, so that they can be added',
  },
  {
    name: 'resize-within-node',
    rule: 'resize-within-node',
    ours: true,
    field: /^spec$|\.resources\.requests\[.+\]$/,
    minors: [0, 35],
    reason: 'through 1.35 only the kubelet says, later, that a resize can never fit its node',
  },
];

const OTHER_REASONS: Readonly<Record<string, string>> = {
  [UNREAD]:
    'a resize with an unreadable value never reaches a webhook; with the value mended, podrail and Kubernetes say the same of the rest',
  [EMPTY_BLOCK]:
    'where pods can be resized as a whole, the API server raises the generation of the pod for it; nobody asks for anything else',
  [UNSAID]:
    'both refuse it; a value that cannot be counted, or another set of containers, would make podrail repeat itself in the words of other rules',
};

/** The reason of an exception. Throws for a name that has none. */
export function reasonOf(name: string): string {
  const reason = OTHER_REASONS[name] ?? reasonToLeave(name) ?? PURPOSES.find((one) => one.name === name)?.reason;
  if (reason === undefined) throw new Error(`no reason is written for the exception "${name}"`);
  return reason;
}

/** The name of the exception that a finding is in a minor such as `1.37`; undefined when it is none. */
export function purposeOf(finding: RuleFinding, ours: boolean, minor: string): string | undefined {
  const number = Number(minor.slice(2));
  return PURPOSES.find(
    ({ rule, ours: isOurs, field, minors: [first, last] = EVER, isMeant = () => true }) =>
      rule === finding.rule &&
      isOurs === ours &&
      first <= number &&
      number <= last &&
      field.test(finding.path) &&
      isMeant(finding),
  )?.name;
}
