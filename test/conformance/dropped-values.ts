// Values that Kubernetes must read although a resize drops them.
import { canResizePodLevel, type KubernetesVersion } from '../../src/model/kubernetes-version.ts';
import type { Pod } from '../../src/model/pod.ts';
import type { Resources } from '../../src/model/resources.ts';

/** The paths of unreadable values in overhead, and in pod-level resources where no resize can change them. */
export function droppedUnreadable({ overhead, podLevel }: Pod, version: KubernetesVersion): readonly string[] {
  const dropped: (readonly [path: string, resources: Resources])[] = [['spec.overhead', overhead]];
  if (podLevel !== undefined && !canResizePodLevel(version)) {
    dropped.push(['spec.resources.requests', podLevel.requests], ['spec.resources.limits', podLevel.limits]);
  }
  return dropped.flatMap(([path, resources]) =>
    [...resources].flatMap(([name, { problem }]) => (problem === undefined ? [] : [`${path}[${name}]`])),
  );
}
