// Who may grow and who may shrink pods here: whoever may edit a pod can often resize it too, and RBAC knows no direction.
//
// Looks at: the requester, and whether requests and limits go up or down
// Allowed:  growing by whom `grow` names, shrinking by whom `shrink` names; what is not set is open to all
import { z } from 'zod';
import type { Change } from '../model/resize.ts';
import { isGrowth } from './direction.ts';
import type { Facts } from './facts.ts';
import { inOrder } from './finding-order.ts';
import { firstThatFits, resourcePath, subjectOf } from './message.ts';
import { isAmong, type Requesters, requestersSetting, requestersText, requesterText } from './requesters.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { WITHOUT_MISTAKES } from './settings.ts';

const settings = z
  .strictObject({
    grow: requestersSetting.optional().describe('Who may raise a request or limit; without it everybody.'),
    shrink: requestersSetting.optional().describe('Who may lower a request or limit; without it everybody.'),
  })
  .refine(({ grow, shrink }) => grow !== undefined || shrink !== undefined, {
    error: 'must say who may grow or who may shrink',
    ...WITHOUT_MISTAKES,
  })
  .meta({
    'x-kubernetes-validations': [
      { rule: 'has(self.grow) || has(self.shrink)', message: 'must say who may grow or who may shrink' },
    ],
  });
type Settings = z.output<typeof settings>;

export const resizeActor = defineRule<Settings>({
  id: 'resize-actor',
  summary: 'A pod must be grown and shrunk only by those who may.',
  scopes: ['resize'],
  perContainer: true,
  settings,
  check(facts, { grow, shrink }) {
    const { changes, requester } = facts;
    let findings = NO_FINDINGS;
    if (grow !== undefined && !isAmong(grow, requester)) {
      findings = judge(facts, changes.find(isGrowth), 'grown', grow);
    }
    if (shrink !== undefined && !isAmong(shrink, requester)) {
      const shrunk = changes.find((change) => !isGrowth(change));
      findings = inOrder([...findings, ...judge(facts, shrunk, 'shrunk', shrink)]);
    }
    return findings;
  },
});

function judge(
  facts: Facts,
  change: Change | undefined,
  done: 'grown' | 'shrunk',
  who: Requesters,
): readonly Finding[] {
  if (change === undefined) return NO_FINDINGS;
  const must = `${subjectOf(facts.pod, undefined)} must be ${done} only by`;
  const asked = requesterText(facts.requester);
  const [full, ...shorter] = [10, 4, 2, 1].map((most) => `${must} ${requestersText(who, most)}; ${asked} may not`);
  const message = firstThatFits(full ?? '', ...shorter, `${must} whom its guardrail names; ${asked} is none of them`);
  return [{ path: resourcePath(change.container, change.list, change.resource), message }];
}
