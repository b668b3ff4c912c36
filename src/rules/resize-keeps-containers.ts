// A resize must send the containers that the pod has: all of them, under their names, in their order.
//
// Looks at: the names in spec.containers and spec.initContainers, stored and sent
// Allowed:  the same names at the same places
import { type Container, containerPath, type Pod } from '../model/pod.ts';
import { hasSameContainers } from '../model/resize.ts';
import { quote, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows validatePodResizeContainerOrdering, which speaks of positions; this says which container. */
export const resizeKeepsContainers = defineRule({
  id: 'resize-keeps-containers',
  summary: 'A resize must not add, remove, rename or reorder containers.',
  scopes: ['resize'],
  core: () => true,
  settings: noSettings,
  check({ before, pod }) {
    if (before === undefined || hasSameContainers(before, pod)) return NO_FINDINGS;
    return [
      ...differences(pod, before.containers, pod.containers),
      ...differences(pod, before.initContainers, pod.initContainers),
    ];
  },
});

function differences(pod: Pod, before: readonly Container[], after: readonly Container[]): readonly Finding[] {
  if (before.length === after.length) return movesOf(pod, before, after);
  const removed = before.filter(({ name }) => !hasName(after, name));
  const added = after.filter(({ name }) => !hasName(before, name));
  return [...removed, ...added]
    .sort((a, b) => a.index - b.index)
    .map((container) => toFinding(pod, container, removed));
}

function toFinding(pod: Pod, container: Container, removed: readonly Container[]): Finding {
  return removed.includes(container)
    ? refusal(pod, container, 'must not be removed by a resize; send the whole pod, or patch only resources')
    : refusal(pod, container, 'must not be added by a resize; recreate the pod to add it');
}

function movesOf(pod: Pod, before: readonly Container[], after: readonly Container[]): readonly Finding[] {
  return before.flatMap((container, index) => {
    const now = after[index];
    if (now === undefined || now.name === container.name) return [];
    if (!hasName(after, container.name)) {
      return refusal(pod, container, `must keep its name; the resize puts ${quote(now.name)} in its place`);
    }
    return refusal(
      pod,
      container,
      `must stay at ${containerPath(container)}; the resize puts ${quote(now.name)} there`,
    );
  });
}

function hasName(containers: readonly Container[], wanted: string): boolean {
  return containers.some(({ name }) => name === wanted);
}

function refusal(pod: Pod, container: Container, what: string): Finding {
  return { path: containerPath(container), message: `${subjectOf(pod, container)} ${what}`, conclusive: true };
}
