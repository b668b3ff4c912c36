// The quantities that a request is judged by: on a create every one of the pod, on a resize those that it sets to something else.
import { hasPodLevelResources, type KubernetesVersion } from '../model/kubernetes-version.ts';
import { allContainers, type Container, type Pod, type PodLevelResources } from '../model/pod.ts';
import type { Quantity } from '../model/quantity.ts';
import { compareNames, type Resources } from '../model/resources.ts';
import type { Facts } from './facts.ts';
import { resourceField, resourcePath, subjectOf, word } from './message.ts';
import { type Finding, NO_FINDINGS } from './rule.ts';

/** One quantity and where it stands. */
export interface JudgedValue {
  /** `container "app"`; `pod "web"` for pod-level resources and overhead. */
  readonly subject: string;
  /** From the top: `spec.containers[0].resources.limits[memory]`. */
  readonly path: string;
  /** Within its container, or within the pod's spec: `resources.limits.memory`. */
  readonly field: string;
  /** Overhead is a request: the pod's own, beside those of its containers. */
  readonly list: 'requests' | 'limits';
  readonly resource: string;
  readonly quantity: Quantity;
}

/** How a quantity is judged: what is wrong with it, and how that is said. */
export interface Judgement<Verdict> {
  /** undefined when nothing is wrong. Asked about every value of every pod. */
  readonly judge: (resource: string, quantity: Quantity) => Verdict | undefined;
  readonly explain: (value: JudgedValue, verdict: Verdict) => Finding;
}

/**
 * What is wrong with the values that count, in order: containers, then the pod itself; requests, then limits; cpu, memory, then
 * by name.
 */
export function findInValues<Verdict>(facts: Facts, judgement: Judgement<Verdict>): readonly Finding[] {
  return facts.scope === 'create' ? findInPod(facts, judgement) : findInChanges(facts, judgement);
}

function findInChanges<V>({ pod, changes }: Facts, { judge, explain }: Judgement<V>): readonly Finding[] {
  let findings = NO_FINDINGS;
  for (const { container, list, resource, to } of changes) {
    const verdict = to?.written === undefined ? undefined : judge(resource, to);
    if (to === undefined || verdict === undefined) continue;
    findings = [...findings, explain(valueAt(pod, container, list, resource, to), verdict)];
  }
  return findings;
}

function findInPod<V>({ pod, version }: Facts, { judge, explain }: Judgement<V>): readonly Finding[] {
  let findings = NO_FINDINGS;
  const look = (container: Container | undefined, list: List, resources: Resources) => {
    const wrong = wrongIn(resources, judge);
    if (wrong === undefined) return;
    const explained = wrong.map(({ resource, quantity, verdict }) =>
      explain(valueAt(pod, container, list, resource, quantity), verdict),
    );
    findings = [...findings, ...explained];
  };
  for (const container of allContainers(pod)) {
    // Requests that nobody wrote are the limits themselves: once is enough.
    if (container.requests !== container.limits) look(container, 'requests', container.requests);
    look(container, 'limits', container.limits);
  }
  const podLevel = judgedPodLevel(pod, version);
  if (podLevel !== undefined) {
    look(undefined, 'requests', podLevel.requests);
    look(undefined, 'limits', podLevel.limits);
  }
  if (pod.overhead.size > 0) look(undefined, 'overhead', pod.overhead);
  return findings;
}

// What 1.33 drops must still be read.
function judgedPodLevel({ podLevel }: Pod, version: KubernetesVersion): PodLevelResources | undefined {
  if (podLevel === undefined || hasPodLevelResources(version)) return podLevel;
  return { requests: unreadable(podLevel.requests), limits: unreadable(podLevel.limits) };
}

function unreadable(resources: Resources): Resources {
  return new Map([...resources].filter(([, { problem }]) => problem !== undefined));
}

interface Wrong<Verdict> {
  readonly resource: string;
  readonly quantity: Quantity;
  readonly verdict: Verdict;
}

/** Sorted; undefined when nothing is wrong. */
function wrongIn<V>(resources: Resources, judge: Judgement<V>['judge']): readonly Wrong<V>[] | undefined {
  let wrong: Wrong<V>[] | undefined;
  for (const [resource, quantity] of resources) {
    // What was completed from other values is as wrong as they are, and nobody wrote it.
    const verdict = quantity.written === undefined ? undefined : judge(resource, quantity);
    if (verdict === undefined) continue;
    wrong ??= [];
    wrong.push({ resource, quantity, verdict });
  }
  return wrong?.sort((a, b) => compareNames(a.resource, b.resource));
}

type List = JudgedValue['list'] | 'overhead';

function valueAt(
  pod: Pod,
  container: Container | undefined,
  list: List,
  resource: string,
  quantity: Quantity,
): JudgedValue {
  const isOverhead = list === 'overhead';
  const field = isOverhead ? `overhead.${word(resource)}` : resourceField(list, resource);
  const path = isOverhead ? `spec.overhead[${word(resource)}]` : resourcePath(container, list, resource);
  return { subject: subjectOf(pod, container), path, field, list: isOverhead ? 'requests' : list, resource, quantity };
}
