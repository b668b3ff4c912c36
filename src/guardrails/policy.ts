// Guardrails × exceptions × request → the rules to run. Every guardrail that matches applies, and each can only add restrictions.
import type { Facts, Scope } from '../rules/facts.ts';
import { RULES } from '../rules/index.ts';
import type { Rule } from '../rules/rule.ts';
import { withoutContainers } from './containers.ts';
import type { GuardrailException } from './exception.ts';
import {
  type ActiveExceptions,
  createActiveExceptions,
  type Excepted,
  NO_EXCEPTIONS,
  withExceptions,
} from './excepted.ts';
import type { Guardrail } from './guardrail.ts';
import type { Mode } from './mode.ts';
import { createExclusion, createMatcher, createNameFilter, type Match, type MayConcern } from './selectors.ts';
import { createGlobs } from '../model/glob.ts';

/** One rule as one guardrail wants it, for one request. */
export interface AppliedRule {
  /** Without what exceptions and excluded containers take from it. */
  readonly rule: Rule;
  readonly guardrail: string;
  readonly mode: Mode;
  readonly settings: unknown;
  /** Only where an exception takes something from the rule. */
  readonly excepted?: Excepted;
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
  readonly exceptions: readonly GuardrailException[];
  readonly select: (facts: Facts) => Selection;
}

interface Candidate {
  readonly place: number;
  readonly name: string;
  readonly mayConcern: MayConcern;
  readonly matches: (facts: Facts) => Match;
  readonly byScope: Readonly<Record<Scope, readonly AppliedRule[]>>;
  readonly activeExceptions: ActiveExceptions | undefined;
}

/** A guardrail that matches, with the exceptions to it that hold for the request. */
interface Matching {
  readonly candidate: Candidate;
  readonly exceptions: readonly GuardrailException[];
}

const MOST_KEPT = 1_000;
const NOBODY: readonly Undecided[] = [];
const ORDER: ReadonlyMap<string, number> = new Map(RULES.map((rule, position) => [rule.id, position]));

/** The policy of these guardrails, in this order: the earlier one's fix is made first. */
export function createPolicy(guardrails: readonly Guardrail[], exceptions: readonly GuardrailException[] = []): Policy {
  const candidates = guardrails.map((guardrail, place) => toCandidate(guardrail, place, exceptions));
  // Of many guardrails few are for one namespace and one user, and the same few match again and again.
  const concerned = createKept<readonly Candidate[]>();
  const merged = createKept<readonly AppliedRule[]>();
  return {
    guardrails,
    exceptions,
    select(facts) {
      const matching: Matching[] = [];
      let undecided: Undecided[] | undefined;
      let key: string = facts.scope;
      const [namespace, user] = [facts.namespace.name, facts.requester.name];
      const near = concerned(`${namespace} ${user}`, () => candidates.filter((one) => one.mayConcern(namespace, user)));
      for (const candidate of near) {
        const match = candidate.matches(facts);
        if (match === 'yes') {
          const holding = candidate.activeExceptions?.(facts) ?? NO_EXCEPTIONS;
          matching.push({ candidate, exceptions: holding });
          key += ` ${candidate.place}`;
          for (const exception of holding) key += `-${exceptions.indexOf(exception)}`;
        } else if (match === 'unknown' && candidate.byScope[facts.scope].length > 0) {
          (undecided ??= []).push(toUndecided(candidate, facts.scope));
        }
      }
      return { rules: merged(key, () => mergedRules(matching, facts.scope)), undecided: undecided ?? NOBODY };
    },
  };
}

function toCandidate(guardrail: Guardrail, place: number, exceptions: readonly GuardrailException[]): Candidate {
  const { name, match, exclude } = guardrail;
  const included = createMatcher(match);
  const excluded = createExclusion(exclude);
  const excludedContainers = createGlobs(exclude.containers ?? []);
  const rules = guardrail.rules.map(({ rule, mode, settings }) => ({
    rule: excludedContainers.globs.length === 0 ? rule : withoutContainers(rule, excludedContainers.matches),
    guardrail: name,
    mode,
    settings,
  }));
  const inScope = (scope: Scope): readonly AppliedRule[] => rules.filter(({ rule }) => rule.scopes.includes(scope));
  return {
    place,
    name,
    mayConcern: createNameFilter(match),
    matches: (facts) => both(included(facts), excluded(facts)),
    byScope: { create: inScope('create'), resize: inScope('resize'), update: inScope('update') },
    activeExceptions: createActiveExceptions(exceptions.filter((exception) => exception.guardrail === name)),
  };
}

function toUndecided({ name, byScope }: Candidate, scope: Scope): Undecided {
  return { guardrail: name, enforces: byScope[scope].some(({ mode }) => mode === 'enforce' || mode === 'fix') };
}

function both(included: Match, excluded: Match): Match {
  if (included === 'no' || excluded === 'yes') return 'no';
  return included === 'yes' && excluded === 'no' ? 'yes' : 'unknown';
}

function mergedRules(matching: readonly Matching[], scope: Scope): readonly AppliedRule[] {
  return matching
    .flatMap(({ candidate, exceptions }) =>
      candidate.byScope[scope].map((applied) => withExceptions(applied, exceptions)),
    )
    .sort((a, b) => position(a) - position(b));
}

function position(applied: AppliedRule): number {
  return ORDER.get(applied.rule.id) ?? RULES.length;
}

// Keeps what was worked out for a key, up to MOST_KEPT of them: whoever makes keys must not fill the memory.
function createKept<Value>(): (key: string, work: () => Value) => Value {
  const kept = new Map<string, Value>();
  return (key, work) => {
    let value = kept.get(key);
    if (value === undefined) {
      value = work();
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, value);
    }
    return value;
  };
}
