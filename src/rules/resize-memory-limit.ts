// A memory limit that comes down below what is in use ends the container, unless its resizePolicy restarts it.
//
// Looks at: limits.memory and resizePolicy of main containers and sidecars
// Allowed:  raising a memory limit; lowering or adding one where the memory policy is RestartContainer
// Pod-level limits and init containers: pass; neither can have RestartContainer
import { z } from 'zod';
import { canLowerMemoryLimit, toVersionText } from '../model/kubernetes-version.ts';
import { compare, type Quantity, toText } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import type { Facts } from './facts.ts';
import { resourcePath, subjectOf } from './message.ts';
import { restartsOn } from './restarts-on.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';

const settings = z.strictObject({
  requireRestart: z
    .boolean()
    .default(false)
    .describe(
      'Whether it is a finding on every version and no longer advice: who lowers or adds a memory limit must have RestartContainer for memory.',
    ),
});

/** Follows validateContainerResize of 1.33. From 1.34 the kubelet tries, and does not lower a limit below what is in use. */
export const resizeMemoryLimit = defineRule({
  id: 'resize-memory-limit',
  summary: 'A memory limit must be lowered only where resizePolicy restarts the container.',
  scopes: ['resize'],
  perContainer: true,
  core: (version) => !canLowerMemoryLimit(version),
  settings,
  check(facts, { requireRestart }) {
    const lowered = facts.changes.filter(isLoweredInPlace);
    if (lowered.length === 0) return NO_FINDINGS;
    const isRefused = requireRestart || !canLowerMemoryLimit(facts.version);
    return lowered.map((change) => (isRefused ? toRefusal(facts, change) : toAdvice(facts, change)));
  },
});

// A limit that is added lowers one that was "max" until now.
function isLoweredInPlace({ container, list, resource, from, to }: Change): boolean {
  if (container === undefined || container.kind === 'init') return false;
  if (list !== 'limits' || resource !== 'memory' || to === undefined) return false;
  return (from === undefined || compare(to, from) < 0) && !restartsOn(container, 'memory');
}

function toRefusal({ pod, version }: Facts, change: Change): Finding {
  const where = canLowerMemoryLimit(version) ? '' : ` on Kubernetes ${toVersionText(version)}`;
  const [from, to] = [textOf(change.from), textOf(change.to)];
  const lowering = `to lower its limit${where}; it lowers ${from} to ${to}`;
  const adding = `to gain a limit${where}; it gains ${to}`;
  const must = 'must have resizePolicy RestartContainer for memory';
  return finding(change, `${subjectOf(pod, change.container)} ${must} ${from === '' ? adding : lowering}`);
}

function toAdvice({ pod }: Facts, change: Change): Finding {
  const until = `must use less than ${textOf(change.to)} of memory for this limit to take effect`;
  return {
    ...finding(change, `${subjectOf(pod, change.container)} ${until}; until then the resize stays in progress`),
    advice: true,
  };
}

function finding({ container, from, to }: Change, message: string): Finding {
  return {
    path: resourcePath(container, 'limits', 'memory'),
    message,
    ...(to === undefined ? {} : { actual: toText(to) }),
    ...(from === undefined ? {} : { bound: toText(from) }),
  };
}

function textOf(quantity: Quantity | undefined): string {
  return quantity === undefined ? '' : toText(quantity);
}
