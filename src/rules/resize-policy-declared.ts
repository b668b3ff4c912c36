// A container should say what a resize does to it, for cpu and for memory; the fix says what is true already.
//
// Looks at: resizePolicy of main containers and sidecars
// Allowed:  an entry for cpu and one for memory, whatever they say
// Left alone: init containers (and ephemeral ones), Windows pods, mirror pods
import { z } from 'zod';
import { addToList, type PatchOperation } from '../model/json-patch.ts';
import {
  allContainers,
  type Container,
  containerPath,
  isMirrorPod,
  type Pod,
  type ResizePolicyEntry,
} from '../model/pod.ts';
import { joinWords, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';

const policy = z.enum(['NotRequired', 'RestartContainer']);
const settings = z.strictObject({
  cpu: policy.default('NotRequired').describe('What is declared for cpu where nothing is'),
  memory: policy.default('NotRequired').describe('What is declared for memory where nothing is'),
});
type Settings = z.output<typeof settings>;

const RESOURCES = ['cpu', 'memory'] as const;
const NO_OPERATIONS: readonly PatchOperation[] = [];

/** The API server defaults no entry (from 1.33), and the kubelet treats an absent one as NotRequired. */
export const resizePolicyDeclared = defineRule<Settings>({
  id: 'resize-policy-declared',
  summary: 'A container must declare a resizePolicy for cpu and for memory.',
  scopes: ['create'],
  perContainer: true,
  settings,
  quietFix: true,
  check({ pod }) {
    if (!isResizable(pod)) return NO_FINDINGS;
    let findings = NO_FINDINGS;
    for (const container of allContainers(pod)) {
      if (isComplete(container)) continue;
      findings = [...findings, explain(pod, container)];
    }
    return findings;
  },
  fix({ pod }, defaults) {
    if (!isResizable(pod)) return NO_OPERATIONS;
    let operations = NO_OPERATIONS;
    for (const container of allContainers(pod)) {
      if (isComplete(container)) continue;
      operations = [
        ...operations,
        ...complete(
          container,
          missing(container).map((resource) => entryFor(pod, resource, defaults)),
        ),
      ];
    }
    return operations;
  },
});

type ResizableResource = (typeof RESOURCES)[number];

// Windows pods cannot be resized, and a mirror pod only shows what its node runs.
function isResizable(pod: Pod): boolean {
  return pod.os !== 'windows' && !isMirrorPod(pod);
}

function isComplete(container: Container): boolean {
  return container.kind === 'init' || RESOURCES.every((resource) => declares(container, resource));
}

function declares({ resizePolicy }: Container, resource: ResizableResource): boolean {
  return resizePolicy?.some((entry) => entry.resourceName === resource) ?? false;
}

function missing(container: Container): readonly ResizableResource[] {
  return RESOURCES.filter((resource) => !declares(container, resource));
}

function explain(pod: Pod, container: Container): Finding {
  const message = `${subjectOf(pod, container)} must declare resizePolicy for ${joinWords(missing(container))}`;
  return { path: `${containerPath(container)}.resizePolicy`, message };
}

// In a pod that never restarts, RestartContainer would be refused.
function entryFor(pod: Pod, resource: ResizableResource, defaults: Settings): ResizePolicyEntry {
  const restartPolicy = pod.restartPolicy === 'Never' ? 'NotRequired' : defaults[resource];
  return { resourceName: resource, restartPolicy };
}

/** Written entries and their order stay: the new ones are appended. */
function complete(container: Container, entries: readonly ResizePolicyEntry[]): readonly PatchOperation[] {
  const list = container.kind === 'main' ? 'containers' : 'initContainers';
  return addToList(`/spec/${list}/${container.index}/resizePolicy`, container.resizePolicy, entries);
}
