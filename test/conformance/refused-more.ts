// What podrail refuses on purpose although Kubernetes accepts it: each is bound to a rule, the fields that it names there, the minors in
// which Kubernetes is so, and what must be so of the pod, so that a rule that says anything else is a difference.
import type { RuleFinding } from './core-findings.ts';
import type { Exception } from './exception.ts';
import { containerAt, isSoOf, listAt, placeOf, type Seen, sumOf, textOf } from './named-values.ts';
import { isMore, isUnbounded, isUncountable, isUncountableSum, mostOf } from './written-amounts.ts';

/** What podrail does not expand. */
export const UNBOUNDED = 'texts of more than 400 digits or zeros';
/** What podrail says of an amount that Kubernetes counts as another one. */
export const UNCOUNTABLE = 'quantity-valid: more than can be counted';
/** What podrail says of any claim that a resize adds. */
export const NEW_CLAIMS = 'resize-only-cpu-memory: new claims';

interface Purpose extends Exception {
  readonly rule: string;
  /** Whether the rule itself calls it podrail's own; else it expects Kubernetes to refuse the same. */
  readonly ours: boolean;
  readonly field: RegExp;
  /** By default every minor: the second number of the first and the last one. */
  readonly minors?: readonly [first: number, last: number];
  /** What else must be so. */
  readonly isMeant: (finding: RuleFinding, seen: Seen) => boolean;
}

/** A request, a limit, or overhead. */
const VALUE = /^spec\.(?:(?:(?:initContainers|containers)\[\d+\]\.)?resources\.(?:requests|limits)|overhead)\[.+\]$/;
const EVER = [0, Infinity] as const;
const MEBI = 2n ** 20n;

export const PURPOSES: readonly Purpose[] = [
  {
    name: UNBOUNDED,
    rule: 'quantity-valid',
    ours: false,
    field: VALUE,
    isMeant: (finding, seen) => {
      const text = textOf(finding, seen) ?? '';
      return finding.message.endsWith(' is too large to count') && (text.endsWith('…') || isUnbounded(text));
    },
    most: 0.000_05,
    reason: 'a text of a few characters could ask for gigabytes of memory',
  },
  {
    name: 'quantity-valid: a text without a digit',
    rule: 'quantity-valid',
    ours: true,
    field: VALUE,
    isMeant: (finding, seen) => finding.bound === undefined && !/\d/.test(textOf(finding, seen) ?? '0'),
    most: 0.005,
    reason: 'Kubernetes takes it for zero, which nobody means by it',
  },
  {
    name: UNCOUNTABLE,
    rule: 'quantity-valid',
    ours: true,
    field: new RegExp(`^spec$|${VALUE.source}`),
    isMeant: (finding, seen) => {
      if (finding.path === 'spec') {
        const [resource, text] = sumOf(finding, seen) ?? [''];
        return isSoOf(text, (amount) => isUncountableSum(resource, amount));
      }
      const resource = placeOf(finding)?.resource ?? '';
      const isSo = isSoOf(textOf(finding, seen), (amount) => isUncountable(resource, amount));
      return isSo && finding.bound === mostOf(resource);
    },
    most: 0.025,
    reason: 'the scheduler and the kubelet count it, or the sum of which it is a part, as another amount',
  },
  {
    name: 'quantity-plausible',
    rule: 'quantity-plausible',
    ours: true,
    field: VALUE,
    isMeant: (finding, seen) => {
      const resource = placeOf(finding)?.resource;
      return isSoOf(textOf(finding, seen), (amount) => {
        if (resource === 'cpu') return isMore(amount, 1024n) || (amount.isBinary && isMore(amount, 0n));
        return resource === 'memory' && isMore(amount, 0n) && isMore({ ...amount, over: -amount.over }, -MEBI);
      });
    },
    most: 0.12,
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
    most: 0.11,
    reason: 'its API server drops such a restartPolicy without a word, and the pod runs without it',
  },
  {
    name: 'sidecar-restart-policy: ports of an init container',
    rule: 'sidecar-restart-policy',
    ours: true,
    field: /^spec\.initContainers\[\d+\]\.restartPolicy$/,
    minors: [35, Infinity],
    isMeant: ({ actual = '' }) => ['OnFailure', 'Never'].includes(actual),
    most: 0.0011,
    reason: 'it must end before any container starts, so that nobody can use its port',
  },
  {
    name: 'resize-supported-pod: finished pods',
    rule: 'resize-supported-pod',
    ours: true,
    field: /^status\.phase$/,
    isMeant: ({ message }, { facts }) => {
      const phase = facts === undefined ? /; its phase is (\w+)$/.exec(message)?.[1] : facts.before?.status.phase;
      return phase === 'Succeeded' || phase === 'Failed';
    },
    most: 0.06,
    reason: 'a pod that has finished never runs again, so its resize does nothing',
  },
  {
    name: 'resize-only-cpu-memory: new resources',
    rule: 'resize-only-cpu-memory',
    ours: true,
    field: /^spec\.(?:initContainers|containers)\[\d+\]\.resources\.(?:requests|limits)\[.+\]$/,
    minors: [0, 34],
    isMeant: (finding, { facts }) => {
      const place = placeOf(finding);
      if (place === undefined || isResizable(place.resource) || finding.bound !== undefined) return false;
      const stored = facts?.before && listAt(facts.before, place);
      return facts === undefined || stored?.size === 0;
    },
    most: 0.0085,
    reason: 'through 1.34 a container without requests, or without limits, may gain any resource in them',
  },
  {
    name: NEW_CLAIMS,
    rule: 'resize-only-cpu-memory',
    ours: true,
    field: /^spec\.(?:initContainers|containers)\[\d+\]\.resources\.claims$/,
    minors: [0, 36],
    isMeant: ({ path }, { facts }) =>
      facts === undefined || (facts.before !== undefined && containerAt(facts.before, path)?.hasClaims === false),
    most: 0.0008,
    reason:
      'through 1.36 the API server compares containers without the claims of the new one, so that they can be added',
  },
  {
    name: 'resize-within-node',
    rule: 'resize-within-node',
    ours: true,
    field: /^spec$|\.resources\.requests\[.+\]$/,
    minors: [0, 35],
    isMeant: () => true,
    most: 0.0085,
    reason: 'through 1.35 only the kubelet says, later, that a resize can never fit its node',
  },
];

function isResizable(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory';
}

/** The name of the exception that a finding is in a minor such as `1.37`; undefined when it is none. */
export function purposeOf(finding: RuleFinding, ours: boolean, minor: string, seen: Seen): string | undefined {
  const number = Number(minor.slice(2));
  return PURPOSES.find(
    ({ rule, ours: isOurs, field, minors: [first, last] = EVER, isMeant }) =>
      rule === finding.rule &&
      isOurs === ours &&
      first <= number &&
      number <= last &&
      field.test(finding.path) &&
      isMeant(finding, seen),
  )?.name;
}
