// Whether a fix would do more harm than good: break a rule of Kubernetes, or what an earlier fix has mended.
import type { AppliedRule } from '../guardrails/policy.ts';
import type { Facts } from '../rules/facts.ts';
import { RULES } from '../rules/index.ts';

/** A rule that a fix must not break. */
export type KeptRule = Pick<AppliedRule, 'rule' | 'settings'>;

/**
 * What may refuse the pod that the fix of `fixing` leaves: what this version of Kubernetes refuses by itself, whatever the policy
 * says of it; every rule that enforces; and the rules in mode `fix` before this one, which do not get another turn.
 */
export function keptRules(
  fixing: AppliedRule,
  rules: readonly AppliedRule[],
  { scope, version }: Facts,
): readonly KeptRule[] {
  const core = RULES.filter((rule) => rule.scopes.includes(scope) && rule.core(version));
  const before = rules.slice(0, rules.indexOf(fixing)).filter(({ mode, rule }) => mode === 'fix' && !rule.quietFix);
  return [
    ...core.map((rule) => ({ rule, settings: rule.settings.parse({}) })),
    ...rules.filter(({ mode }) => mode === 'enforce'),
    ...before,
  ];
}

/** Whether one of these finds something after the fix that it did not find before. Advice does not count. */
export function spoils(before: Facts, after: Facts, kept: readonly KeptRule[]): boolean {
  return kept.some((one) => {
    const found = placesOf(one, after);
    if (found.length === 0) return false;
    const known = placesOf(one, before);
    return found.some((place) => !known.includes(place));
  });
}

function placesOf({ rule, settings }: KeptRule, facts: Facts): readonly string[] {
  return rule
    .check(facts, settings)
    .filter(({ advice }) => !advice)
    .map(({ path }) => path);
}
