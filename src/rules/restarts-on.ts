// Whether a container's resizePolicy restarts it when a resource changes: the default is NotRequired.
import type { Container } from '../model/pod.ts';

/** The first entry for the resource counts, as in the kubelet. */
export function restartsOn({ resizePolicy }: Container, resource: string): boolean {
  return resizePolicy?.find(({ resourceName }) => resourceName === resource)?.restartPolicy === 'RestartContainer';
}
