// A container should say what a resize does to it, for cpu and for memory; the fix says what is true already.
//
// Looks at: resizePolicy of main containers and sidecars
// Allowed:  an entry for cpu and one for memory, whatever they say
// Left alone: init containers (and ephemeral ones), Windows pods, mirror pods
import { z } from 'zod';
import { matchesLabels } from '../model/label-selector.ts';
import { addToList, type PatchOperation } from '../model/json-patch.ts';
import {
  allContainers,
  type Container,
  containerPath,
  isMirrorPod,
  type Pod,
  type ResizePolicyEntry,
  listOf,
} from '../model/pod.ts';
import { labelSelectorSetting } from './label-selector-setting.ts';
import { joinWords, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { BESIDE_OTHER_MISTAKES, globsSetting } from './settings.ts';

const MOST_PROFILES = 64;

const policy = z.enum(['NotRequired', 'RestartContainer']);

const profile = z
  .strictObject({
    images: globsSetting
      .refine(({ globs }) => globs.length > 0, { error: 'must name an image' })
      .meta({ minItems: 1 })
      .optional()
      .describe('Images, whole, by name or glob; absent means every image.'),
    podSelector: labelSelectorSetting.optional().describe('Pods, by label; absent means every pod.'),
    cpu: policy.optional().describe('What is declared for cpu there; absent leaves it to the profiles after this one.'),
    memory: policy.optional().describe('The same for memory.'),
  })
  .refine(({ images, podSelector }) => images !== undefined || podSelector !== undefined, {
    error: 'must say for which images or for which pods it is',
    ...BESIDE_OTHER_MISTAKES,
  })
  .refine(({ cpu, memory }) => cpu !== undefined || memory !== undefined, {
    error: 'must say what is declared for cpu or for memory',
    ...BESIDE_OTHER_MISTAKES,
  })
  .meta({
    'x-kubernetes-validations': [
      {
        rule: 'has(self.images) || has(self.podSelector)',
        message: 'must say for which images or for which pods it is',
      },
      { rule: 'has(self.cpu) || has(self.memory)', message: 'must say what is declared for cpu or for memory' },
    ],
  });

const settings = z.strictObject({
  cpu: policy.default('NotRequired').describe('What is declared for cpu where nothing is.'),
  memory: policy.default('NotRequired').describe('What is declared for memory where nothing is.'),
  profiles: z
    .array(profile)
    .max(MOST_PROFILES)
    .default([])
    .describe(
      'What is declared for some containers instead. For each resource the first profile that fits and names it counts.',
    ),
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
          missing(container).map((resource) => entryFor(pod, container, resource, defaults)),
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
function entryFor(pod: Pod, container: Container, resource: ResizableResource, defaults: Settings): ResizePolicyEntry {
  if (pod.restartPolicy === 'Never') return { resourceName: resource, restartPolicy: 'NotRequired' };
  const own = defaults.profiles.find((one) => one[resource] !== undefined && isFor(one, pod, container));
  return { resourceName: resource, restartPolicy: own?.[resource] ?? defaults[resource] };
}

function isFor({ images, podSelector }: Settings['profiles'][number], { labels }: Pod, { image }: Container): boolean {
  if (images !== undefined && !images.matches(image)) return false;
  return podSelector === undefined || matchesLabels(podSelector, labels);
}

/** Written entries and their order stay: the new ones are appended. */
function complete(container: Container, entries: readonly ResizePolicyEntry[]): readonly PatchOperation[] {
  return addToList(`/spec/${listOf(container)}/${container.index}/resizePolicy`, container.resizePolicy, entries);
}
