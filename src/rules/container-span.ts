// Between what a container's request and limit of one resource may lie in this request: the guardrail's bounds, widened by what
// is stored (nobody has to shrink what is there to change something else), and narrowed by request ≤ limit.
import type { Container } from '../model/pod.ts';
import type { Quantity } from '../model/quantity.ts';
import { larger, smaller } from './amounts.ts';
import { type ContainerBounds, leastOf, mostOf } from './container-bounds.ts';

/** Both ends are allowed; undefined is no bound. */
export interface Span {
  readonly least: Quantity | undefined;
  readonly most: Quantity | undefined;
}

export interface Spans {
  readonly requests: Span;
  readonly limits: Span;
}

/** `stored` is the container before a resize; undefined on a create, which has nothing to be measured against. */
export function spansOf(
  bounds: ContainerBounds,
  container: Container,
  stored: Container | undefined,
  resource: string,
): Spans {
  const requests = widened(bounds, container, stored, 'requests', resource);
  const limits = widened(bounds, container, stored, 'limits', resource);
  if (!container.limits.has(resource)) return { requests, limits };
  return {
    requests: { least: requests.least, most: smaller(requests.most, limits.most) },
    limits: { least: larger(limits.least, requests.least), most: limits.most },
  };
}

function widened(
  bounds: ContainerBounds,
  { kind }: Container,
  stored: Container | undefined,
  list: 'requests' | 'limits',
  resource: string,
): Span {
  const before = stored?.[list].get(resource);
  const least = leastOf(bounds, kind, list, resource);
  const most = mostOf(bounds, kind, list, resource);
  return { least: least && smaller(least, before), most: most && larger(most, before) };
}
