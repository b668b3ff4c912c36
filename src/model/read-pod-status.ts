// Pod status JSON → PodStatus: what the kubelet says it has set aside, applied, and left pending.
import {
  NO_FIELDS,
  readList,
  readObject,
  readRequiredObject,
  readTextOrAbsent,
  readTextOrEmpty,
  readTime,
  under,
} from './json-fields.ts';
import type { ContainerStatus, PodCondition, PodLevelResources, PodStatus } from './pod.ts';
import { type Resources, readResources } from './resources.ts';

const NO_CONDITIONS: readonly PodCondition[] = [];
const NO_STATUSES: ReadonlyMap<string, ContainerStatus> = new Map();

/** Reads `status`; a pod without one has an empty one. Throws InvalidObject for a wrong type. */
export function readPodStatus(json: unknown): PodStatus {
  const status = readObject(json, 'status') ?? NO_FIELDS;
  return {
    phase: readTextOrAbsent(status.phase, 'status.phase'),
    qosClass: readTextOrAbsent(status.qosClass, 'status.qosClass'),
    conditions: readConditions(status.conditions),
    containers: readContainerStatuses(status.containerStatuses, status.initContainerStatuses),
    resources: readActual(status.resources, 'status.resources'),
    allocated: readAllocated(status.allocatedResources, 'status.allocatedResources'),
    hasNodeAllocatableClaims:
      readList(status.nodeAllocatableResourceClaimStatuses, 'status.nodeAllocatableResourceClaimStatuses').length > 0,
  };
}

function readConditions(json: unknown): readonly PodCondition[] {
  const items = readList(json, 'status.conditions');
  if (items.length === 0) return NO_CONDITIONS;
  const conditions: PodCondition[] = [];
  for (const [index, item] of items.entries()) {
    try {
      const condition = readRequiredObject(item, '');
      conditions.push({
        type: readTextOrEmpty(condition.type, 'type'),
        status: readTextOrEmpty(condition.status, 'status'),
        reason: readTextOrAbsent(condition.reason, 'reason'),
      });
    } catch (error) {
      throw under(`status.conditions[${index}]`, error);
    }
  }
  return conditions;
}

function readContainerStatuses(main: unknown, init: unknown): ReadonlyMap<string, ContainerStatus> {
  const mainItems = readList(main, 'status.containerStatuses');
  const initItems = readList(init, 'status.initContainerStatuses');
  if (mainItems.length === 0 && initItems.length === 0) return NO_STATUSES;
  const statuses = new Map<string, ContainerStatus>();
  collectStatuses(mainItems, 'status.containerStatuses', statuses);
  collectStatuses(initItems, 'status.initContainerStatuses', statuses);
  return statuses;
}

function collectStatuses(items: readonly unknown[], path: string, statuses: Map<string, ContainerStatus>): void {
  for (const [index, item] of items.entries()) {
    try {
      const status = readContainerStatus(item);
      statuses.set(status.name, status);
    } catch (error) {
      throw under(`${path}[${index}]`, error);
    }
  }
}

function readContainerStatus(json: unknown): ContainerStatus {
  const status = readRequiredObject(json, '');
  const state = readObject(status.state, 'state') ?? NO_FIELDS;
  const lastState = readObject(status.lastState, 'lastState') ?? NO_FIELDS;
  const terminated = readObject(lastState.terminated, 'lastState.terminated') ?? NO_FIELDS;
  return {
    name: readTextOrEmpty(status.name, 'name'),
    running: readObject(state.running, 'state.running') !== undefined,
    resources: readActual(status.resources, 'resources'),
    allocated: readAllocated(status.allocatedResources, 'allocatedResources'),
    lastTerminationReason: readTextOrAbsent(terminated.reason, 'lastState.terminated.reason'),
    lastTerminatedAt: readTime(terminated.finishedAt, 'lastState.terminated.finishedAt'),
  };
}

function readActual(json: unknown, path: 'resources' | 'status.resources'): PodLevelResources | undefined {
  const resources = readObject(json, path);
  if (resources === undefined) return undefined;
  return {
    requests: readResources(resources.requests, `${path}.requests`),
    limits: readResources(resources.limits, `${path}.limits`),
  };
}

/** An empty map is one that the API does not write. */
function readAllocated(json: unknown, path: string): Resources | undefined {
  const allocated = readResources(json, path);
  return allocated.size === 0 ? undefined : allocated;
}
