// More memory must reach a container that was OOMKilled: a kubelet raises the cgroup of its pod only for what runs.
//
// Looks at: memory limits that grow, of containers that were OOMKilled and do not run; whether the pod as a whole is limited
// Allowed:  growing what runs; what a newer kubelet raises; a pod of which some container has no memory limit
// Advice:   always, as the resize may well be what rescues the container
import { raisesPodOfStartingContainers } from '../model/kubernetes-version.ts';
import type { Container } from '../model/pod.ts';
import { hasUnlimitedContainer } from '../model/pod-requests.ts';
import type { Change } from '../model/resize.ts';
import { isGrowth } from './direction.ts';
import type { Facts } from './facts.ts';
import { resourcePath, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows computePodResizeAction of the kubelet, which skips what does not run (kubernetes/kubernetes#138760). */
export const resizeOomKilled = defineRule({
  id: 'resize-oom-killed',
  summary: 'A higher memory limit must reach a container that was OOMKilled.',
  scopes: ['resize'],
  perContainer: true,
  settings: noSettings,
  check(facts) {
    const found = facts.changes.filter((change) => isOutOfReach(facts, change));
    if (found.length === 0 || hasUnlimitedContainer(facts.pod, 'memory')) return NO_FINDINGS;
    return found.map((change) => explain(facts, change));
  },
});

function isOutOfReach({ before, version }: Facts, change: Change): boolean {
  const { container, list, resource } = change;
  if (before === undefined || container === undefined || container.kind === 'init') return false;
  if (list !== 'limits' || resource !== 'memory' || !isGrowth(change)) return false;
  const status = before.status.containers.get(container.name);
  if (status === undefined || status.running || status.lastTerminationReason !== 'OOMKilled') return false;
  return !isRaised(container, version);
}

// From 1.37 the kubelet raises the pod for main containers that it starts; sidecars are still left out.
function isRaised({ kind }: Container, version: Facts['version']): boolean {
  return kind === 'main' && raisesPodOfStartingContainers(version);
}

function explain({ pod }: Facts, { container }: Change): Finding {
  const must = `${subjectOf(pod, container)} must run for a higher memory limit to reach the cgroup of its pod`;
  const message = `${must}; it was OOMKilled: recreate the pod if it keeps crashing`;
  return { path: resourcePath(container, 'limits', 'memory'), message, advice: true };
}
