// An init container that runs to its end cannot be resized before 1.36, and from 1.36 not with RestartContainer.
//
// Looks at: resources and resizePolicy of init containers; sidecars are none
// Allowed:  init containers as stored; from 1.36 any change of cpu and memory where no resizePolicy entry is RestartContainer
import { canResizeInitContainers, type KubernetesVersion, toVersionText } from '../model/kubernetes-version.ts';
import { type Container, containerPath, type Pod } from '../model/pod.ts';
import type { Change } from '../model/resize.ts';
import { subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows ValidatePodResize with InPlacePodVerticalScalingInitContainers at its default: off before 1.36, on since. */
export const resizeInitContainer = defineRule({
  id: 'resize-init-container',
  summary:
    'A resize must leave init containers alone before Kubernetes 1.36, and later those that RestartContainer would restart.',
  scopes: ['resize'],
  perContainer: true,
  core: () => true,
  settings: noSettings,
  check({ pod, changes, version }) {
    const changed = changedInitContainers(changes);
    return changed.length === 0 ? NO_FINDINGS : changed.flatMap((container) => judge(pod, container, version));
  },
});

function changedInitContainers(changes: readonly Change[]): readonly Container[] {
  const changed: Container[] = [];
  for (const { container } of changes) {
    // Changes come container by container, so the same one can only be the last.
    if (container?.kind === 'init' && changed.at(-1)?.name !== container.name) changed.push(container);
  }
  return changed;
}

function judge(pod: Pod, container: Container, version: KubernetesVersion): readonly Finding[] {
  const who = subjectOf(pod, container);
  if (!canResizeInitContainers(version)) {
    const message = `${who} must keep its resources on Kubernetes ${toVersionText(version)}; only 1.36 and later resize init containers`;
    return [{ path: `${containerPath(container)}.resources`, message }];
  }
  const restarting = container.resizePolicy?.find(({ restartPolicy }) => restartPolicy === 'RestartContainer');
  if (restarting === undefined) return NO_FINDINGS;
  const path = `${containerPath(container)}.resizePolicy`;
  return [
    {
      path,
      message: `${who} must not set RestartContainer in resizePolicy to be resized; recreate the pod without it`,
    },
  ];
}
