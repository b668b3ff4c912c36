// What pod-level resources (KEP-2837) and containers must leave each other: the pod requests at least what its containers
// request together, of huge pages it is also limited to at least what they are, and a main container is limited to at most what
// its pod is. Follows validatePodResourceConsistency.
import { limitsOf, requestsOf, sumOfContainers } from '../model/container-sum.ts';
import type { Container, PodLevelResources } from '../model/pod.ts';
import { isHugePages } from '../model/pod-level.ts';
import { type Excess, excess } from '../model/resources.ts';
import type { Facts } from './facts.ts';
import { actualText, boundText, quantityText, resourcePath, subjectOf } from './message.ts';
import { type Finding, NO_FINDINGS } from './rule.ts';

/** Limits of a main container above those of its pod. On a resize only where one of the two is changed. */
export function aboveLimitOfPod(facts: Facts, container: Container, podLevel: PodLevelResources): readonly Finding[] {
  if (container.kind !== 'main') return NO_FINDINGS;
  const above = excess(container.limits, podLevel.limits).filter(({ resource }) =>
    isJudged(facts, container, resource),
  );
  if (above.length === 0) return NO_FINDINGS;
  return above.map(({ resource, wanted, available }) => {
    const actual = quantityText(wanted);
    const bound = quantityText(available);
    const must = boundText('limits', `at most ${bound}`, resource);
    const message = `${subjectOf(facts.pod, container)} must ${must}, the limit of its pod; ${actualText('limits', actual)}`;
    return { path: resourcePath(container, 'limits', resource), message, actual, bound };
  });
}

/**
 * Pod-level requests, and limits of huge pages, below those of the containers together. On a resize only of a resource that is
 * changed somewhere.
 */
export function belowContainers(facts: Facts, podLevel: PodLevelResources): readonly Finding[] {
  const requested = excess(sumOfContainers(facts.pod, requestsOf), podLevel.requests);
  const limited = excess(sumOfContainers(facts.pod, limitsOf), podLevel.limits).filter(({ resource }) =>
    isHugePages(resource),
  );
  if (requested.length + limited.length === 0) return NO_FINDINGS;
  return [...explainBelow(facts, 'requests', requested), ...explainBelow(facts, 'limits', limited)];
}

function explainBelow(facts: Facts, list: 'requests' | 'limits', above: readonly Excess[]): readonly Finding[] {
  const theirs = list === 'requests' ? 'what its containers request' : 'the limits of its containers';
  return above
    .filter(({ resource }) => isJudged(facts, undefined, resource))
    .map(({ resource, wanted, available }) => {
      const actual = quantityText(available);
      const bound = quantityText(wanted);
      const must = boundText(list, `at least ${bound}`, resource);
      const message = `${subjectOf(facts.pod, undefined)} must ${must}, ${theirs}; ${actualText(list, actual)}`;
      return { path: resourcePath(undefined, list, resource), message, actual, bound };
    });
}

function isJudged({ scope, changes }: Facts, container: Container | undefined, resource: string): boolean {
  if (scope === 'create') return true;
  return changes.some(
    (change) =>
      change.resource === resource &&
      (container === undefined || change.container === undefined || change.container.name === container.name),
  );
}
