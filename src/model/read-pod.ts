// Pod JSON → Pod, once per request: types are checked, and what the API server would default is defaulted, so that a
// manifest and the stored pod are judged alike. Fields that podrail does not judge are never looked at.
import { InvalidObject } from './invalid-object.ts';
import {
  type JsonObject,
  NO_FIELDS,
  readFlag,
  readList,
  readObject,
  readRequiredObject,
  readText,
  readTextOrAbsent,
  readTextOrEmpty,
  readTexts,
  readTime,
  under,
} from './json-fields.ts';
import type { Container, Owner, Pod, PodLevelResources } from './pod.ts';
import { readContainers } from './read-container.ts';
import { readPodStatus } from './read-pod-status.ts';
import { readResources } from './resources.ts';

/**
 * Reads a pod from plain values (parsed JSON or YAML), with the API server's defaults: requests from limits, pod-level
 * requests, quantities in whole milli-units (SetDefaults_Pod, SetDefaults_ResourceList), `restartPolicy`, `protocol`, and
 * host ports on the host's network. Null is absent, unknown fields are ignored. Throws InvalidObject for a wrong type,
 * and when `spec` or `spec.containers` is absent.
 */
export function readPod(json: unknown): Pod {
  const pod = readRequiredObject(json, '');
  const metadata = readObject(pod.metadata, 'metadata') ?? NO_FIELDS;
  const spec = readRequiredObject(pod.spec, 'spec');
  if (spec.containers === undefined || spec.containers === null)
    throw new InvalidObject('spec.containers', 'must be set');
  const hostNetwork = readFlag(spec.hostNetwork, 'spec.hostNetwork');
  const containers = readContainers(spec.containers, 'containers', hostNetwork);
  const initContainers = readContainers(spec.initContainers, 'initContainers', hostNetwork);
  boundResources(containers, initContainers);
  return {
    name: readTextOrEmpty(metadata.name, 'metadata.name'),
    generateName: readTextOrEmpty(metadata.generateName, 'metadata.generateName'),
    namespace: readTextOrEmpty(metadata.namespace, 'metadata.namespace'),
    uid: readTextOrEmpty(metadata.uid, 'metadata.uid'),
    labels: readTexts(metadata.labels, 'metadata.labels'),
    annotations: readTexts(metadata.annotations, 'metadata.annotations'),
    owner: readOwner(metadata.ownerReferences),
    lastResizedAt: readLastResize(metadata.managedFields),
    nodeName: readTextOrAbsent(spec.nodeName, 'spec.nodeName'),
    os: readTextOrAbsent((readObject(spec.os, 'spec.os') ?? NO_FIELDS).name, 'spec.os.name'),
    restartPolicy: readTextOrAbsent(spec.restartPolicy, 'spec.restartPolicy') ?? 'Always',
    containers,
    initContainers,
    podLevel: readPodLevel(spec.resources),
    overhead: readResources(spec.overhead, 'spec.overhead'),
    status: readPodStatus(pod.status),
  };
}

// Rules compare requests and limits with one another; no real pod has more of them.
const MOST_RESOURCES = 2_000;

function boundResources(...lists: readonly (readonly Container[])[]): void {
  let total = 0;
  for (const containers of lists) {
    for (const { requests, limits } of containers) total += requests.size + limits.size;
  }
  if (total <= MOST_RESOURCES) return;
  throw new InvalidObject('spec', `must have at most ${MOST_RESOURCES} requests and limits in all; it has ${total}`);
}

function readPodLevel(json: unknown): PodLevelResources | undefined {
  const resources = readObject(json, 'spec.resources');
  if (resources === undefined) return undefined;
  return {
    requests: readResources(resources.requests, 'spec.resources.requests'),
    limits: readResources(resources.limits, 'spec.resources.limits'),
  };
}

/** The reference with `controller: true`, else the first. */
function readOwner(json: unknown): Owner | undefined {
  const references = readList(json, 'metadata.ownerReferences');
  let owner: Owner | undefined;
  for (const [index, item] of references.entries()) {
    try {
      const reference = readRequiredObject(item, '');
      if (readFlag(reference.controller, 'controller') || owner === undefined) owner = readReference(reference);
    } catch (error) {
      throw under(`metadata.ownerReferences[${index}]`, error);
    }
  }
  return owner;
}

function readReference(reference: JsonObject): Owner {
  return {
    apiVersion: readTextOrEmpty(reference.apiVersion, 'apiVersion'),
    kind: readTextOrEmpty(reference.kind, 'kind'),
    name: readTextOrEmpty(reference.name, 'name'),
  };
}

// A manager has one entry for each subresource it writes through, with the time of its last write.
function readLastResize(json: unknown): Date | undefined {
  let latest: Date | undefined;
  for (const [index, item] of readList(json, 'metadata.managedFields').entries()) {
    try {
      const entry = readRequiredObject(item, '');
      if (readText(entry.subresource, 'subresource') !== 'resize') continue;
      const time = readTime(entry.time, 'time');
      if (time !== undefined && (latest === undefined || time > latest)) latest = time;
    } catch (error) {
      throw under(`metadata.managedFields[${index}]`, error);
    }
  }
  return latest;
}
