// A resizePolicy must be one that Kubernetes accepts: an unreadable entry costs the whole pod.
//
// Looks at: resizePolicy of every container and init container, the pod's restartPolicy
// Allowed:  cpu and memory once each, NotRequired or RestartContainer; only NotRequired in a pod with restartPolicy: Never
//           and, from 1.36, in an init container that is no sidecar
import { refusesRestartOnInitContainers } from '../model/kubernetes-version.ts';
import { allContainers, type Container, containerPath, type ResizePolicyEntry } from '../model/pod.ts';
import type { Facts } from './facts.ts';
import { bareWord, quote, subjectOf, word } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows validateResizePolicy and, from 1.36, validateInitContainers (kubernetes/kubernetes#137458). */
export const resizePolicyValid = defineRule({
  id: 'resize-policy-valid',
  summary: 'A resizePolicy must name cpu and memory at most once each, with a policy that its pod allows.',
  scopes: ['create'],
  perContainer: true,
  core: () => true,
  settings: noSettings,
  check(facts) {
    let findings = NO_FINDINGS;
    for (const container of allContainers(facts.pod)) {
      const entries = container.resizePolicy;
      if (entries === undefined || entries.every((entry, index) => isValid(facts, container, entry, index))) continue;
      findings = [...findings, ...entries.flatMap((entry, index) => explain(facts, container, entry, index))];
    }
    return findings;
  },
});

function isValid(facts: Facts, container: Container, entry: ResizePolicyEntry, index: number): boolean {
  const { resourceName, restartPolicy } = entry;
  if (resourceName !== 'cpu' && resourceName !== 'memory') return false;
  return !isRepeated(container, resourceName, index) && otherPolicies(facts, container, restartPolicy) === undefined;
}

function isRepeated({ resizePolicy = [] }: Container, resource: string, index: number): boolean {
  for (let before = 0; before < index; before += 1) if (resizePolicy[before]?.resourceName === resource) return true;
  return false;
}

/** What would be allowed, in words; undefined when `policy` is. */
function otherPolicies({ pod, version }: Facts, container: Container, policy: string): string | undefined {
  if (policy === 'NotRequired') return undefined;
  if (pod.restartPolicy === 'Never') return 'NotRequired in a pod with restartPolicy: Never';
  if (container.kind === 'init' && refusesRestartOnInitContainers(version)) {
    return 'NotRequired, since it is no sidecar';
  }
  return policy === 'RestartContainer' ? undefined : 'NotRequired or RestartContainer';
}

/** What is wrong with its resource, and what is wrong with its policy. */
function explain(facts: Facts, container: Container, entry: ResizePolicyEntry, index: number): readonly Finding[] {
  const { resourceName, restartPolicy } = entry;
  const must = `${subjectOf(facts.pod, container)} must set`;
  const path = `${containerPath(container)}.resizePolicy[${index}]`;
  const wrong = explainResource(container, entry, index, must, path);
  const findings = wrong === undefined ? NO_FINDINGS : [wrong];
  const allowed = otherPolicies(facts, container, restartPolicy);
  if (allowed === undefined) return findings;
  const which = resourceName === '' ? `entry ${index + 1}` : word(resourceName);
  const message = `${must} the resizePolicy of ${which} to ${allowed}; it ${says(restartPolicy)}`;
  return [...findings, { path: `${path}.restartPolicy`, message, actual: bareWord(restartPolicy) }];
}

function explainResource(
  container: Container,
  { resourceName }: ResizePolicyEntry,
  index: number,
  must: string,
  path: string,
): Finding | undefined {
  if (resourceName !== 'cpu' && resourceName !== 'memory') {
    const message = `${must} resizePolicy for cpu or memory; entry ${index + 1} ${names(resourceName)}`;
    return { path: `${path}.resourceName`, message, actual: bareWord(resourceName) };
  }
  if (!isRepeated(container, resourceName, index)) return undefined;
  const message = `${must} the resizePolicy of ${resourceName} once; entry ${index + 1} repeats it`;
  return { path, message, actual: resourceName };
}

function names(resource: string): string {
  return resource === '' ? 'names none' : `names ${quote(resource)}`;
}

function says(policy: string): string {
  return policy === '' ? 'sets none' : `sets ${word(policy)}`;
}
