// A limit must not promise many times what is set aside for it: what is limited and not requested is somebody else's.
//
// Looks at: requests and limits of every container, and of the pod where it has its own
// Allowed:  limit ≤ ratio × request, exactly. No limit: passes, resources-required asks for it. No request: it is the limit
// Advice:   on a resize, a ratio that is over the bound and no larger than it was
import { z } from 'zod';
import { allContainers, type Container, type PodLevelResources } from '../model/pod.ts';
import { countedPodLevel } from '../model/pod-requests.ts';
import { compare, type Quantity, quantityOf, UNIT } from '../model/quantity.ts';
import { scaledUp } from './amounts.ts';
import type { Facts } from './facts.ts';
import { inOrder } from './finding-order.ts';
import { actualText, boundText, quantityText, resourcePath, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import {
  isNoWorse,
  isWithin,
  largestLimit,
  RELATED_RESOURCES,
  relatedIn,
  type RelatedLimit,
  type StoredLimit,
  storedOf,
} from './related-limit.ts';
import { factorSetting } from './settings.ts';
import { shape, type Shaped, SHAPED, UNSHAPED } from './shape.ts';
import { isMoved, movedText, storedContainer } from './stored.ts';
import { askedRow, boundRows, comparedText, type Sum } from './sum.ts';

const settings = z.strictObject({
  cpu: factorSetting.optional().describe('How many times its request of cpu a limit may be.'),
  memory: factorSetting.optional().describe('The same for memory; 1 keeps memory from being overcommitted.'),
  'ephemeral-storage': factorSetting.optional().describe('The same for ephemeral-storage.'),
});
type Settings = z.output<typeof settings>;

export const limitRequestRatio = defineRule<Settings>({
  id: 'limit-request-ratio',
  summary: 'A limit must be at most so many times its request.',
  scopes: ['create', 'resize'],
  perContainer: true,
  settings,
  needs: RELATED_RESOURCES,
  check(facts, ratios) {
    let findings = NO_FINDINGS;
    for (const container of allContainers(facts.pod)) {
      const over = overIn(ratios, container);
      if (over !== undefined) findings = [...findings, ...explainAll(facts, container, over)];
    }
    const podLevel = countedPodLevel(facts.pod, facts.version);
    const over = podLevel && overIn(ratios, podLevel);
    if (over !== undefined) findings = [...findings, ...explainAll(facts, undefined, over)];
    return inOrder(findings);
  },
  sums(facts, ratios) {
    const podLevel = countedPodLevel(facts.pod, facts.version);
    const ofContainers = allContainers(facts.pod).flatMap((container) => sumsIn(facts, ratios, container, container));
    return podLevel === undefined ? ofContainers : [...ofContainers, ...sumsIn(facts, ratios, undefined, podLevel)];
  },
  fix: (facts, ratios) => shape(facts, (container) => lowered(facts, container, ratios)),
});

function overIn(ratios: Settings, values: PodLevelResources): readonly RelatedLimit[] | undefined {
  let over: RelatedLimit[] | undefined;
  for (const resource of RELATED_RESOURCES) {
    const related = relatedIn(ratios, values, resource);
    if (related === undefined || isWithin(related)) continue;
    over ??= [];
    over.push(related);
  }
  return over;
}

function explainAll(facts: Facts, container: Container | undefined, over: readonly RelatedLimit[]): readonly Finding[] {
  const stored = storedValues(facts, container);
  const subject = subjectOf(facts.pod, container);
  return over.map((one) => explain(subject, container, one, storedOf(stored, one.resource)));
}

function storedValues(facts: Facts, container: Container | undefined): PodLevelResources | undefined {
  return container === undefined ? facts.before?.podLevel : storedContainer(facts, container);
}

function explain(
  subject: string,
  container: Container | undefined,
  over: RelatedLimit,
  stored: StoredLimit | undefined,
): Finding {
  const { resource, request, limit, ratio } = over;
  const times = quantityText(ratio);
  if (request.nanos === 0n) return explainZero(subject, container, over, stored);
  const path = resourcePath(container, 'limits', resource);
  const actual = quantityText(limit);
  const atRatio = quantityText(largestLimit(over, undefined));
  const why = times === '1' ? 'its request' : `${times} times its request of ${quantityText(request)}`;
  const must = `${subject} must ${boundText('limits', `at most ${atRatio}`, resource)}, ${why}`;
  const does = actualText('limits', actual);
  if (isNoWorse(over, stored))
    return {
      path,
      message: `${must}; ${does}${movedText(stored?.limit, limit)}`,
      actual,
      bound: atRatio,
      advice: true,
    };
  const bound = quantityText(largestLimit(over, stored));
  const message = bound === atRatio ? `${must}; ${does}` : `${must}, or ${bound} in its ratio so far; ${does}`;
  return { path, message, actual, bound };
}

/** Nothing is a multiple of 0: the request must be raised, a limit of 0 would be no limit. */
function explainZero(
  subject: string,
  container: Container | undefined,
  over: RelatedLimit,
  stored: StoredLimit | undefined,
): Finding {
  const { resource, request, limit, ratio } = over;
  const nanos = scaledUp(limit.nanos, UNIT, ratio.nanos, resource);
  const bound = quantityText(quantityOf(nanos, limit.format));
  const actual = quantityText(request);
  const why = `as its limit of ${quantityText(limit)} may be ${quantityText(ratio)} times that`;
  const must = `${subject} must ${boundText('requests', `at least ${bound}`, resource)}, ${why}`;
  const path = resourcePath(container, 'requests', resource);
  const message = `${must}; ${actualText('requests', actual)}`;
  return { path, message, actual, bound, ...(isNoWorse(over, stored) ? { advice: true } : {}) };
}

function lowered(facts: Facts, container: Container, ratios: Settings): readonly Shaped[] {
  const over = overIn(ratios, container);
  if (over === undefined) return UNSHAPED;
  const stored = storedContainer(facts, container);
  return over
    .filter((one) => SHAPED.some((resource) => resource === one.resource) && one.request.nanos > 0n)
    .filter((one) => !isNoWorse(one, storedOf(stored, one.resource)))
    .map((one) => ({
      list: 'limits',
      resource: one.resource,
      to: largestLimit(one, storedOf(stored, one.resource)),
    }));
}

function ratioText(related: RelatedLimit, stored: StoredLimit | undefined, most: Quantity): string {
  if (isNoWorse(related, stored) && !isWithin(related)) return 'the ratio is no larger than it was';
  return comparedText(related.limit, 'most', most);
}

function sumsIn(
  facts: Facts,
  ratios: Settings,
  container: Container | undefined,
  values: PodLevelResources,
): readonly Sum[] {
  const before = storedValues(facts, container);
  return RELATED_RESOURCES.flatMap((resource) => {
    const related = relatedIn(ratios, values, resource);
    const isAsked = (['requests', 'limits'] as const).some((list) => isMoved(facts, container, list, resource));
    if (related === undefined || (!isAsked && isWithin(related))) return [];
    const { request, limit, ratio } = related;
    const stored = storedOf(before, resource);
    const own = largestLimit(related, undefined);
    // Nothing is a multiple of 0.
    const most = largestLimit(related, stored?.request.nanos === 0n ? undefined : stored);
    return {
      path: resourcePath(container, 'limits', resource),
      title: `${resource} limit of ${subjectOf(facts.pod, container)}`,
      rows: [
        askedRow('request', request, stored?.request),
        { sign: '×', label: 'ratio', amount: ratio },
        { sign: '=', label: 'limit at most', amount: own },
        ...(compare(own, most) === 0 ? [] : boundRows('in its ratio so far', most)),
        askedRow('limit asked', limit, stored?.limit),
      ],
      conclusion: ratioText(related, stored, most),
    };
  });
}
