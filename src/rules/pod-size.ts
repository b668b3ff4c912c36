// A pod as a whole must be of a size that its tenant may have, however it is spread over containers, sidecars and the pod itself.
//
// Looks at: the pod's sums: containers (KEP-753), pod-level resources in their place, overhead; on a resize, the stored ones
// Allowed:  from min to max, both included. What no container sets: passes, resources-required asks for it
// Advice:   on a resize, a sum that is outside and not further outside than it was
import { z } from 'zod';
import { compare, type Quantity } from '../model/quantity.ts';
import { compareNames } from '../model/resources.ts';
import { amountOf, type Amounts, amountsSetting, larger, readableAmounts, smaller } from './amounts.ts';
import type { Facts } from './facts.ts';
import { inOrder } from './finding-order.ts';
import { actualText, boundText, firstThatFits, quantityText, resourcePath, subjectOf, word } from './message.ts';
import { onlyMoved } from './only-moved.ts';
import { passingValue, totalsOf } from './passing-value.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { BESIDE_MISTAKES, needed } from './settings.ts';
import { movedText } from './stored.ts';
import { askedRow, boundAndOtherRows, comparedText, NO_SUMS, type Sum } from './sum.ts';
import { withinMaxima } from './within-maxima.ts';

const LISTS = ['requests', 'limits'] as const;

const amounts = needed(
  z.strictObject({
    requests: amountsSetting.optional().describe('Of what the pod requests in all, by resource.'),
    limits: amountsSetting.optional().describe('Of what the pod is limited to in all, by resource.'),
  }),
  'must set requests or limits',
);

const settings = z
  .strictObject({
    min: amounts.optional().describe('The least, of requests and of limits.'),
    max: amounts.optional().describe('The most, of requests and of limits.'),
  })
  .superRefine(({ min, max }, context) => {
    for (const list of LISTS) {
      for (const [resource, least] of Object.entries(readableAmounts(min?.[list]))) {
        const most = amountOf(readableAmounts(max?.[list]), resource);
        if (most === undefined || compare(least, most) <= 0) continue;
        const message = `must be at most the max, ${quantityText(most)}`;
        context.addIssue({ code: 'custom', path: ['min', list, resource], message });
      }
    }
  }, BESIDE_MISTAKES)
  .meta({ 'x-kubernetes-validations': LISTS.flatMap((list) => withinMaxima(['min', list], [['max', list]])) });
type Settings = z.output<typeof settings>;

type List = (typeof LISTS)[number];
type Side = 'most' | 'least';

export const podSize = defineRule<Settings>({
  id: 'pod-size',
  summary: 'A pod must request and be limited to what its guardrail allows, all containers together.',
  scopes: ['create', 'resize'],
  settings,
  needs: ['min', 'max'],
  check(facts, { min, max }) {
    let findings = NO_FINDINGS;
    for (const list of LISTS) {
      findings = join(findings, outside(facts, list, 'most', max?.[list]));
      findings = join(findings, outside(facts, list, 'least', min?.[list]));
    }
    return inOrder(findings);
  },
  sums: (facts, { min, max }) =>
    LISTS.flatMap((list) => [
      ...sumsWithin(facts, list, 'most', max?.[list]),
      ...sumsWithin(facts, list, 'least', min?.[list]),
    ]),
});

interface Outside {
  readonly list: List;
  readonly side: Side;
  readonly resource: string;
  readonly total: Quantity;
  /** What the guardrail says. */
  readonly own: Quantity;
}

function outside(facts: Facts, list: List, side: Side, bounds: Amounts | undefined): readonly Finding[] {
  if (bounds === undefined) return NO_FINDINGS;
  const totals = totalsOf(facts.pod, list, facts.version);
  const found: Outside[] = [];
  for (const [resource, own] of Object.entries(bounds)) {
    const total = totals.get(resource);
    if (total !== undefined && isBeyond(side, total, own)) found.push({ list, side, resource, total, own });
  }
  if (found.length === 0) return NO_FINDINGS;
  return found.sort((a, b) => compareNames(a.resource, b.resource)).map((one) => judge(facts, one));
}

function isBeyond(side: Side, total: Quantity, bound: Quantity): boolean {
  return side === 'most' ? compare(total, bound) > 0 : compare(total, bound) < 0;
}

function judge(facts: Facts, found: Outside): Finding {
  const { list, side, resource, total, own } = found;
  const before = facts.before && totalsOf(facts.before, list, facts.version).get(resource);
  const bound = before === undefined ? own : widest(side, own, before);
  const must = `${subjectOf(facts.pod, undefined)} must ${boundText(list, `at ${side} ${quantityText(own)}`, resource)} in all`;
  const actual = quantityText(total);
  const does = actualText(list, actual);
  if (!isBeyond(side, total, bound)) {
    const message = `${must}; ${does}${movedText(before, total)}`;
    return { path: 'spec', message, actual, bound: quantityText(own), advice: true };
  }
  const alone = onlyMoved(facts, list, resource, side);
  const passing = alone && passingValue(facts, alone, total, bound);
  const stays = compare(bound, own) === 0 ? '' : `, or stay at ${quantityText(bound)}`;
  const ofPod = `${must}${stays}; ${does}`;
  if (alone === undefined || passing === undefined)
    return { path: 'spec', message: ofPod, actual, bound: quantityText(bound) };
  const path = resourcePath(alone.container, list, resource);
  const written = quantityText(alone.quantity);
  const most = quantityText(passing);
  if (compare(passing, bound) === 0) return { path, message: ofPod, actual, bound: most };
  const aim = boundText(list, `at ${side} ${most}`, resource);
  const why = `for ${alone.container === undefined ? 'all of it' : 'its pod'} to ${keepText(side, own, bound)}`;
  const short = `${subjectOf(facts.pod, alone.container)} must ${aim} ${why}; ${actualText(list, written)}`;
  return { path, message: firstThatFits(`${short}, the pod ${actual}`, short), actual: written, bound: most };
}

function keepText(side: Side, own: Quantity, bound: Quantity): string {
  if (compare(bound, own) !== 0) return `stay at ${quantityText(bound)}, beyond ${quantityText(own)} already`;
  return `${side === 'most' ? 'stay within' : 'reach'} ${quantityText(bound)}`;
}

function widest(side: Side, a: Quantity, b: Quantity): Quantity {
  return (side === 'most' ? larger(a, b) : smaller(a, b)) ?? a;
}

function join(findings: readonly Finding[], more: readonly Finding[]): readonly Finding[] {
  return more.length === 0 ? findings : [...findings, ...more];
}

function sumsWithin(facts: Facts, list: List, side: Side, bounds: Amounts | undefined): readonly Sum[] {
  if (bounds === undefined) return NO_SUMS;
  const totals = totalsOf(facts.pod, list, facts.version);
  const stored = facts.before && totalsOf(facts.before, list, facts.version);
  return Object.entries(bounds).flatMap(([resource, own]) => {
    const total = totals.get(resource);
    const before = stored?.get(resource);
    if (total === undefined) return [];
    if (before !== undefined && compare(total, before) === 0 && !isBeyond(side, total, own)) return [];
    const bound = before === undefined ? own : widest(side, own, before);
    return {
      path: 'spec',
      title: `${word(resource)} ${list} of ${subjectOf(facts.pod, undefined)} in all`,
      rows: [
        askedRow(subjectOf(facts.pod, undefined), total, before),
        ...boundAndOtherRows(side, own, 'as it is stored', bound),
      ],
      conclusion: comparedText(total, side, bound),
      ofPod: { list, resource },
    };
  });
}
