// A container's restartPolicy must be one that its Kubernetes knows, and what looks like a sidecar must be one.
//
// Looks at: restartPolicy of containers and init containers; probes, lifecycle and ports of init containers
// Allowed:  on an init container Always, which makes it a sidecar; from 1.35 OnFailure and Never, and all three on a container
// Before 1.35 other values are refused (1.33) or dropped without a word (1.34): both are found
import {
  dropsContainerRestartPolicies,
  hasContainerRestartPolicies,
  type KubernetesVersion,
  toVersionText,
} from '../model/kubernetes-version.ts';
import { type Container, containerPath, type Pod } from '../model/pod.ts';
import { bareWord, joinWords, subjectOf, word } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

const POLICIES: readonly string[] = ['Always', 'OnFailure', 'Never'];
const OR_NONE = 'to be a sidecar, or none to be a plain init container';

/** Follows validateInitContainers, validateInitContainerRestartPolicy and dropContainerRestartRules (KEP-753, KEP-5307). */
export const sidecarRestartPolicy = defineRule({
  id: 'sidecar-restart-policy',
  summary: 'An init container that is meant to keep running must set restartPolicy: Always, and nothing close to it.',
  scopes: ['create'],
  perContainer: true,
  core: () => true,
  settings: noSettings,
  check({ pod, version }) {
    let findings = NO_FINDINGS;
    for (const container of pod.containers) findings = append(findings, judgeMain(pod, container, version));
    for (const container of pod.initContainers) findings = append(findings, judgeInit(pod, container, version));
    return findings;
  },
});

function append(findings: readonly Finding[], finding: Finding | undefined): readonly Finding[] {
  return finding === undefined ? findings : [...findings, finding];
}

function judgeMain(pod: Pod, container: Container, version: KubernetesVersion): Finding | undefined {
  const { restartPolicy } = container;
  if (restartPolicy === undefined) return undefined;
  const isKnown = hasContainerRestartPolicies(version);
  if (isKnown && POLICIES.includes(restartPolicy)) return undefined;
  const must = isKnown
    ? `set restartPolicy to ${joinWords(POLICIES, 'or')}`
    : `leave restartPolicy out on Kubernetes ${toVersionText(version)}`;
  return findingAt(container, `${subjectOf(pod, container)} must ${must}; it sets ${word(restartPolicy)}`);
}

function judgeInit(pod: Pod, container: Container, version: KubernetesVersion): Finding | undefined {
  const { kind, hooks, ports, restartPolicy } = container;
  if (kind === 'sidecar') return undefined;
  if (hooks.length > 0) {
    const actual =
      restartPolicy === undefined ? 'it looks like a sidecar that lost it' : `it sets ${word(restartPolicy)}`;
    return mustBeSidecar(pod, container, `to be a sidecar, which alone may have ${joinWords(hooks)}; ${actual}`);
  }
  if (restartPolicy === undefined) return undefined;
  if (!POLICIES.includes(restartPolicy)) {
    return mustBeSidecar(pod, container, `${OR_NONE}; it sets ${word(restartPolicy)}`);
  }
  if (!hasContainerRestartPolicies(version)) {
    const effect = dropsContainerRestartPolicies(version) ? 'drops' : 'refuses';
    const actual = `it sets ${restartPolicy}, which Kubernetes ${toVersionText(version)} ${effect}`;
    return mustBeSidecar(pod, container, `${OR_NONE}; ${actual}`);
  }
  if (ports.length === 0) return undefined;
  const actual = `with ${restartPolicy} it must end before any container starts`;
  return { ...mustBeSidecar(pod, container, `to be a sidecar that serves its port; ${actual}`), ours: true };
}

function mustBeSidecar(pod: Pod, container: Container, rest: string): Finding {
  return findingAt(container, `${subjectOf(pod, container)} must set restartPolicy: Always ${rest}`);
}

function findingAt(container: Container, message: string): Finding {
  const path = `${containerPath(container)}.restartPolicy`;
  return container.restartPolicy === undefined
    ? { path, message }
    : { path, message, actual: bareWord(container.restartPolicy) };
}
