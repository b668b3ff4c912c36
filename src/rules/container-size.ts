// A container must be of a size that its tenant may have, on a create and on every resize.
//
// Looks at: requests and limits of every container, by its kind; on a resize, what is stored
// Allowed:  from min to max, both included. A value that is not set: passes, resources-required asks for it
// Advice:   on a resize, what is outside and not further outside than it was
import type { PatchOperation } from '../model/json-patch.ts';
import { allContainers, type Container } from '../model/pod.ts';
import { compare, type Quantity } from '../model/quantity.ts';
import { type ContainerBounds, containerBounds, leastOf, mostOf } from './container-bounds.ts';
import { shapedTo } from './container-shape.ts';
import { type Span, type Spans, spansOf } from './container-span.ts';
import type { Facts } from './facts.ts';
import { inOrder } from './finding-order.ts';
import { actualText, boundText, quantityText, resourcePath, subjectOf, word } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { shape } from './shape.ts';
import { isMoved, movedText, storedContainer } from './stored.ts';
import { askedRow, boundAndOtherRows, comparedText, type Sum } from './sum.ts';

const LISTS = ['requests', 'limits'] as const;
type List = (typeof LISTS)[number];

export const containerSize = defineRule<ContainerBounds>({
  id: 'container-size',
  summary: 'A container must request and be limited to what its guardrail allows.',
  scopes: ['create', 'resize'],
  perContainer: true,
  settings: containerBounds,
  needs: Object.keys(containerBounds.shape),
  check(facts, bounds) {
    let findings = NO_FINDINGS;
    for (const container of allContainers(facts.pod)) {
      if (isInside(bounds, container, 'requests') && isInside(bounds, container, 'limits')) continue;
      findings = [...findings, ...judge(facts, bounds, container)];
    }
    return inOrder(findings);
  },
  sums: (facts, bounds) =>
    allContainers(facts.pod).flatMap((container) =>
      valuesOf(facts, bounds, container).flatMap((value) => (isAsked(facts, value) ? toSums(facts, value) : [])),
    ),
  fix(facts, bounds): readonly PatchOperation[] {
    const spans = (container: Container, resource: string): Spans =>
      spansOf(bounds, container, storedContainer(facts, container), resource);
    return shape(
      facts,
      (container) => shapedTo(container, spans, 'as-bounded'),
      (container) => shapedTo(container, spans, 'as-related'),
    );
  },
});

function isInside(bounds: ContainerBounds, container: Container, list: List): boolean {
  for (const [resource, quantity] of container[list]) {
    const most = mostOf(bounds, container.kind, list, resource);
    if (most !== undefined && compare(quantity, most) > 0) return false;
    const least = leastOf(bounds, container.kind, list, resource);
    if (least !== undefined && compare(quantity, least) < 0) return false;
  }
  return true;
}

function judge(facts: Facts, bounds: ContainerBounds, container: Container): readonly Finding[] {
  return valuesOf(facts, bounds, container).flatMap((value) => judgeValue(facts, value) ?? []);
}

function valuesOf(facts: Facts, bounds: ContainerBounds, container: Container): readonly Value[] {
  const values: Value[] = [];
  const stored = storedContainer(facts, container);
  for (const list of LISTS) {
    for (const [resource, quantity] of container[list]) {
      if (quantity.problem !== undefined) continue;
      values.push({
        container,
        list,
        resource,
        quantity,
        from: stored?.[list].get(resource),
        own: {
          least: leastOf(bounds, container.kind, list, resource),
          most: mostOf(bounds, container.kind, list, resource),
        },
        span: spansOf(bounds, container, stored, resource)[list],
      });
    }
  }
  return values;
}

interface Value {
  readonly container: Container;
  readonly list: List;
  readonly resource: string;
  readonly quantity: Quantity;
  /** What is stored. */
  readonly from: Quantity | undefined;
  /** What the guardrail says of this value. */
  readonly own: Span;
  /** What it may be in this request. */
  readonly span: Span;
}

function judgeValue(facts: Facts, value: Value): Finding | undefined {
  const { quantity, own, span } = value;
  const { least, most } = span;
  if (most !== undefined && compare(quantity, most) > 0) return refusal(facts, value, 'most', most);
  if (least !== undefined && compare(quantity, least) < 0) return refusal(facts, value, 'least', least);
  if (own.most !== undefined && compare(quantity, own.most) > 0) return advice(facts, value, 'most', own.most);
  if (own.least !== undefined && compare(quantity, own.least) < 0) return advice(facts, value, 'least', own.least);
  return undefined;
}

/** `passing` is the nearest value that would pass: the bound itself, what is stored, or what the other list leaves. */
function refusal(facts: Facts, value: Value, side: keyof Span, passing: Quantity): Finding {
  const own = value.own[side];
  const bound = quantityText(passing);
  if (own === undefined || isBeyond(side, own, passing)) {
    const why = value.list === 'requests' ? ', as much as it may limit' : ', as much as it must request';
    return finding(facts, value, { bound, must: `at ${side} ${bound}`, aside: why, moved: '' });
  }
  const aside = compare(own, passing) === 0 ? '' : `, or stay at ${bound}`;
  return finding(facts, value, { bound, must: `at ${side} ${quantityText(own)}`, aside, moved: '' });
}

/** Whether the guardrail itself would allow more than can pass. */
function isBeyond(side: keyof Span, own: Quantity, passing: Quantity): boolean {
  return side === 'most' ? compare(own, passing) > 0 : compare(own, passing) < 0;
}

function advice(facts: Facts, value: Value, side: keyof Span, own: Quantity): Finding {
  const bound = quantityText(own);
  const moved = movedText(value.from, value.quantity);
  return { ...finding(facts, value, { bound, must: `at ${side} ${bound}`, aside: '', moved }), advice: true };
}

interface Words {
  readonly bound: string;
  readonly must: string;
  readonly aside: string;
  readonly moved: string;
}

function finding({ pod }: Facts, { container, list, resource, quantity }: Value, words: Words): Finding {
  const actual = quantityText(quantity);
  const must = `${subjectOf(pod, container)} must ${boundText(list, words.must, resource)}${words.aside}`;
  const path = resourcePath(container, list, resource);
  return { path, message: `${must}; ${actualText(list, actual)}${words.moved}`, actual, bound: words.bound };
}

function isAsked(facts: Facts, value: Value): boolean {
  return isMoved(facts, value.container, value.list, value.resource) || judgeValue(facts, value) !== undefined;
}

function toSums({ pod }: Facts, { container, list, resource, quantity, from, own, span }: Value): readonly Sum[] {
  return (['most', 'least'] as const).flatMap((side) => {
    const bound = span[side];
    if (bound === undefined) return [];
    const other = side === 'most' ? 'as much as is stored, or limited' : 'as little as is stored, or requested';
    return {
      path: resourcePath(container, list, resource),
      title: `${word(resource)} ${list} of ${subjectOf(pod, container)}`,
      rows: [askedRow('asked', quantity, from), ...boundAndOtherRows(side, own[side], other, bound)],
      conclusion: comparedText(quantity, side, bound),
    };
  });
}
