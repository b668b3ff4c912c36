// Pods of a kubelet's node that have come to rest: only then can anybody tell what the kubelet sees when it judges the next resize.
import type { PodAllocation } from './kubelet.ts';
import {
  type ContainerState,
  isAllocated,
  isFinished,
  isSame,
  isUpToDate,
  nanos,
  type NodePod,
  pendingOf,
  type RunningPod,
  statesOf,
} from './node-pods.ts';

/** Whether nothing is about to happen to any of them, and all that the kubelet reports is as it is. */
export function areSettled(pods: readonly NodePod[]): boolean {
  return pods.every(
    ({ pod, allocation, isHeard }) =>
      isFinished(pod) || (isHeard && allocation !== undefined && isSettled(pod, allocation)),
  );
}

function isSettled(pod: RunningPod, allocation: PodAllocation): boolean {
  const pending = pendingOf(pod);
  if (isAllocated(pod, allocation)) {
    if (pending !== undefined) return false;
  } else if (pending === undefined || !isUpToDate(pending, pod)) return false;
  const states = statesOf(pod);
  const [first] = states;
  return (
    first?.state?.running !== undefined &&
    states.every((state) => isReported(state, allocation)) &&
    isPodLevelReported(pod, allocation)
  );
}

function isReported(
  { name, state, resources, allocatedResources }: ContainerState,
  allocation: PodAllocation,
): boolean {
  if (state?.running === undefined) return true;
  const allocated = allocation.ContainerResources?.[name];
  if (allocated === undefined) return true;
  return resources !== undefined && isSame(allocatedResources, allocated.requests);
}

/** The pod's own: with its overhead. */
function isPodLevelReported({ spec, status }: RunningPod, { PodLevelResources }: PodAllocation): boolean {
  return Object.entries(PodLevelResources?.requests ?? {}).every(
    ([name, own]) => nanos(status.allocatedResources?.[name]) === nanos(own) + nanos(spec.overhead?.[name]),
  );
}
