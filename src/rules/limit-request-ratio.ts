// A limit must not promise many times what is set aside for it: what is limited and not requested is somebody else's.
//
// Looks at: requests and limits of every container, and of the pod where it has its own
// Allowed:  limit ≤ ratio × request, exactly. No limit: passes, resources-required asks for it. No request: it is the limit
// Advice:   on a resize, a ratio that is over the bound and no larger than it was
import { z } from 'zod';
import { hasPodLevelResources } from '../model/kubernetes-version.ts';
import { allContainers, type Container, type PodLevelResources } from '../model/pod.ts';
import { type Quantity, quantityOf, UNIT } from '../model/quantity.ts';
import { scaledDown, scaledUp } from './amounts.ts';
import type { Facts } from './facts.ts';
import { inOrder } from './finding-order.ts';
import { actualText, boundText, quantityText, resourcePath, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { factorSetting } from './settings.ts';
import { shape, type Shaped, SHAPED, UNSHAPED } from './shape.ts';
import { movedText, storedContainer } from './stored.ts';

const settings = z.strictObject({
  cpu: factorSetting.optional().describe('How many times its request of cpu a limit may be.'),
  memory: factorSetting.optional().describe('The same for memory; 1 keeps memory from being overcommitted.'),
  'ephemeral-storage': factorSetting.optional().describe('The same for ephemeral-storage.'),
});
type Settings = z.output<typeof settings>;

/** Of everything else request and limit must be equal. */
const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;

export const limitRequestRatio = defineRule<Settings>({
  id: 'limit-request-ratio',
  summary: 'A limit must be at most so many times its request.',
  scopes: ['create', 'resize'],
  perContainer: true,
  settings,
  needs: RESOURCES,
  check(facts, ratios) {
    let findings = NO_FINDINGS;
    for (const container of allContainers(facts.pod)) {
      const over = overIn(ratios, container);
      if (over !== undefined) findings = [...findings, ...explainAll(facts, container, over)];
    }
    const podLevel = hasPodLevelResources(facts.version) ? facts.pod.podLevel : undefined;
    const over = podLevel && overIn(ratios, podLevel);
    if (over !== undefined) findings = [...findings, ...explainAll(facts, undefined, over)];
    return inOrder(findings);
  },
  fix: (facts, ratios) => shape(facts, (container) => lowered(facts, container, ratios)),
});

/** A limit above its ratio. */
interface Over {
  readonly resource: string;
  readonly request: Quantity;
  readonly limit: Quantity;
  readonly ratio: Quantity;
}

function overIn(ratios: Settings, { requests, limits }: PodLevelResources): readonly Over[] | undefined {
  let over: Over[] | undefined;
  for (const resource of RESOURCES) {
    const ratio = ratios[resource];
    const limit = limits.get(resource);
    const request = requests.get(resource);
    if (ratio === undefined || limit === undefined || request === undefined) continue;
    if (request.problem !== undefined || request.nanos < 0n || isWithin(limit, request, ratio)) continue;
    over ??= [];
    over.push({ resource, request, limit, ratio });
  }
  return over;
}

// No division, so no rounding.
function isWithin(limit: Quantity, request: Quantity, ratio: Quantity): boolean {
  return limit.nanos * UNIT <= ratio.nanos * request.nanos;
}

function explainAll(facts: Facts, container: Container | undefined, over: readonly Over[]): readonly Finding[] {
  const stored = container === undefined ? facts.before?.podLevel : storedContainer(facts, container);
  const subject = subjectOf(facts.pod, container);
  return over.map((one) => explain(subject, container, one, storedOf(stored, one.resource)));
}

interface Stored {
  readonly request: Quantity;
  readonly limit: Quantity;
}

function storedOf(stored: PodLevelResources | undefined, resource: string): Stored | undefined {
  const request = stored?.requests.get(resource);
  const limit = stored?.limits.get(resource);
  return request === undefined || limit === undefined ? undefined : { request, limit };
}

function isNoWorse({ request, limit }: Over, stored: Stored | undefined): boolean {
  return stored !== undefined && limit.nanos * stored.request.nanos <= stored.limit.nanos * request.nanos;
}

function explain(subject: string, container: Container | undefined, over: Over, stored: Stored | undefined): Finding {
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
  over: Over,
  stored: Stored | undefined,
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

/** What the request allows, by the ratio, or by the one that is stored where that is larger. */
function largestLimit({ resource, request, limit, ratio }: Over, stored: Stored | undefined): Quantity {
  const byRatio = scaledDown(request.nanos, ratio.nanos, UNIT, resource);
  const byStored =
    stored === undefined ? 0n : scaledDown(request.nanos, stored.limit.nanos, stored.request.nanos, resource);
  const most = byStored > byRatio ? byStored : byRatio;
  return most > request.nanos ? quantityOf(most, limit.format) : request;
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
