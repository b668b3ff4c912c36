// What the API server makes of a new pod before it is validated.
import { completesStoredPodLevel, type KubernetesVersion } from './kubernetes-version.ts';
import type { Pod } from './pod.ts';
import { withStoredPodLevelDefaults } from './pod-level.ts';

/**
 * The pod as it would be stored (podStrategy.PrepareForCreate): 1.37 completes pod-level resources. What earlier minors drop
 * is left for rules to find: pod-level resources on 1.33, which count nowhere, and restart policies of containers on 1.34.
 */
export function asCreated(pod: Pod, version: KubernetesVersion): Pod {
  if (pod.podLevel === undefined || !completesStoredPodLevel(version)) return pod;
  return { ...pod, podLevel: withStoredPodLevelDefaults(pod.podLevel, pod) };
}
