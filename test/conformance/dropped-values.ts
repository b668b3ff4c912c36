// Values that Kubernetes must read although a resize drops them.
import { canResizePodLevel, type KubernetesVersion } from '../../src/model/kubernetes-version.ts';
import type { Pod } from '../../src/model/pod.ts';

/** Whether an unreadable value is in overhead, or in pod-level resources where no resize can change them. */
export function dropsUnreadable({ overhead, podLevel }: Pod, version: KubernetesVersion): boolean {
  const dropped = [overhead];
  if (podLevel !== undefined && !canResizePodLevel(version)) dropped.push(podLevel.requests, podLevel.limits);
  return dropped.some((resources) => [...resources.values()].some(({ problem }) => problem !== undefined));
}
