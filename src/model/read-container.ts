// Container JSON → Container, for both lists of a pod's spec.
import {
  type JsonObject,
  NO_FIELDS,
  readList,
  readNumber,
  readObject,
  readRequiredObject,
  readText,
  readTextOrAbsent,
  readTextOrEmpty,
  under,
} from './json-fields.ts';
import {
  CONTAINER_HOOKS,
  type Container,
  type ContainerHook,
  type ContainerKind,
  type ContainerPort,
  type ResizePolicyEntry,
} from './pod.ts';
import type { Quantity } from './quantity.ts';
import { type Resources, readResources } from './resources.ts';

const NO_HOOKS: readonly ContainerHook[] = [];
const NO_PORTS: readonly ContainerPort[] = [];
const NO_CONTAINERS: readonly Container[] = [];

/** Reads `spec.containers` or `spec.initContainers`; empty when the list is absent. Throws InvalidObject. */
export function readContainers(
  json: unknown,
  list: 'containers' | 'initContainers',
  hostNetwork: boolean,
): readonly Container[] {
  const items = readList(json, `spec.${list}`);
  if (items.length === 0) return NO_CONTAINERS;
  const containers: Container[] = [];
  for (let index = 0; index < items.length; index += 1) {
    try {
      containers.push(readContainer(items[index], index, list === 'initContainers', hostNetwork));
    } catch (error) {
      throw under(`spec.${list}[${index}]`, error);
    }
  }
  return containers;
}

function readContainer(json: unknown, index: number, isInit: boolean, hostNetwork: boolean): Container {
  const container = readRequiredObject(json, '');
  const restartPolicy = readText(container.restartPolicy, 'restartPolicy');
  const resources = readObject(container.resources, 'resources') ?? NO_FIELDS;
  const limits = readResources(resources.limits, 'resources.limits');
  const lifecycle = readObject(container.lifecycle, 'lifecycle') ?? NO_FIELDS;
  return {
    kind: kindOf(isInit, restartPolicy),
    index,
    name: readTextOrEmpty(container.name, 'name'),
    image: readTextOrEmpty(container.image, 'image'),
    requests: withLimits(readResources(resources.requests, 'resources.requests'), limits),
    limits,
    hasClaims: readList(resources.claims, 'resources.claims').length > 0,
    resizePolicy: readResizePolicy(container.resizePolicy),
    restartPolicy,
    ports: readPorts(container.ports, hostNetwork),
    hooks: readHooks(container),
    hasPostStart: readObject(lifecycle.postStart, 'lifecycle.postStart') !== undefined,
  };
}

function kindOf(isInit: boolean, restartPolicy: string | undefined): ContainerKind {
  if (!isInit) return 'main';
  return restartPolicy === 'Always' ? 'sidecar' : 'init';
}

/** A limit without a request is the request too (SetDefaults_Pod). */
function withLimits(requests: Resources, limits: Resources): Resources {
  if (requests.size === 0) return limits;
  let completed: Map<string, Quantity> | undefined;
  for (const [name, limit] of limits) {
    if (requests.has(name)) continue;
    completed ??= new Map(requests);
    completed.set(name, limit);
  }
  return completed ?? requests;
}

function readResizePolicy(json: unknown): readonly ResizePolicyEntry[] | undefined {
  if (json === undefined || json === null) return undefined;
  const entries: ResizePolicyEntry[] = [];
  for (const [index, item] of readList(json, 'resizePolicy').entries()) {
    try {
      const entry = readRequiredObject(item, '');
      entries.push({
        resourceName: readTextOrEmpty(entry.resourceName, 'resourceName'),
        restartPolicy: readTextOrEmpty(entry.restartPolicy, 'restartPolicy'),
      });
    } catch (error) {
      throw under(`resizePolicy[${index}]`, error);
    }
  }
  return entries;
}

function readPorts(json: unknown, hostNetwork: boolean): readonly ContainerPort[] {
  const items = readList(json, 'ports');
  if (items.length === 0) return NO_PORTS;
  const ports: ContainerPort[] = [];
  for (const [index, item] of items.entries()) {
    try {
      ports.push(readPort(item, hostNetwork));
    } catch (error) {
      throw under(`ports[${index}]`, error);
    }
  }
  return ports;
}

function readPort(json: unknown, hostNetwork: boolean): ContainerPort {
  const port = readRequiredObject(json, '');
  const containerPort = readNumber(port.containerPort, 'containerPort') ?? 0;
  // Zero is Go's "not set"; on the host's network every container port is a host port (defaultHostNetworkPorts).
  const hostPort = readNumber(port.hostPort, 'hostPort') || (hostNetwork ? containerPort : 0);
  return {
    containerPort,
    hostPort: hostPort === 0 ? undefined : hostPort,
    protocol: readTextOrAbsent(port.protocol, 'protocol') ?? 'TCP',
  };
}

function readHooks(container: JsonObject): readonly ContainerHook[] {
  let hooks: ContainerHook[] | undefined;
  for (const hook of CONTAINER_HOOKS) {
    if (readObject(container[hook], hook) === undefined) continue;
    hooks ??= [];
    hooks.push(hook);
  }
  return hooks ?? NO_HOOKS;
}
