// A resize may change cpu and memory, and nothing else of a container.
//
// Looks at: resources.requests, resources.limits, resources.claims and resizePolicy of every container, spec.resources
// Allowed:  other resources, claims and every resizePolicy as they are stored
// Removed resources are left to resize-keeps-resources, init containers before 1.36 to resize-init-container
import {
  acceptsOtherResourcesInNewLists,
  canResizeInitContainers,
  canResizeWithClaims,
  type KubernetesVersion,
} from '../model/kubernetes-version.ts';
import { type Container, containerPath, type Pod } from '../model/pod.ts';
import { compare, toText } from '../model/quantity.ts';
import { type Change, isSamePolicy } from '../model/resize.ts';
import { inOrder } from './finding-order.ts';
import { resourceField, resourcePath, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/**
 * Follows ValidatePodResize, and finds what it misses: on 1.33 and 1.34 any resource that is added to a container without
 * requests (or limits) so far, and through 1.36 claims that are added.
 */
export const resizeOnlyCpuMemory = defineRule({
  id: 'resize-only-cpu-memory',
  summary: 'A resize must change nothing but cpu and memory.',
  scopes: ['resize'],
  perContainer: true,
  core: () => true,
  settings: noSettings,
  check({ before, pod, changes, version }) {
    if (before === undefined) return NO_FINDINGS;
    const others = changes.filter((change) => isOther(change, version));
    const findings = others
      .filter((change) => !isEcho(change, others))
      .map((change) => ({
        ...toFinding(pod, change),
        ...(isAccepted(before, change, others, version) ? { ours: true as const } : {}),
      }));
    const fixed = fixedFieldFindings(before, pod, version);
    return findings.length + fixed.length === 0 ? NO_FINDINGS : inOrder([...findings, ...fixed]);
  },
});

function isOther({ resource, to, container }: Change, version: KubernetesVersion): boolean {
  if (resource === 'cpu' || resource === 'memory' || to === undefined) return false;
  return container?.kind !== 'init' || canResizeInitContainers(version);
}

// The hole that 1.35 closed: a container without any requests, or without any limits, may gain what it likes in them.
function isAccepted(
  before: Pod,
  { container }: Change,
  others: readonly Change[],
  version: KubernetesVersion,
): boolean {
  if (container === undefined || !acceptsOtherResourcesInNewLists(version)) return false;
  const stored = (container.kind === 'main' ? before.containers : before.initContainers)[container.index];
  return others.every((other) => other.container !== container || stored?.[other.list].size === 0);
}

// A request that only follows its limit, as the API server sets one that is left out, is not said twice.
function isEcho({ container, list, resource, to }: Change, others: readonly Change[]): boolean {
  if (list === 'limits' || to === undefined) return false;
  return others.some(
    (other) =>
      other.list === 'limits' &&
      other.container === container &&
      other.resource === resource &&
      other.to !== undefined &&
      compare(other.to, to) === 0,
  );
}

function toFinding(pod: Pod, { container, list, resource, from, to }: Change): Finding {
  const who = subjectOf(pod, container);
  const field = resourceField(list, resource);
  const path = resourcePath(container, list, resource);
  const actual = to === undefined ? '' : toText(to);
  const reason = 'a resize may change only cpu and memory';
  if (from === undefined) return { path, message: `${who} must not gain ${field}, here ${actual}; ${reason}`, actual };
  const bound = toText(from);
  return { path, message: `${who} must keep ${field} at ${bound}, not ${actual}; ${reason}`, actual, bound };
}

// What no resize can change at all, container by container; those that moved are resize-keeps-containers' to say.
function fixedFieldFindings(before: Pod, pod: Pod, version: KubernetesVersion): readonly Finding[] {
  let findings = gainsEmptyPodLevel(before, pod) ? [toEmptyFinding(pod)] : NO_FINDINGS;
  const compareWith = (stored: readonly Container[], container: Container) => {
    const old = stored[container.index];
    if (old?.name !== container.name) return;
    for (const field of changedFields(old, container)) {
      const finding = toFixedFinding(pod, container, field);
      const isMissed = field === 'resources.claims' && missesNewClaims(old, version);
      findings = [...findings, isMissed ? { ...finding, ours: true } : finding];
    }
  };
  for (const container of pod.containers) compareWith(before.containers, container);
  for (const container of pod.initContainers) compareWith(before.initContainers, container);
  return findings;
}

// Through 1.36 claims are left out of the new container when it is compared, save of one that may not change at all.
function missesNewClaims({ hasClaims, kind }: Container, version: KubernetesVersion): boolean {
  if (hasClaims || canResizeWithClaims(version)) return false;
  return kind !== 'init' || canResizeInitContainers(version);
}

// To Kubernetes a block with nothing in it is not none.
function gainsEmptyPodLevel(before: Pod, { podLevel }: Pod): boolean {
  return before.podLevel === undefined && podLevel !== undefined && podLevel.requests.size + podLevel.limits.size === 0;
}

function toEmptyFinding(pod: Pod): Finding {
  const message = `${subjectOf(pod, undefined)} must not gain pod-level resources with nothing in them; leave spec.resources out`;
  return { path: 'spec.resources', message };
}

const NO_FIELDS: readonly string[] = [];

function changedFields(before: Container, after: Container): readonly string[] {
  const hasOtherPolicy = !isSamePolicy(before.resizePolicy, after.resizePolicy);
  if (before.hasClaims === after.hasClaims && !hasOtherPolicy) return NO_FIELDS;
  return [
    ...(before.hasClaims === after.hasClaims ? [] : ['resources.claims']),
    ...(hasOtherPolicy ? ['resizePolicy'] : []),
  ];
}

function toFixedFinding(pod: Pod, container: Container, field: string): Finding {
  const message = `${subjectOf(pod, container)} must keep its ${field} as stored; to change it, recreate the pod`;
  return { path: `${containerPath(container)}.${field}`, message };
}
