// Some pods cannot be resized at all: whatever the patch says, the API server or the kubelet refuses it.
//
// Looks at: the mirror annotation, spec.os.name, status.phase, spec.resources, resources.claims, status.containerStatuses
// Allowed:  a Linux pod that has not finished, without what its Kubernetes version cannot resize, on a node that reports resources
// Nothing running: passes; the API server, too, then assumes that the node supports resize
import {
  canResizeInitContainers,
  canResizePodLevel,
  canResizeWithClaims,
  type KubernetesVersion,
  refusesNodeAllocatableClaims,
  toVersionText,
} from '../model/kubernetes-version.ts';
import {
  allContainers,
  type Container,
  containerPath,
  type ContainerStatus,
  isMirrorPod,
  type Pod,
} from '../model/pod.ts';
import { quote, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows ValidatePodResize; that a pod has finished is podrail's own reason, since Kubernetes accepts such a resize. */
export const resizeSupportedPod = defineRule({
  id: 'resize-supported-pod',
  summary:
    'A resize needs a pod that can be resized: not static, not Windows, not finished, with nothing its version cannot resize.',
  scopes: ['resize'],
  core: () => true,
  settings: noSettings,
  check({ before, version }) {
    if (before === undefined) return NO_FINDINGS;
    const alone = ofPod(before);
    const podLevel = ofPodLevel(before, version);
    // Of such a pod Kubernetes says nothing else: of both, 1.34 says the second, and 1.35 the first.
    if (alone !== undefined) return podLevel === undefined ? [alone] : [alone, podLevel];
    const reasons = [podLevel, ...ofClaims(before, version), ofNodeClaims(before, version), ofNode(before)].filter(
      (reason) => reason !== undefined,
    );
    if (reasons.length > 0) return reasons;
    const own = ofPhase(before);
    return own === undefined ? NO_FINDINGS : [own];
  },
});

function ofPod(pod: Pod): Finding | undefined {
  if (isMirrorPod(pod)) {
    const path = 'metadata.annotations[kubernetes.io/config.mirror]';
    return refusal(
      path,
      `${subjectOf(pod, undefined)} must be changed in its manifest on the node; it is a static pod, which cannot be resized`,
    );
  }
  if (pod.os === 'windows') {
    return refusal(
      'spec.os.name',
      `${subjectOf(pod, undefined)} must be recreated to change its size; it is a Windows pod, which cannot be resized`,
    );
  }
  return undefined;
}

function ofPodLevel(pod: Pod, version: KubernetesVersion): Finding | undefined {
  if (canResizePodLevel(version) || !usesPodLevelResources(pod)) return undefined;
  const instead = 'recreate it with resources in its containers';
  return refusal(
    'spec.resources',
    `${subjectOf(pod, undefined)} must not set pod-level resources to be resized on ${kubernetes(version)}; ${instead}`,
  );
}

function ofClaims(pod: Pod, version: KubernetesVersion): readonly Finding[] {
  return claimHolders(pod, version).map((holder) =>
    refusal(
      `${containerPath(holder)}.resources.claims`,
      `${subjectOf(pod, holder)} must not use resources.claims for its pod to be resized on ${kubernetes(version)}; 1.37 allows it`,
    ),
  );
}

function ofNodeClaims(pod: Pod, version: KubernetesVersion): Finding | undefined {
  if (!refusesNodeAllocatableClaims(version) || !pod.status.hasNodeAllocatableClaims) return undefined;
  return refusal(
    'status.nodeAllocatableResourceClaimStatuses',
    `${subjectOf(pod, undefined)} must not hold node allocatable resource claims to be resized on ${kubernetes(version)}; 1.37 allows it`,
  );
}

function kubernetes(version: KubernetesVersion): string {
  return `Kubernetes ${toVersionText(version)}`;
}

function usesPodLevelResources({ podLevel }: Pod): boolean {
  return podLevel !== undefined && podLevel.requests.size + podLevel.limits.size > 0;
}

// The API server compares containers with their claims left out on one side. Before 1.36 it compares init containers whole.
function claimHolders(pod: Pod, version: KubernetesVersion): readonly Container[] {
  if (canResizeWithClaims(version)) return [];
  return allContainers(pod).filter(
    ({ hasClaims, kind }) => hasClaims && (kind !== 'init' || canResizeInitContainers(version)),
  );
}

function ofNode(pod: Pod): Finding | undefined {
  const running = firstRunning(pod);
  if (running === undefined || running.resources !== undefined) return undefined;
  const node = pod.nodeName === undefined ? 'its node' : `node ${quote(pod.nodeName)}`;
  const message = `${subjectOf(pod, undefined)} must run on a node that supports resize; ${node} reports no resources of its containers`;
  return refusal('status.containerStatuses', message);
}

// The first that runs speaks for the node, as in isPodResizeRequestSupported; sidecars and init containers are not asked.
function firstRunning(pod: Pod): ContainerStatus | undefined {
  for (const status of pod.status.containers.values()) {
    if (status.running && pod.containers.some(({ name }) => name === status.name)) return status;
  }
  return undefined;
}

function refusal(path: string, message: string): Finding {
  return { path, message, conclusive: true };
}

function ofPhase(pod: Pod): Finding | undefined {
  const { phase } = pod.status;
  if (phase !== 'Succeeded' && phase !== 'Failed') return undefined;
  const message = `${subjectOf(pod, undefined)} must not have finished to be resized; its phase is ${phase}`;
  return { ...refusal('status.phase', message), ours: true };
}
