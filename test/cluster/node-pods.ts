// The pods of one kubelet's node: what the API server says of them beside what the kubelet has really allocated.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseQuantity } from '../../src/model/quantity.ts';
import type { ApiClient } from './api-client.ts';
import type { AllocatedResources, Kubelet, PodAllocation } from './kubelet.ts';

export interface RunningPod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation?: number;
    readonly resourceVersion?: string;
  };
  readonly spec: {
    readonly containers: readonly RunningContainer[];
    readonly initContainers?: readonly RunningContainer[];
    readonly resources?: AllocatedResources;
    readonly overhead?: Readonly<Record<string, string>>;
  };
  readonly status: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerState[];
    readonly initContainerStatuses?: readonly ContainerState[];
    readonly resources?: AllocatedResources;
    readonly allocatedResources?: Readonly<Record<string, string>>;
  };
}

export interface RunningContainer {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resources: AllocatedResources;
}

export interface Condition {
  readonly type: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

export interface ContainerState {
  readonly name: string;
  readonly state?: { readonly running?: object };
  readonly resources?: AllocatedResources;
  readonly allocatedResources?: Readonly<Record<string, string>>;
}

/** A pod, and what the kubelet has allocated to it. */
export interface NodePod {
  readonly pod: RunningPod;
  readonly allocation: PodAllocation | undefined;
  /** Whether the kubelet has heard of it as it is now: what it asks for, and its own status. */
  readonly isHeard: boolean;
}

const POLL_MS = 25;

export async function readPods(api: ApiClient, kubelet: Kubelet): Promise<readonly NodePod[]> {
  const { body } = await api.get(`/api/v1/pods?fieldSelector=spec.nodeName=${kubelet.node}`);
  const [allocations, heard] = [await kubelet.allocations(), await kubelet.heardOf()];
  const { items } = body as { readonly items: readonly RunningPod[] };
  return items.map((pod) => {
    const { uid } = pod.metadata;
    const known = heard.get(uid);
    const isHeard = known !== undefined && isSameSpec(pod, known) && isDeepStrictEqual(known.status, pod.status);
    return { pod, allocation: allocations.get(uid), isHeard };
  });
}

/** Polls until it is there. undefined when it does not come in time. */
export async function until<T>(look: () => Promise<T | undefined>, limitMs: number): Promise<T | undefined> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() > deadline) return found;
    await sleep(POLL_MS);
  }
}

export function containersOf({ spec }: RunningPod): readonly RunningContainer[] {
  return [...spec.containers, ...(spec.initContainers ?? [])];
}

/** In the order in which they start. */
export function statesOf({ status }: RunningPod): readonly ContainerState[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}

export function isFinished({ status }: RunningPod): boolean {
  return status.phase === 'Failed' || status.phase === 'Succeeded';
}

export function pendingOf({ status }: RunningPod): Condition | undefined {
  return status.conditions?.find(({ type }) => type === 'PodResizePending');
}

/** Whether a condition is about the pod as it is now; 1.33 does not say. */
export function isUpToDate({ observedGeneration }: Condition, { metadata }: RunningPod): boolean {
  return observedGeneration === undefined || observedGeneration === metadata.generation;
}

/** Whether the kubelet has allocated what the spec asks for. It keeps no record of containers that it cannot resize. */
export function isAllocated(pod: RunningPod, { ContainerResources, PodLevelResources }: PodAllocation): boolean {
  // Recorded from 1.36 on, which can resize them.
  const podLevel = !PodLevelResources || isSameResources(pod.spec.resources, PodLevelResources);
  return (
    podLevel &&
    containersOf(pod).every(({ name, resources }) => {
      const allocated = ContainerResources?.[name];
      return allocated === undefined || isSameResources(resources, allocated);
    })
  );
}

/** Whether a container holds something else than its pod tells: nothing is reported of one that has not started. */
export function isPartlyHidden(node: NodePod): boolean {
  return hiddenIn(node).length > 0;
}

/** The pod as its status would be if it told what the kubelet has allocated to containers that have not started. */
export function told(node: NodePod): NodePod {
  const { pod, allocation } = node;
  const hidden = new Map(hiddenIn(node).map((container) => [container.name, container]));
  const tell = (state: ContainerState): ContainerState => {
    const container = hidden.get(state.name);
    if (container === undefined) return state;
    // An empty map would be none: what is asked for and not allocated is zero.
    const zeros = Object.fromEntries(Object.keys(container.resources.requests ?? {}).map((name) => [name, '0']));
    const allocated = allocation?.ContainerResources?.[state.name]?.requests;
    return { ...state, allocatedResources: { ...zeros, ...allocated } };
  };
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status;
  const status = {
    ...pod.status,
    containerStatuses: containerStatuses.map(tell),
    initContainerStatuses: initContainerStatuses.map(tell),
  };
  return { ...node, pod: { ...pod, status } };
}

function hiddenIn({ pod, allocation }: NodePod): readonly RunningContainer[] {
  const states = statesOf(pod);
  return containersOf(pod).filter(({ name, resources }) => {
    const state = states.find((one) => one.name === name);
    const allocated = allocation?.ContainerResources?.[name];
    const isStarted = state?.state?.running !== undefined || state?.allocatedResources !== undefined;
    return !isStarted && allocated !== undefined && !isSame(resources.requests, allocated.requests);
  });
}

/** Whether they ask for the same. */
export function isSameSpec(a: RunningPod, b: RunningPod): boolean {
  const others = containersOf(b);
  return (
    isSameResources(a.spec.resources, b.spec.resources ?? {}) &&
    containersOf(a).every(({ resources }, index) => isSameResources(resources, others[index]?.resources ?? {}))
  );
}

function isSameResources(a: AllocatedResources = {}, b: AllocatedResources): boolean {
  return isSame(a.requests, b.requests) && isSame(a.limits, b.limits);
}

/** A value of zero that is new, or gone, is none that the kubelet looks at. */
export function isSame(a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean {
  return Object.keys({ ...a, ...b }).every((name) => nanos(a[name]) === nanos(b[name]));
}

export function nanos(text = '0'): bigint {
  return parseQuantity(text).nanos;
}
