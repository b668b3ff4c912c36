// A sidecar should request cpu and memory: without requests it is counted as nothing on its node, and starved or killed first.
//
// Looks at: resources.requests of every sidecar, pod-level requests
// Allowed:  a request of cpu and one of memory, set, from a limit, or by the pod for all its containers
import { hasPodLevelResources } from '../model/kubernetes-version.ts';
import { containerPath } from '../model/pod.ts';
import { NO_RESOURCES } from '../model/resources.ts';
import { joinWords, resourceField, resourcePath, subjectOf } from './message.ts';
import { defineRule, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

const RESOURCES = ['cpu', 'memory'] as const;

export const sidecarHasRequests = defineRule({
  id: 'sidecar-has-requests',
  summary: 'A sidecar must request cpu and memory.',
  scopes: ['create'],
  perContainer: true,
  settings: noSettings,
  check({ pod, version }) {
    const ofPod = (hasPodLevelResources(version) ? pod.podLevel?.requests : undefined) ?? NO_RESOURCES;
    let findings = NO_FINDINGS;
    for (const container of pod.initContainers) {
      if (container.kind !== 'sidecar') continue;
      const missing = RESOURCES.filter((resource) => !container.requests.has(resource) && !ofPod.has(resource));
      const [first, second] = missing;
      if (first === undefined) continue;
      const fields = joinWords(missing.map((resource) => resourceField('requests', resource)));
      const actual = second === undefined ? 'it requests none' : 'it requests neither';
      const message = `${subjectOf(pod, container)} must set ${fields}; ${actual}, so its node keeps nothing for it`;
      const path =
        second === undefined
          ? resourcePath(container, 'requests', first)
          : `${containerPath(container)}.resources.requests`;
      findings = [...findings, { path, message }];
    }
    return findings;
  },
});
