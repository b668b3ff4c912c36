// The pods of a review as the API server writes them: quantities in canonical form, with the defaults of decoding, and what it would
// store of a resize.
import { isMap, type JsonObject, NO_FIELDS } from '../model/json-fields.ts';
import { canResizePodLevel, completesStoredPodLevel, type KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Container, Pod, PodLevelResources } from '../model/pod.ts';
import { toCanonical } from '../model/quantity.ts';
import { readPod } from '../model/read-pod.ts';
import { changesNothing, hasSameContainers } from '../model/resize.ts';
import { asComplete, asStored } from '../model/stored.ts';
import { readResources, type Resources } from '../model/resources.ts';

/** The pod as the API server would send it to a webhook. Throws InvalidObject where it could not decode it. */
export function asSent(json: unknown, version: KubernetesVersion): JsonObject {
  const pod = readPod(json);
  // Until 1.36 pod-level resources are completed when a pod is decoded, from 1.37 on when it is stored.
  return toJson(json as JsonObject, completesStoredPodLevel(version) ? pod : asComplete(pod, version));
}

/** A pod as it is stored: as sent, with what Kubernetes completes when it stores one. Throws InvalidObject. */
export function asKept(json: unknown, version: KubernetesVersion): JsonObject {
  return toJson(json as JsonObject, asComplete(readPod(json), version));
}

function toJson(json: JsonObject, pod: Pod): JsonObject {
  const { metadata, spec, status } = json;
  const given = isMap(metadata) ? metadata : NO_FIELDS;
  return {
    ...json,
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...given, namespace: pod.namespace === '' ? 'default' : pod.namespace },
    spec: sentSpec(spec as JsonObject, pod),
    ...(isMap(status) ? { status: sentStatus(status) } : {}),
  };
}

/**
 * What is stored of a resize, and shown to the validating webhooks: the stored pod with the resources and resizePolicy that are
 * requested (podResizeStrategy), and the next generation where that changes the spec. Both must be as sent.
 */
export function resized(stored: JsonObject, requested: JsonObject, version: KubernetesVersion): JsonObject {
  const before = readPod(stored);
  const wanted = readPod(requested);
  if (!hasSameContainers(before, wanted)) return requested;
  const spec = stored['spec'] as JsonObject;
  const asked = requested['spec'] as JsonObject;
  const after = asStored(before, wanted, version);
  const kept: JsonObject = withoutUndefined({
    ...spec,
    ...withList(spec, asked, 'containers'),
    ...withList(spec, asked, 'initContainers'),
    ...(canResizePodLevel(version) ? { resources: toBlock(asked, after.podLevel) } : {}),
  });
  if (changesNothing(before, after)) return { ...stored, spec: kept };
  const metadata = stored['metadata'] as JsonObject;
  const generation = Number(metadata['generation'] ?? 0) + 1;
  return { ...stored, metadata: { ...metadata, generation }, spec: kept };
}

function withList(stored: JsonObject, asked: JsonObject, list: 'containers' | 'initContainers'): JsonObject {
  const before = stored[list];
  const after = asked[list];
  if (!Array.isArray(before) || !Array.isArray(after)) return NO_FIELDS;
  return {
    [list]: before.map((container: JsonObject, index) => {
      const { resources, resizePolicy } = (after as readonly JsonObject[])[index] ?? NO_FIELDS;
      return withoutUndefined({ ...container, resources, resizePolicy });
    }),
  };
}

function sentSpec(spec: JsonObject, pod: Pod): JsonObject {
  return withoutUndefined({
    ...spec,
    containers: sentContainers(spec['containers'], pod.containers),
    initContainers: isList(spec['initContainers'])
      ? sentContainers(spec['initContainers'], pod.initContainers)
      : undefined,
    resources: toBlock(spec, pod.podLevel),
    overhead: pod.overhead.size === 0 ? undefined : toQuantities(pod.overhead),
  });
}

function sentContainers(list: unknown, containers: readonly Container[]): readonly JsonObject[] {
  return (list as readonly JsonObject[]).map((json, index) => {
    const container = containers[index];
    if (container === undefined) return json;
    return withoutUndefined({ ...json, resources: toBlock(json, container) ?? {} });
  });
}

/** The `resources` of a container or of the spec: canonical, with its claims. */
function toBlock(holder: unknown, values: PodLevelResources | undefined): JsonObject | undefined {
  if (values === undefined) return undefined;
  const written = isMap(holder) && isMap(holder['resources']) ? holder['resources'] : NO_FIELDS;
  const { requests, limits } = values;
  return withoutUndefined({
    ...written,
    requests: requests.size === 0 ? undefined : toQuantities(requests),
    limits: limits.size === 0 ? undefined : toQuantities(limits),
  });
}

function sentStatus(status: JsonObject): JsonObject {
  const sent: Record<string, unknown> = { ...sentAmounts(status) };
  for (const list of ['containerStatuses', 'initContainerStatuses']) {
    const statuses = status[list];
    if (isList(statuses)) sent[list] = statuses.map((one) => (isMap(one) ? sentAmounts(one) : one));
  }
  return sent;
}

/** `resources` and `allocatedResources` of a status. */
function sentAmounts(status: JsonObject): JsonObject {
  const { resources, allocatedResources } = status;
  const sent: Record<string, unknown> = { ...status };
  if (isMap(allocatedResources)) sent['allocatedResources'] = canonical(allocatedResources);
  if (isMap(resources)) {
    const lists = Object.entries(resources).map(([key, value]) => [
      key,
      key === 'requests' || key === 'limits' ? canonical(value) : value,
    ]);
    sent['resources'] = Object.fromEntries(lists) as unknown;
  }
  return sent;
}

function canonical(json: unknown): JsonObject {
  return toQuantities(readResources(json, ''));
}

function toQuantities(resources: Resources): JsonObject {
  return Object.fromEntries([...resources].map(([name, quantity]) => [name, toCanonical(quantity)]));
}

function isList(json: unknown): json is readonly unknown[] {
  return Array.isArray(json);
}

function withoutUndefined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
