// How a pod's sum comes about, term by term. Every sum is made by the functions that the verdict asks; the terms are what went in.
import { limitsOf, requestsOf, sumOfContainers } from './container-sum.ts';
import type { KubernetesVersion } from './kubernetes-version.ts';
import { countedPodLevel, desiredLimits, desiredRequests } from './pod-requests.ts';
import { isPodLevelResource } from './pod-level.ts';
import type { Container, Pod } from './pod.ts';
import type { Quantity } from './quantity.ts';
import type { Resources } from './resources.ts';

/** What one container has of the resource; undefined when it has none. */
export interface Term {
  readonly container: Container;
  readonly quantity: Quantity | undefined;
}

/** While one init container runs: it and the sidecars that started before it. */
export interface Start {
  readonly init: Term;
  readonly beside: readonly Term[];
  readonly sum: Quantity | undefined;
}

/** One resource of one list of a pod. undefined is a value that nothing sets. */
export interface SumTerms {
  readonly list: 'requests' | 'limits';
  readonly resource: string;
  /** Main containers, then sidecars: what runs in the end. */
  readonly running: readonly Term[];
  readonly runningSum: Quantity | undefined;
  readonly starts: readonly Start[];
  /** The larger of runningSum and every start. */
  readonly ofContainers: Quantity | undefined;
  /** The pod's own value, which stands in the place of ofContainers. */
  readonly podLevel: Quantity | undefined;
  /** undefined also where it does not count: beside no limit. */
  readonly overhead: Quantity | undefined;
  readonly total: Quantity | undefined;
}

/** The terms of `desiredRequests` or `desiredLimits` for one resource. */
export function sumTerms(pod: Pod, list: SumTerms['list'], resource: string, version: KubernetesVersion): SumTerms {
  const of = list === 'requests' ? requestsOf : limitsOf;
  const { containers, initContainers } = pod;
  const sumOf = (part: Pick<Pod, 'containers' | 'initContainers'>): Quantity | undefined =>
    sumOfContainers(part, of).get(resource);
  const toTerm = (container: Container): Term => ({ container, quantity: of(container).get(resource) });
  const sidecars = initContainers.filter(({ kind }) => kind === 'sidecar');
  const starts = initContainers.flatMap((init, index): readonly Start[] => {
    if (init.kind !== 'init') return [];
    const beside = initContainers.slice(0, index).filter(({ kind }) => kind === 'sidecar');
    const sum = sumOf({ containers: [], initContainers: [...beside, init] });
    return [{ init: toTerm(init), beside: beside.map(toTerm), sum }];
  });
  const total = (list === 'requests' ? desiredRequests(pod, version) : desiredLimits(pod, version)).get(resource);
  return {
    list,
    resource,
    running: [...containers, ...sidecars].map(toTerm),
    runningSum: sumOf({ containers, initContainers: sidecars }),
    starts,
    ofContainers: sumOf(pod),
    podLevel: podLevelOf(countedPodLevel(pod, version)?.[list], resource),
    overhead: countsOverhead(total, list) ? pod.overhead.get(resource) : undefined,
    total,
  };
}

function podLevelOf(resources: Resources | undefined, resource: string): Quantity | undefined {
  return isPodLevelResource(resource) ? resources?.get(resource) : undefined;
}

function countsOverhead(total: Quantity | undefined, list: SumTerms['list']): boolean {
  return list === 'requests' || (total !== undefined && total.nanos !== 0n);
}
