// The requests and limits that a tenant must set, on every container.
//
// Looks at: resources.requests and resources.limits of containers, sidecars and init containers; pod-level ones
// Allowed:  each resource of the settings, set by the container, for a request by its limit, or by the pod for all of them
import { z } from 'zod';
import { hasPodLevelResources } from '../model/kubernetes-version.ts';
import { allContainers, type Container, containerPath, type Pod } from '../model/pod.ts';
import { NO_RESOURCES } from '../model/resources.ts';
import { firstThatFits, joinWords, resourceField, resourcePath, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { BESIDE_OTHER_MISTAKES, resourcesSetting } from './settings.ts';

type List = 'requests' | 'limits';
const LISTS: readonly List[] = ['requests', 'limits'];
const NOTHING = 'must require a request or a limit';
const KINDS = ['main', 'sidecar', 'init'] as const;

const settings = z
  .strictObject({
    requests: resourcesSetting.default(['cpu', 'memory']).describe('The resources that must be requested.'),
    limits: resourcesSetting.default([]).describe('The resources that must be limited.'),
    kinds: z
      .array(z.enum(KINDS))
      .min(1, 'must name a kind of container; without one nothing is required')
      .max(KINDS.length)
      .default([...KINDS])
      .describe('The kinds of containers that must set them.'),
  })
  .refine(({ requests, limits }) => !isEmpty(requests) || !isEmpty(limits), {
    error: NOTHING,
    ...BESIDE_OTHER_MISTAKES,
  })
  .meta({
    'x-kubernetes-validations': [
      {
        rule: '!has(self.requests) || size(self.requests) > 0 || (has(self.limits) && size(self.limits) > 0)',
        message: NOTHING,
      },
    ],
  });
type Settings = z.output<typeof settings>;

// They may be anything else where they hold a mistake.
function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

export const resourcesRequired = defineRule<Settings>({
  id: 'resources-required',
  summary: 'A container must set the requests and limits that are required here.',
  scopes: ['create'],
  perContainer: true,
  settings,
  check({ pod, version }, required) {
    const ofPod = hasPodLevelResources(version) ? pod.podLevel : undefined;
    let findings = NO_FINDINGS;
    for (const container of allContainers(pod)) {
      if (!required.kinds.includes(container.kind)) continue;
      for (const list of LISTS) {
        const set = container[list];
        const shared = ofPod?.[list] ?? NO_RESOURCES;
        const missing = required[list].filter((resource) => !set.has(resource) && !shared.has(resource));
        if (missing.length > 0) findings = [...findings, explain(pod, container, list, missing)];
      }
    }
    return findings;
  },
});

function explain(pod: Pod, container: Container, list: List, missing: readonly string[]): Finding {
  const must = `${subjectOf(pod, container)} must set`;
  const [first = '', ...others] = missing.map((resource) => resourceField(list, resource));
  const none = others.length === 1 ? 'neither' : 'none of them';
  const message = firstThatFits(
    `${must} ${joinWords([first, ...others])}; it sets ${others.length === 0 ? 'none' : none}`,
    `${must} ${first} and ${others.length} more of its resources.${list}; it sets none of them`,
  );
  const [only = ''] = missing;
  const path =
    others.length === 0 ? resourcePath(container, list, only) : `${containerPath(container)}.resources.${list}`;
  return { path, message };
}
