// What a resize asks for and silently does not get: the API server takes only resources from it, and answers 200.
import { canResizePodLevel, type KubernetesVersion } from './kubernetes-version.ts';
import { CONTAINER_HOOKS, type Container, containerPath, type Owner, type Pod } from './pod.ts';
import { hasSameResources } from './same-resources.ts';

const NO_EDITS: readonly string[] = [];

/**
 * The paths of the edits that podResizeStrategy drops, as far as a Pod holds them. With `version` also `spec.resources`, where
 * that cannot be resized yet. Status is left out: clients send it along as they read it. Containers are compared in place; one
 * that was added, removed, renamed or moved is no dropped edit, since then the whole resize is refused.
 */
export function ignoredEdits(before: Pod, requested: Pod, version?: KubernetesVersion): readonly string[] {
  const paths: string[] = [];
  addMetadataEdits(paths, before, requested);
  addContainerEdits(paths, before.containers, requested.containers);
  addContainerEdits(paths, before.initContainers, requested.initContainers);
  addSpecEdits(paths, before, requested);
  if (version !== undefined && !canResizePodLevel(version) && !hasSamePodLevel(before, requested))
    paths.push('spec.resources');
  return paths.length === 0 ? NO_EDITS : paths;
}

function addMetadataEdits(paths: string[], before: Pod, requested: Pod): void {
  if (!hasSameTexts(before.labels, requested.labels)) paths.push('metadata.labels');
  if (!hasSameTexts(before.annotations, requested.annotations)) paths.push('metadata.annotations');
  if (!isSameOwner(before.owner, requested.owner)) paths.push('metadata.ownerReferences');
}

function addSpecEdits(paths: string[], before: Pod, requested: Pod): void {
  if (before.nodeName !== requested.nodeName) paths.push('spec.nodeName');
  if (before.os !== requested.os) paths.push('spec.os');
  if (before.restartPolicy !== requested.restartPolicy) paths.push('spec.restartPolicy');
  if (!hasSameResources(before.overhead, requested.overhead)) paths.push('spec.overhead');
}

function addContainerEdits(paths: string[], before: readonly Container[], requested: readonly Container[]): void {
  for (const [index, container] of before.entries()) {
    const other = requested[index];
    if (other?.name === container.name) addEditsOf(paths, container, other);
  }
}

function addEditsOf(paths: string[], container: Container, requested: Container): void {
  if (container.image !== requested.image) paths.push(`${containerPath(container)}.image`);
  if (container.restartPolicy !== requested.restartPolicy) paths.push(`${containerPath(container)}.restartPolicy`);
  if (!hasSamePorts(container, requested)) paths.push(`${containerPath(container)}.ports`);
  for (const hook of CONTAINER_HOOKS) {
    if (container.hooks.includes(hook) !== requested.hooks.includes(hook))
      paths.push(`${containerPath(container)}.${hook}`);
  }
}

function hasSamePorts({ ports: before }: Container, { ports: requested }: Container): boolean {
  if (before.length !== requested.length) return false;
  return before.every(({ containerPort, hostPort, protocol }, index) => {
    const other = requested[index];
    return other?.containerPort === containerPort && other.hostPort === hostPort && other.protocol === protocol;
  });
}

function hasSameTexts(before: Readonly<Record<string, string>>, requested: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(before);
  if (keys.length !== Object.keys(requested).length) return false;
  return keys.every((key) => Object.hasOwn(requested, key) && before[key] === requested[key]);
}

function isSameOwner(before: Owner | undefined, requested: Owner | undefined): boolean {
  return (
    before?.apiVersion === requested?.apiVersion && before?.kind === requested?.kind && before?.name === requested?.name
  );
}

function hasSamePodLevel({ podLevel: before }: Pod, { podLevel: requested }: Pod): boolean {
  if (before === undefined || requested === undefined) return before === requested;
  return hasSameResources(before.requests, requested.requests) && hasSameResources(before.limits, requested.limits);
}
