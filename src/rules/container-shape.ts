// The values nearest to what was asked that lie between what a container may have: the fix of container-size.
import type { Container } from '../model/pod.ts';
import { compare, type Quantity, quantityOf } from '../model/quantity.ts';
import { scaledDown, scaledUp } from './amounts.ts';
import type { Span, Spans } from './container-span.ts';
import { type Shaped, SHAPED, UNSHAPED } from './shape.ts';

/**
 * `as-bounded`: a value inside its bounds stays as it is. `as-related`: where that would change the QoS class, a request that is
 * equal to its limit stays equal to it, and one that is below it stays below.
 */
export type Manner = 'as-bounded' | 'as-related';

/** What is to change in cpu and memory of a container. Nothing is shaped to zero, which would mean "as much as there is". */
export function shapedTo(
  container: Container,
  spansFor: (container: Container, resource: string) => Spans,
  manner: Manner,
): readonly Shaped[] {
  let shaped = UNSHAPED;
  for (const resource of SHAPED) {
    const request = container.requests.get(resource);
    const limit = container.limits.get(resource);
    if (request === undefined || !isShapable(request, limit)) continue;
    const spans = spansFor(container, resource);
    const asked: Pair = { request, limit };
    shaped = [...shaped, ...differences(resource, asked, pair(asked, spans, manner, resource))];
  }
  return shaped;
}

function differences(resource: string, asked: Pair, given: Pair): readonly Shaped[] {
  const requests = difference('requests', resource, asked.request, given.request);
  const limits = difference('limits', resource, asked.limit, given.limit);
  return [...requests, ...limits].some(({ to }) => to.nanos === 0n) ? UNSHAPED : [...requests, ...limits];
}

function difference(
  list: Shaped['list'],
  resource: string,
  asked: Quantity | undefined,
  given: Quantity | undefined,
): readonly Shaped[] {
  if (asked === undefined || given === undefined || compare(asked, given) === 0) return UNSHAPED;
  return [{ list, resource, to: given }];
}

function isShapable(request: Quantity, limit: Quantity | undefined): boolean {
  if (request.problem !== undefined || request.nanos < 0n) return false;
  return limit === undefined || (limit.problem === undefined && limit.nanos > 0n && compare(request, limit) <= 0);
}

interface Pair {
  readonly request: Quantity;
  readonly limit: Quantity | undefined;
}

function pair({ request, limit }: Pair, spans: Spans, manner: Manner, resource: string): Pair {
  if (limit === undefined) return { request: within(request, spans.requests), limit };
  if (manner === 'as-related' && compare(request, limit) === 0) return together(request, spans);
  const to = { request: within(request, spans.requests), limit: within(limit, spans.limits) };
  const isTied = manner === 'as-related' && compare(to.request, to.limit) === 0;
  if (movesBoth(isTied, compare(limit, to.limit), compare(request, to.request)))
    return { ...to, request: within(requestInRatio(request, limit, to.limit, resource), spans.requests) };
  if (movesBoth(isTied, compare(to.request, request), compare(to.limit, limit)))
    return { ...to, limit: within(limitAbove(request, limit, to.request), spans.limits) };
  return to;
}

/** Whether the first moves, and the second has to: it passes its bound as well, or would be tied to the first. */
function movesBoth(isTied: boolean, first: number, second: number): boolean {
  return first > 0 && (isTied || second > 0);
}

/** One value for both. What is stored is such a value, so there is one. */
function together(value: Quantity, { requests, limits }: Spans): Pair {
  const both = within(within(value, requests), limits);
  return { request: both, limit: both };
}

function within(value: Quantity, { least, most }: Span): Quantity {
  if (most !== undefined && compare(value, most) > 0) return most;
  return least !== undefined && compare(value, least) < 0 ? least : value;
}

/** In the ratio to `lowered` in which it was to its limit, and below it where it was. Rounded up, so the ratio does not grow. */
function requestInRatio(request: Quantity, limit: Quantity, lowered: Quantity, resource: string): Quantity {
  if (compare(request, limit) === 0) return lowered;
  const up = scaledUp(request.nanos, lowered.nanos, limit.nanos, resource);
  const down = scaledDown(request.nanos, lowered.nanos, limit.nanos, resource);
  return quantityOf(up >= lowered.nanos && down > 0n ? down : up, request.format);
}

/** As far above `raised` as it was above its request: in its ratio it could become any number of cores. */
function limitAbove(request: Quantity, limit: Quantity, raised: Quantity): Quantity {
  return compare(request, limit) === 0 ? raised : quantityOf(raised.nanos + limit.nanos - request.nanos, limit.format);
}
