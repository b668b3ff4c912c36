// A request that an autoscaler divides by must not change under it: its utilization jumps at once, before any usage has changed.
//
// Looks at: requests that change, and the HorizontalPodAutoscalers of the pod's workload
// Allowed:  requests of which no autoscaler has a target in percent; targets in amounts (AverageValue)
// No autoscaler known: passes
import type { Change } from '../model/resize.ts';
import type { Autoscaler, Facts } from './facts.ts';
import { firstThatFits, quantityText, quote, resourcePath, subjectOf, word } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows calculatePodRequests of the autoscaler's replica calculator: main containers and sidecars, or the pod's own request. */
export const resizeAutoscaled = defineRule({
  id: 'resize-autoscaled',
  summary: 'A resize must leave a request that a HorizontalPodAutoscaler scales by.',
  scopes: ['resize'],
  perContainer: true,
  settings: noSettings,
  check(facts) {
    if (facts.changes.length === 0) return NO_FINDINGS;
    const { autoscalers } = facts;
    if (autoscalers.length === 0) return NO_FINDINGS;
    return facts.changes.flatMap((change) => {
      const autoscaler = autoscalers.find(({ utilization }) => utilization.some((metric) => isAbout(metric, change)));
      return autoscaler === undefined ? [] : [explain(facts, change, autoscaler)];
    });
  },
});

function isAbout(metric: Autoscaler['utilization'][number], { container, list, resource }: Change): boolean {
  if (list !== 'requests' || resource !== metric.resource || container?.kind === 'init') return false;
  return metric.container === undefined || metric.container === container?.name;
}

function explain({ pod }: Facts, { container, resource, from, to }: Change, { name, target }: Autoscaler): Finding {
  const subject = subjectOf(pod, container);
  const by = `HorizontalPodAutoscaler ${quote(name)} scales ${target.kind} ${quote(target.name)} by its utilization`;
  const moved = `${from === undefined ? 'none' : quantityText(from)} to ${to === undefined ? 'none' : quantityText(to)}`;
  const full = `${subject} must keep its ${word(resource)} request; ${by}, which jumps as the request goes from ${moved}`;
  const short = `${subject} must keep its ${word(resource)} request; a HorizontalPodAutoscaler scales by its utilization`;
  return {
    path: resourcePath(container, 'requests', resource),
    message: firstThatFits(full, short),
    ...(to === undefined ? {} : { actual: quantityText(to) }),
    ...(from === undefined ? {} : { bound: quantityText(from) }),
  };
}
