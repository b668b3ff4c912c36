// A resize may change a request or a limit, but not take it away.
//
// Looks at: resources.requests and resources.limits of every container, spec.resources
// Allowed:  every name that is stored, with any value (0 too)
// Init containers before 1.36 are left to resize-init-container
import { canResizeInitContainers, type KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Pod } from '../model/pod.ts';
import { toText } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import { resourceField, resourcePath, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows validateContainerResize and, for pod-level resources, validatePodLevelResourcesResize. */
export const resizeKeepsResources = defineRule({
  id: 'resize-keeps-resources',
  summary: 'A resize must not remove a request or a limit.',
  scopes: ['resize'],
  perContainer: true,
  core: () => true,
  settings: noSettings,
  check({ pod, changes, version }) {
    if (!changes.some((change) => isRemoved(change, version))) return NO_FINDINGS;
    return changes.filter((change) => isRemoved(change, version)).map((change) => toFinding(pod, change));
  },
});

function isRemoved({ to, container }: Change, version: KubernetesVersion): boolean {
  return to === undefined && (container?.kind !== 'init' || canResizeInitContainers(version));
}

function toFinding(pod: Pod, { container, list, resource, from }: Change): Finding {
  const stored = from === undefined ? '' : toText(from);
  const kind = list === 'requests' ? 'request' : 'limit';
  return {
    path: resourcePath(container, list, resource),
    message: `${subjectOf(pod, container)} must keep a value in ${resourceField(list, resource)}; a resize cannot remove the ${kind} of ${stored}`,
    bound: stored,
  };
}
