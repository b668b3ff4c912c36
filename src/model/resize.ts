// What a resize changes.
import type { Container, Pod, PodLevelResources, ResizePolicyEntry } from './pod.ts';
import type { Quantity } from './quantity.ts';
import { compareNames, NO_RESOURCES, type Resources } from './resources.ts';
import { isSameQuantity } from './same-resources.ts';

/** One request or limit that differs by value between the stored and the resized pod. */
export interface Change {
  /** The container as resized; undefined when the change is in the pod-level `spec.resources`. */
  readonly container: Container | undefined;
  readonly list: 'requests' | 'limits';
  readonly resource: string;
  /** undefined when it was not set. */
  readonly from: Quantity | undefined;
  /** undefined when it is removed. */
  readonly to: Quantity | undefined;
}

/** What changesOf gives when nothing changes: one shared list. */
export const NO_CHANGES: readonly Change[] = [];

/** Whether both pods have the same containers and init containers: same names, same order. */
export function hasSameContainers(before: Pod, after: Pod): boolean {
  return hasSameNames(before.containers, after.containers) && hasSameNames(before.initContainers, after.initContainers);
}

/**
 * What differs by value, container by container in the order of `after`, then pod level; within one: requests before limits, cpu,
 * memory, then by name. Containers are matched by name within their list; all that a new one has is a change, and one that
 * was removed has none: hasSameContainers tells of both.
 */
export function changesOf(before: Pod, after: Pod): readonly Change[] {
  if (before === after) return NO_CHANGES;
  const changes: Change[] = [];
  addContainerChanges(changes, before.containers, after.containers);
  addContainerChanges(changes, before.initContainers, after.initContainers);
  if (before.podLevel !== after.podLevel) addChanges(changes, undefined, before.podLevel, after.podLevel);
  return changes.length === 0 ? NO_CHANGES : changes;
}

/** Whether an edit of `resizePolicy` is in it. An absent list and an empty one are the same. */
export function changesResizePolicy(before: Pod, after: Pod): boolean {
  return (
    hasOtherPolicies(before.containers, after.containers) ||
    hasOtherPolicies(before.initContainers, after.initContainers)
  );
}

/** Whether it asks for nothing at all: no value, no container, no resizePolicy and no claim differs. */
export function changesNothing(before: Pod, after: Pod): boolean {
  if (!hasSameContainers(before, after) || changesOf(before, after).length > 0) return false;
  // Kubernetes refuses to add an empty block.
  if (before.podLevel === undefined && after.podLevel !== undefined) return false;
  return (
    !changesResizePolicy(before, after) &&
    !changesClaims(before.containers, after.containers) &&
    !changesClaims(before.initContainers, after.initContainers)
  );
}

function changesClaims(before: readonly Container[], after: readonly Container[]): boolean {
  return before.some(({ hasClaims }, index) => hasClaims !== after[index]?.hasClaims);
}

function hasSameNames(before: readonly Container[], after: readonly Container[]): boolean {
  return before.length === after.length && before.every(({ name }, index) => after[index]?.name === name);
}

function addContainerChanges(changes: Change[], before: readonly Container[], after: readonly Container[]): void {
  for (const [index, container] of after.entries()) {
    addChanges(changes, container, counterpart(before, container.name, index), container);
  }
}

/** The container of that name, which is nearly always in the same place. */
function counterpart(containers: readonly Container[], name: string, index: number): Container | undefined {
  const inPlace = containers[index];
  return inPlace?.name === name ? inPlace : containers.find((container) => container.name === name);
}

function addChanges(
  changes: Change[],
  container: Container | undefined,
  before: PodLevelResources | undefined,
  after: PodLevelResources | undefined,
): void {
  addListChanges(changes, container, 'requests', before?.requests ?? NO_RESOURCES, after?.requests ?? NO_RESOURCES);
  addListChanges(changes, container, 'limits', before?.limits ?? NO_RESOURCES, after?.limits ?? NO_RESOURCES);
}

function addListChanges(
  changes: Change[],
  container: Container | undefined,
  list: Change['list'],
  before: Resources,
  after: Resources,
): void {
  if (before === after) return;
  const first = changes.length;
  for (const [resource, to] of after) {
    const from = before.get(resource);
    if (from === undefined || !isSameQuantity(from, to)) changes.push({ container, list, resource, from, to });
  }
  for (const [resource, from] of before) {
    if (!after.has(resource)) changes.push({ container, list, resource, from, to: undefined });
  }
  if (changes.length - first > 1) {
    const sorted = changes.splice(first).sort((a, b) => compareNames(a.resource, b.resource));
    for (const change of sorted) changes.push(change);
  }
}

function hasOtherPolicies(before: readonly Container[], after: readonly Container[]): boolean {
  for (const [index, container] of after.entries()) {
    const stored = counterpart(before, container.name, index);
    if (stored !== undefined && !isSamePolicy(stored.resizePolicy, container.resizePolicy)) return true;
  }
  return false;
}

/** Absent and empty are the same, the order counts: apimachinery's semantic equality. */
export function isSamePolicy(
  before: readonly ResizePolicyEntry[] = [],
  after: readonly ResizePolicyEntry[] = [],
): boolean {
  if (before.length !== after.length) return false;
  return before.every(({ resourceName, restartPolicy }, index) => {
    const other = after[index];
    return other?.resourceName === resourceName && other.restartPolicy === restartPolicy;
  });
}
