// What exceptions take from a rule, and what it would have found without them.
import { createGlobs } from '../model/glob.ts';
import type { Facts } from '../rules/facts.ts';
import { type Finding, NO_FINDINGS, type Rule } from '../rules/rule.ts';
import { isAboutContainer, withoutContainers } from './containers.ts';
import { NO_SUMS } from '../rules/sum.ts';
import type { GuardrailException } from './exception.ts';
import type { AppliedRule } from './policy.ts';
import { createMatcher } from './selectors.ts';

/** The exceptions that hold for one request, in the order in which they are read. */
export type ActiveExceptions = (facts: Facts) => readonly GuardrailException[];

/** The rule as it is without exceptions, and who takes from it. */
export interface Excepted {
  readonly rule: Rule;
  readonly by: readonly [GuardrailException, ...GuardrailException[]];
}

export const NO_EXCEPTIONS: readonly GuardrailException[] = [];

/**
 * Says of a request which exceptions hold: those that have not expired and certainly match. Where nobody knows the labels of
 * the namespace an exception does not hold: what it takes from stays. undefined when there are none at all.
 */
export function createActiveExceptions(exceptions: readonly GuardrailException[]): ActiveExceptions | undefined {
  if (exceptions.length === 0) return undefined;
  const tests = exceptions.map((exception) => ({ exception, matches: createMatcher(exception.match) }));
  return (facts) =>
    tests
      .filter(({ exception, matches }) => facts.now < exception.expires && matches(facts) === 'yes')
      .map(({ exception }) => exception);
}

/** The rule without what these exceptions take from it. */
export function withExceptions(applied: AppliedRule, exceptions: readonly GuardrailException[]): AppliedRule {
  const [first, ...others] = exceptions.filter(({ rules }) => rules.some(({ id }) => id === applied.rule.id));
  if (first === undefined) return applied;
  const by = [first, ...others] as const;
  return { ...applied, rule: leftOf(applied.rule, by), excepted: { rule: applied.rule, by: [...by] } };
}

/** What the rule would have found, with the exception that it is due to; `left` is what it still finds. */
export function exceptedFindings(
  { settings, excepted }: AppliedRule,
  facts: Facts,
  left: readonly Finding[],
): readonly { readonly finding: Finding; readonly exception: GuardrailException }[] {
  if (excepted === undefined) return [];
  const { rule, by } = excepted;
  const stays = new Set(left.map(({ path, message }) => `${path} ${message}`));
  return rule
    .check(facts, settings)
    .filter(({ path, message }) => !stays.has(`${path} ${message}`))
    .map((finding) => ({ finding, exception: by.find((one) => isDueTo(finding, one, facts)) ?? by[0] }));
}

function leftOf(rule: Rule, by: readonly GuardrailException[]): Rule {
  if (by.some(({ containers }) => containers === undefined)) return nothingOf(rule);
  const { matches } = createGlobs(by.flatMap(({ containers }) => containers ?? []));
  return withoutContainers(rule, matches);
}

function nothingOf(rule: Rule): Rule {
  return { ...rule, check: () => NO_FINDINGS, sums: () => NO_SUMS, fix: () => [] };
}

function isDueTo(finding: Finding, { containers }: GuardrailException, facts: Facts): boolean {
  return containers === undefined || isAboutContainer(finding, facts, createGlobs(containers).matches);
}
