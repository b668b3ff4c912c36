// A request must stay within its limit, and what cannot be shared must be requested as it is limited.
//
// Looks at: requests and limits of every container; with pod-level resources, those of the pod as well
// Allowed:  request ≤ limit; for extended resources and huge pages request = limit, whole devices and whole pages;
//           containers together ≤ the pod's request (of huge pages its limit too), each main container's limit ≤ the pod's limit
// On a resize: only resources that the request changes
import { hasPodLevelResources } from '../model/kubernetes-version.ts';
import { allContainers, type Container } from '../model/pod.ts';
import { isHugePages } from '../model/pod-level.ts';
import { compare, isCountable, parseQuantity, type Quantity, toUnits, UNIT } from '../model/quantity.ts';
import { compareNames } from '../model/resources.ts';
import type { Facts } from './facts.ts';
import { actualText, boundText, quantityText, resourceField, resourcePath, subjectOf, word } from './message.ts';
import { aboveLimitOfPod, belowContainers } from './pod-level-bounds.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows validateResourceRequirements and, for pod-level resources, validatePodResourceConsistency. */
export const requestsWithinLimits = defineRule({
  id: 'requests-within-limits',
  summary: 'A request must stay within its limit; of what cannot be shared, both must be equal.',
  scopes: ['create', 'resize'],
  perContainer: true,
  core: () => true,
  settings: noSettings,
  check(facts) {
    const podLevel = hasPodLevelResources(facts.version) ? facts.pod.podLevel : undefined;
    let findings = NO_FINDINGS;
    for (const container of allContainers(facts.pod)) {
      findings = join(findings, compareLists(facts, container, container));
      if (podLevel !== undefined) findings = join(findings, aboveLimitOfPod(facts, container, podLevel));
    }
    if (podLevel === undefined) return findings;
    return join(join(findings, compareLists(facts, undefined, podLevel)), belowContainers(facts, podLevel));
  },
});

type Verdict = 'above' | 'unlimited' | 'unequal' | 'divided';

function judge(resource: string, request: Quantity, limit: Quantity | undefined): Verdict | undefined {
  if (request.problem !== undefined || limit?.problem !== undefined) return undefined;
  if (isShareable(resource)) return limit !== undefined && compare(request, limit) > 0 ? 'above' : undefined;
  if (limit === undefined) return 'unlimited';
  if (compare(request, limit) !== 0) return 'unequal';
  return isWhole(resource, request) ? undefined : 'divided';
}

// Kubernetes rounds to whole bytes before it counts pages. What it cannot count is for quantity-valid to say.
function isWhole(resource: string, request: Quantity): boolean {
  if (!isCountable(resource, request)) return true;
  // Kubernetes does not take it for a device, and has something to say about the name.
  if (resource.startsWith('requests.')) return true;
  if (!isHugePages(resource)) return request.nanos % UNIT === 0n;
  const page = pageOf(resource);
  return page === undefined || toUnits(request) % toUnits(page) === 0n;
}

/** Whether more may be limited than is requested: IsOvercommitAllowed. */
function isShareable(resource: string): boolean {
  return resource.includes('/') ? resource.includes('kubernetes.io/') : !isHugePages(resource);
}

/** The size of a huge page; undefined where the name does not say one, which Kubernetes has to say something about. */
function pageOf(resource: string): Quantity | undefined {
  const page = parseQuantity(resource.slice(resource.indexOf('-') + 1));
  return page.nanos > 0n && page.nanos % UNIT === 0n ? page : undefined;
}

interface Wrong {
  readonly resource: string;
  readonly request: Quantity;
  readonly limit: Quantity | undefined;
  readonly verdict: Verdict;
}

function compareLists(
  facts: Facts,
  container: Container | undefined,
  { requests, limits }: Pick<Container, 'requests' | 'limits'>,
): readonly Finding[] {
  let wrong: Wrong[] | undefined;
  for (const [resource, request] of requests) {
    const limit = limits.get(resource);
    const verdict = judge(resource, request, limit);
    if (verdict === undefined || !isJudged(facts, container, resource)) continue;
    wrong ??= [];
    wrong.push({ resource, request, limit, verdict });
  }
  if (wrong === undefined) return NO_FINDINGS;
  return wrong
    .sort((a, b) => compareNames(a.resource, b.resource))
    .map((one) => explain(subjectOf(facts.pod, container), container, one));
}

function explain(
  subject: string,
  container: Container | undefined,
  { resource, request, limit, verdict }: Wrong,
): Finding {
  const path = resourcePath(container, verdict === 'unlimited' ? 'limits' : 'requests', resource);
  const actual = quantityText(request);
  const bound = limit === undefined ? actual : quantityText(limit);
  const requests = actualText('requests', actual);
  switch (verdict) {
    case 'above': {
      const must = boundText('requests', `at most ${bound}`, resource);
      return { path, message: `${subject} must ${must}, its limit; ${requests}`, actual, bound };
    }
    case 'unlimited':
      return {
        path,
        message: `${subject} must set ${resourceField('limits', resource)} to ${bound}; ${requests}`,
        bound,
      };
    case 'unequal': {
      const must = `request and limit the same amount of ${word(resource)}`;
      return { path, message: `${subject} must ${must}; ${requests} and limits it to ${bound}`, actual, bound };
    }
    case 'divided': {
      const page = isHugePages(resource) ? pageOf(resource) : undefined;
      const whole = page === undefined ? 'a whole number' : `a multiple of ${quantityText(page)}`;
      return { path, message: `${subject} must request ${whole} of ${word(resource)}; ${requests}`, actual };
    }
  }
}

/** On a resize a container answers for what is changed in it, and for what is changed in its pod. */
function isJudged({ scope, changes }: Facts, container: Container | undefined, resource: string): boolean {
  if (scope === 'create') return true;
  return changes.some((change) => change.resource === resource && change.container?.name === container?.name);
}

function join(findings: readonly Finding[], more: readonly Finding[]): readonly Finding[] {
  return more.length === 0 ? findings : [...findings, ...more];
}
