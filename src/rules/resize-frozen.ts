// Resizes are off here, for a reason that whoever asks should hear.
//
// Looks at: which requests and limits change, and whether up or down
// Allowed:  nothing; with allowShrink whatever asks for less
import { z } from 'zod';
import { toText } from '../model/quantity.ts';
import type { Change } from '../model/resize.ts';
import { isGrowth } from './direction.ts';
import type { Facts } from './facts.ts';
import { actualText, boundText, firstThatFits, resourceField, resourcePath, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';

const LONGEST_REASON = 100;

const settings = z.strictObject({
  reason: z
    .string()
    .meta({ examples: ['migration CHG-1042'] })
    .transform((text) => text.trim().replace(/[.\s]+$/, ''))
    .refine((text) => text !== '' && text.length <= LONGEST_REASON && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), {
      error: `must be one line of at most ${LONGEST_REASON} characters`,
    })
    .meta({ 'x-podrail': 'line', maxLength: LONGEST_REASON })
    .describe('Why, in words for whoever is refused: one line of at most 100 characters.'),
  allowShrink: z.boolean().default(false).describe('Whether a resize may still ask for less.'),
});
type Settings = z.output<typeof settings>;

export const resizeFrozen = defineRule<Settings>({
  id: 'resize-frozen',
  summary: 'A pod must keep its size where resizes are off.',
  scopes: ['resize'],
  perContainer: true,
  settings,
  check(facts, { reason, allowShrink }) {
    const { pod, changes } = facts;
    if (changes.length === 0) return NO_FINDINGS;
    if (!allowShrink) return [{ path: 'spec', message: `${subjectOf(pod, undefined)} must keep its size; ${reason}` }];
    const grown = changes.filter(isGrowth);
    return grown.length === 0 ? NO_FINDINGS : grown.map((change) => explain(facts, change, reason));
  },
});

function explain({ pod }: Facts, { container, list, resource, from, to }: Change, reason: string): Finding {
  const subject = subjectOf(pod, container);
  const bound = from === undefined ? undefined : toText(from);
  const actual = to === undefined ? undefined : toText(to);
  const must = `${subject} must ${bound === undefined ? `leave out ${resourceField(list, resource)}` : boundText(list, `at most ${bound}`, resource)}`;
  const now = actual === undefined ? 'it removes the limit' : actualText(list, actual);
  const message = firstThatFits(
    `${must}, since it may not grow; ${now}; ${reason}`,
    `${must}; ${reason}`,
    `${subject} must not grow; ${reason}`,
  );
  return {
    path: resourcePath(container, list, resource),
    message,
    ...(actual === undefined ? {} : { actual }),
    ...(bound === undefined ? {} : { bound }),
  };
}
