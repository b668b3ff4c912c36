// A limit beside the request that it is measured by: what the ratio of the two may be, and what follows from it.
import type { PodLevelResources } from '../model/pod.ts';
import { type Quantity, quantityOf, UNIT } from '../model/quantity.ts';
import { scaledDown } from './amounts.ts';

/** Of everything else request and limit must be equal. */
export const RELATED_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;
export type RelatedResource = (typeof RELATED_RESOURCES)[number];

/** How many times its request a limit may be. */
export type Ratios = Readonly<Partial<Record<RelatedResource, Quantity | undefined>>>;

/** A limit and the request that it is measured by. */
export interface RelatedLimit {
  readonly resource: string;
  readonly request: Quantity;
  readonly limit: Quantity;
  readonly ratio: Quantity;
}

/** undefined where there is nothing to compare. */
export function relatedIn(
  ratios: Ratios,
  { requests, limits }: PodLevelResources,
  resource: RelatedResource,
): RelatedLimit | undefined {
  const ratio = ratios[resource];
  const limit = limits.get(resource);
  const request = requests.get(resource);
  if (ratio === undefined || limit === undefined || request === undefined) return undefined;
  if (request.problem !== undefined || request.nanos < 0n) return undefined;
  return { resource, request, limit, ratio };
}

/** Exactly: no division, so no rounding. */
export function isWithin({ limit, request, ratio }: RelatedLimit): boolean {
  return limit.nanos * UNIT <= ratio.nanos * request.nanos;
}

/** Both as they are stored. */
export interface StoredLimit {
  readonly request: Quantity;
  readonly limit: Quantity;
}

/** undefined where one of the two is not stored. */
export function storedOf(stored: PodLevelResources | undefined, resource: string): StoredLimit | undefined {
  const request = stored?.requests.get(resource);
  const limit = stored?.limits.get(resource);
  return request === undefined || limit === undefined ? undefined : { request, limit };
}

/** Whether the ratio is no larger than the stored one. */
export function isNoWorse({ request, limit }: RelatedLimit, stored: StoredLimit | undefined): boolean {
  return stored !== undefined && limit.nanos * stored.request.nanos <= stored.limit.nanos * request.nanos;
}

/** What the request allows, by the ratio, or by the one that is stored where that is larger. */
export function largestLimit(
  { resource, request, limit, ratio }: RelatedLimit,
  stored: StoredLimit | undefined,
): Quantity {
  const byRatio = scaledDown(request.nanos, ratio.nanos, UNIT, resource);
  const byStored =
    stored === undefined ? 0n : scaledDown(request.nanos, stored.limit.nanos, stored.request.nanos, resource);
  const most = byStored > byRatio ? byStored : byRatio;
  return most > request.nanos ? quantityOf(most, limit.format) : request;
}
