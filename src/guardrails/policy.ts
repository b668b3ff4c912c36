// Guardrails × request → the rules to run. Every guardrail that matches applies, and each can only add restrictions.
import type { Facts, Scope } from '../rules/facts.ts';
import { RULES } from '../rules/index.ts';
import type { Rule } from '../rules/rule.ts';
import type { Guardrail } from './guardrail.ts';
import type { Mode } from './mode.ts';
import { createExclusion, createMatcher, type Match } from './selectors.ts';

/** One rule as one guardrail wants it. */
export interface AppliedRule {
  readonly rule: Rule;
  readonly guardrail: string;
  readonly mode: Mode;
  readonly settings: unknown;
}

export interface Selection {
  /** In the order of the rule list; the same rule may stand several times, once for each guardrail. */
  readonly rules: readonly AppliedRule[];
  /** Guardrails nobody can say whether they match: an unknown namespace is never a silent allow. */
  readonly undecided: readonly Undecided[];
}

export interface Undecided {
  readonly guardrail: string;
  /** Whether a rule of it that would have been asked would have refused. */
  readonly enforces: boolean;
}

export interface Policy {
  readonly guardrails: readonly Guardrail[];
  readonly select: (facts: Facts) => Selection;
}

interface Candidate {
  readonly place: number;
  readonly name: string;
  readonly matches: (facts: Facts) => Match;
  readonly byScope: Readonly<Record<Scope, readonly AppliedRule[]>>;
}

const MOST_MERGED = 1_000;
const NOBODY: readonly Undecided[] = [];
const ORDER: ReadonlyMap<string, number> = new Map(RULES.map((rule, position) => [rule.id, position]));

/** The policy of these guardrails, in this order: the earlier one's fix is made first. */
export function createPolicy(guardrails: readonly Guardrail[]): Policy {
  const candidates = guardrails.map(toCandidate);
  // The same few guardrails match again and again, so their merged list is kept, up to MOST_MERGED sets of them.
  const merged = new Map<string, readonly AppliedRule[]>();
  return {
    guardrails,
    select(facts) {
      const matching: Candidate[] = [];
      let undecided: Undecided[] | undefined;
      for (const candidate of candidates) {
        const match = candidate.matches(facts);
        if (match === 'yes') matching.push(candidate);
        else if (match === 'unknown' && candidate.byScope[facts.scope].length > 0) {
          (undecided ??= []).push(toUndecided(candidate, facts.scope));
        }
      }
      return { rules: mergedRules(merged, matching, facts.scope), undecided: undecided ?? NOBODY };
    },
  };
}

function toCandidate(guardrail: Guardrail, place: number): Candidate {
  const included = createMatcher(guardrail.match);
  const excluded = createExclusion(guardrail.exclude);
  const rules = guardrail.rules.map(({ rule, mode, settings }) => ({
    rule,
    guardrail: guardrail.name,
    mode,
    settings,
  }));
  const inScope = (scope: Scope): readonly AppliedRule[] => rules.filter(({ rule }) => rule.scopes.includes(scope));
  return {
    place,
    name: guardrail.name,
    matches: (facts) => both(included(facts), excluded(facts)),
    byScope: { create: inScope('create'), resize: inScope('resize'), update: inScope('update') },
  };
}

function toUndecided({ name, byScope }: Candidate, scope: Scope): Undecided {
  return { guardrail: name, enforces: byScope[scope].some(({ mode }) => mode === 'enforce' || mode === 'fix') };
}

function both(included: Match, excluded: Match): Match {
  if (included === 'no' || excluded === 'yes') return 'no';
  return included === 'yes' && excluded === 'no' ? 'yes' : 'unknown';
}

function mergedRules(
  merged: Map<string, readonly AppliedRule[]>,
  matching: readonly Candidate[],
  scope: Scope,
): readonly AppliedRule[] {
  const [only] = matching;
  if (only && matching.length === 1) return only.byScope[scope];
  const key = `${scope} ${matching.map((candidate) => candidate.place).join(' ')}`;
  let rules = merged.get(key);
  if (rules === undefined) {
    rules = matching.flatMap((candidate) => candidate.byScope[scope]).sort((a, b) => position(a) - position(b));
    if (merged.size >= MOST_MERGED) merged.clear();
    merged.set(key, rules);
  }
  return rules;
}

function position(applied: AppliedRule): number {
  return ORDER.get(applied.rule.id) ?? RULES.length;
}
