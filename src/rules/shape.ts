// How a fix brings requests and limits to other values: a patch of `resources` of containers, and never another QoS class.
import { type PatchOperation, toPointer } from '../model/json-patch.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import { allContainers, type Container, listOf, type Pod } from '../model/pod.ts';
import { computeQos, storedQos } from '../model/qos.ts';
import { compare, type Quantity, toCanonical } from '../model/quantity.ts';
import type { Resources } from '../model/resources.ts';
import type { Facts } from './facts.ts';

/** What autoscalers ask for, and a resize may change; nothing else is shaped. */
export const SHAPED = ['cpu', 'memory'] as const;

/** One value that a container is to have instead of what was asked for. */
export interface Shaped {
  readonly list: 'requests' | 'limits';
  readonly resource: string;
  readonly to: Quantity;
}

/** What is to change in a container, nothing when it is as it should be. */
export type Shaper = (container: Container) => readonly Shaped[];

const NO_OPERATIONS: readonly PatchOperation[] = [];

/** What a shaper gives for a container that is as it should be. */
export const UNSHAPED: readonly Shaped[] = [];

/**
 * The patch that a shaper gives. On a resize it is that of the first whose result has the QoS class of the stored pod, as a resize to
 * another class is refused; none when there is no such one, or when what is asked for has another class itself. On a create it is
 * that of the first.
 */
export function shape(facts: Facts, ...shapers: readonly Shaper[]): readonly PatchOperation[] {
  const { pod, before, version } = facts;
  for (const shaper of shapers) {
    const shapes = shapesOf(pod, shaper);
    if (shapes.size === 0) return NO_OPERATIONS;
    if (before !== undefined && !keepsQos(before, version, pod, shapedPod(pod, shapes))) continue;
    return [...shapes].flatMap(([container, shaped]) => toOperations(container, shaped));
  }
  return NO_OPERATIONS;
}

function keepsQos(before: Pod, version: KubernetesVersion, ...pods: readonly Pod[]): boolean {
  const stored = storedQos(before, version);
  return pods.every((pod) => computeQos(pod, version) === stored);
}

function shapesOf(pod: Pod, shaper: Shaper): ReadonlyMap<Container, readonly Shaped[]> {
  const shapes = new Map<Container, readonly Shaped[]>();
  for (const container of allContainers(pod)) {
    const shaped = shaper(container);
    if (shaped.length > 0) shapes.set(container, shaped);
  }
  return shapes;
}

function shapedPod(pod: Pod, shapes: ReadonlyMap<Container, readonly Shaped[]>): Pod {
  const replaced = (container: Container): Container => {
    const shaped = shapes.get(container);
    if (shaped === undefined) return container;
    return {
      ...container,
      requests: withShaped(container.requests, shaped, 'requests'),
      limits: withShaped(container.limits, shaped, 'limits'),
    };
  };
  return { ...pod, containers: pod.containers.map(replaced), initContainers: pod.initContainers.map(replaced) };
}

function withShaped(resources: Resources, shaped: readonly Shaped[], list: Shaped['list']): Resources {
  const changed = new Map(resources);
  for (const one of shaped) if (one.list === list) changed.set(one.resource, one.to);
  return changed;
}

function toOperations(container: Container, shaped: readonly Shaped[]): readonly PatchOperation[] {
  const place = ['spec', listOf(container), container.index, 'resources'] as const;
  const pointer = (...rest: readonly string[]): string => toPointer(...place, ...rest);
  const limits = shaped.filter((one) => one.list === 'limits');
  const requests = [...shaped.filter((one) => one.list === 'requests'), ...unsaidRequests(container, shaped)];
  return [
    ...toRequests(container, requests, limits, pointer),
    ...limits.map(
      ({ resource, to }): PatchOperation => ({
        op: 'replace',
        path: pointer('limits', resource),
        value: textOf(to),
      }),
    ),
  ];
}

// A request that nobody wrote would follow its limit: it is written down as it is. The same object may also be a request that is
// written as its limit is, and writing that again changes nothing.
function unsaidRequests({ requests, limits }: Container, shaped: readonly Shaped[]): readonly Shaped[] {
  return shaped.flatMap(({ list, resource }) => {
    const request = requests.get(resource);
    if (list === 'requests' || request === undefined || request !== limits.get(resource)) return [];
    const isShaped = shaped.some((one) => one.list === 'requests' && one.resource === resource);
    return isShaped ? [] : { list: 'requests', resource, to: request };
  });
}

// A request may be there only because its limit is, so it is added: that replaces one that is written.
function toRequests(
  container: Container,
  requests: readonly Shaped[],
  limits: readonly Shaped[],
  pointer: (...rest: readonly string[]) => string,
): readonly PatchOperation[] {
  const isWritten = container.requests !== container.limits;
  if (isWritten)
    return requests.map(({ resource, to }) => ({
      op: 'add',
      path: pointer('requests', resource),
      value: textOf(to),
    }));
  // Nobody wrote requests: there is no map to add to, and what is equal to its limit need not be said.
  const own = requests.filter(
    (one) => !limits.some(({ resource, to }) => resource === one.resource && compare(to, one.to) === 0),
  );
  if (own.length === 0) return NO_OPERATIONS;
  const value = Object.fromEntries(own.map(({ resource, to }) => [resource, textOf(to)]));
  return [{ op: 'add', path: pointer('requests'), value }];
}

/** A bound, or what is stored, as it was written. */
function textOf(quantity: Quantity): string {
  return quantity.written ?? toCanonical(quantity);
}
