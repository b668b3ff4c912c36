// A quantity must be one that Kubernetes can count: a value it cannot count is zero to the scheduler and to the kubelet.
//
// Looks at: requests and limits of every container and of the pod, overhead, and the pod's sums of them
// Allowed:  text that parses and has a digit, not negative, at most int64 of bytes (cpu: of thousandths; devices: alone of thousandths)
// On a resize: only what the request changes; a sum only when one of its parts is changed
import { allContainers, type Container, type Pod } from '../model/pod.ts';
import { desiredLimits, desiredRequests } from '../model/pod-requests.ts';
import { isCountable, mostCountable, type Quantity } from '../model/quantity.ts';
import { compareNames, type Resources } from '../model/resources.ts';
import type { Facts } from './facts.ts';
import { findInValues, type JudgedValue } from './judged-values.ts';
import { actualText, bareText, boundText, joinWords, quantityText, subjectOf } from './message.ts';
import { nearestSpellings } from './quantity-spelling.ts';
import { defineRule, type Finding } from './rule.ts';
import { noSettings } from './settings.ts';

// Pods have fewer containers than it takes for values below this (73 GB, or as many cores) to overflow when summed.
const CANNOT_OVERFLOW = 2n ** 66n;

export const quantityValid = defineRule({
  id: 'quantity-valid',
  summary: 'A quantity must be one that Kubernetes can read and count, alone and in the sums of its pod.',
  scopes: ['create', 'resize'],
  perContainer: true,
  core: () => true,
  settings: noSettings,
  check(facts) {
    const findings = findInValues(facts, { judge, explain });
    return findings.length === 0 && hasLargeValue(facts.pod) ? uncountableSums(facts) : findings;
  },
});

type Verdict = 'unreadable' | 'digitless' | 'negative' | 'uncountable';

function judge(resource: string, quantity: Quantity): Verdict | undefined {
  const { nanos, problem, written } = quantity;
  if (problem !== undefined) return 'unreadable';
  if (nanos === 0n) return written === undefined || /\d/.test(written) ? undefined : 'digitless';
  if (nanos < 0n) return 'negative';
  return nanos < CANNOT_OVERFLOW || isCountable(resource, quantity) ? undefined : 'uncountable';
}

function explain(value: JudgedValue, verdict: Verdict): Finding {
  const { path, subject, field, list, resource, quantity } = value;
  const actual = quantityText(quantity);
  switch (verdict) {
    case 'unreadable': {
      const message = `${subject} must set ${field} to a quantity; ${actual} ${hint(resource, quantity)}`;
      return { path, message, actual: bareText(quantity), conclusive: true };
    }
    case 'digitless': {
      const message = `${subject} must set ${field} to a number; ${actual} has no digit and counts as 0`;
      return { path, message, actual, ours: true, conclusive: true };
    }
    case 'negative': {
      const message = `${subject} must ${boundText(list, 'at least 0', resource)}; ${actualText(list, actual)}`;
      return { path, message, actual, bound: '0', conclusive: true };
    }
    case 'uncountable': {
      const bound = largestCountable(resource);
      const message = `${subject} must ${boundText(list, `at most ${bound}`, resource)}; ${actual} is more than Kubernetes can count`;
      return { path, message, actual, bound, ours: true, conclusive: true };
    }
  }
}

function hint(resource: string, { written, problem }: Quantity): string {
  const spellings = nearestSpellings(resource, written ?? '');
  if (spellings.length > 0) return `is none, did you mean ${joinWords(spellings, 'or')}?`;
  if (problem === 'suffix') return 'has a unit that Kubernetes does not know';
  return problem === 'unbounded' ? 'is too large to count' : 'is no number with a unit';
}

function uncountableSums(facts: Facts): readonly Finding[] {
  return [
    ...uncountable(facts, 'requests', desiredRequests(facts.pod, facts.version)),
    ...uncountable(facts, 'limits', desiredLimits(facts.pod, facts.version)),
  ];
}

function uncountable(facts: Facts, list: 'requests' | 'limits', sums: Resources): readonly Finding[] {
  return [...sums]
    .filter(([resource, sum]) => !isCountable(summedAs(resource), sum) && concerns(facts, resource))
    .sort(([a], [b]) => compareNames(a, b))
    .map(([resource, sum]) => {
      const actual = quantityText(sum);
      const bound = largestCountable(summedAs(resource));
      const must = boundText(list, `at most ${bound}`, resource);
      const message = `${subjectOf(facts.pod, undefined)} must ${must} in all; ${actual} is more than Kubernetes can count`;
      return { path: 'spec', message, actual, bound, ours: true };
    });
}

/** Of a device only one value must be whole, which Kubernetes asks in thousandths; the scheduler counts their sum in units, as of memory. */
function summedAs(resource: string): string {
  return resource === 'cpu' ? resource : 'memory';
}

function concerns({ scope, changes }: Facts, resource: string): boolean {
  return scope === 'create' || changes.some((change) => change.resource === resource);
}

function largestCountable(resource: string): string {
  return quantityText(mostCountable(resource));
}

function hasLargeValue(pod: Pod): boolean {
  return (
    allContainers(pod).some(holdsLarge) ||
    isLarge(pod.overhead) ||
    (pod.podLevel !== undefined && holdsLarge(pod.podLevel))
  );
}

function holdsLarge({ requests, limits }: Pick<Container, 'requests' | 'limits'>): boolean {
  return isLarge(requests) || isLarge(limits);
}

function isLarge(resources: Resources): boolean {
  for (const quantity of resources.values()) if (quantity.nanos >= CANNOT_OVERFLOW) return true;
  return false;
}
