// A changed resource whose resizePolicy is RestartContainer restarts the container, and nothing else asks whether it may.
//
// Looks at: resizePolicy of main containers and sidecars whose cpu or memory changes
// Allowed:  changes with NotRequired (the default); changes of a container that does not run yet
// Not scheduled: passes; there is nothing to restart. No status of the container: taken as running
import { type Change, NO_CHANGES } from '../model/resize.ts';
import type { Facts } from './facts.ts';
import { joinWords, resourcePath, subjectOf } from './message.ts';
import { restartsOn } from './restarts-on.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows computePodResizeAction of the kubelet: one changed resource with RestartContainer is enough. */
export const resizeRestarts = defineRule({
  id: 'resize-restarts',
  summary: 'A resize must not restart a container.',
  scopes: ['resize'],
  perContainer: true,
  settings: noSettings,
  check(facts) {
    const restarting = restartingChanges(facts);
    return restarting.length === 0 ? NO_FINDINGS : toFindings(facts, restarting);
  },
});

/** The changes that restart their container. */
export function restartingChanges(facts: Facts): readonly Change[] {
  if (facts.node.state === 'unscheduled') return NO_CHANGES;
  return facts.changes.filter((change) => isRestart(facts, change));
}

function isRestart({ pod }: Facts, { container, resource }: Change): boolean {
  if (container === undefined || container.kind === 'init') return false;
  return restartsOn(container, resource) && pod.status.containers.get(container.name)?.running !== false;
}

function toFindings({ pod }: Facts, changes: readonly Change[]): readonly Finding[] {
  return [...Map.groupBy(changes, ({ container }) => container).values()].flatMap((ofOne) => {
    const [first] = ofOne;
    if (first === undefined) return [];
    const resources = joinWords([...new Set(ofOne.map(({ resource }) => resource))]);
    return {
      path: resourcePath(first.container, first.list, first.resource),
      message: `${subjectOf(pod, first.container)} must restart to change its ${resources}; PodDisruptionBudgets are not consulted`,
    };
  });
}
