// What one case of a PolicyTest came to, held against what it expects.
import type { JudgedFinding, Verdict } from '../admission/verdict.ts';
import { joinWords } from '../rules/message.ts';
import { differencesFrom } from './expected-pod.ts';
import type { ExpectedVerdict, VerdictName } from './policy-case.ts';
import type { Trial } from './trial.ts';

export interface CaseResult {
  readonly verdict: VerdictName;
  /** The rules named for it, sorted. */
  readonly rules: readonly string[];
  /** What the person is told. */
  readonly said: readonly string[];
  /** How it differs from what was expected; empty when the case passes. */
  readonly problems: readonly string[];
}

export function toCaseResult(trial: Trial, expected: ExpectedVerdict): CaseResult {
  const { verdicts } = trial;
  const verdict = verdictOf(trial);
  const rules = [...new Set(findingsFor(verdict, verdicts).map(({ rule }) => rule))].sort();
  const said = [...trial.denials, ...trial.warnings];
  return { verdict, rules, said, problems: problemsOf({ verdict, rules, said }, trial, expected) };
}

function verdictOf({ allowed, verdicts }: Trial): VerdictName {
  if (!allowed) return 'deny';
  if (verdicts.some(({ fixed }) => fixed.length > 0)) return 'fix';
  return verdicts.some(({ warnings, faults }) => warnings.length + faults.length > 0) ? 'warn' : 'allow';
}

function findingsFor(verdict: VerdictName, verdicts: readonly Verdict[]): readonly JudgedFinding[] {
  if (verdict === 'deny') return verdicts.flatMap(({ violations }) => violations);
  return verdicts.flatMap(({ fixed, warnings }) => [...fixed, ...warnings]);
}

type Result = Omit<CaseResult, 'problems'>;

function problemsOf({ verdict, rules, said }: Result, trial: Trial, expected: ExpectedVerdict): readonly string[] {
  const problems: string[] = [];
  if (verdict !== expected.verdict) problems.push(`the verdict must be ${expected.verdict}; it is ${verdict}`);
  const wanted = expected.rules && [...new Set(expected.rules)].sort();
  if (wanted !== undefined && wanted.join() !== rules.join())
    problems.push(`the rules must be ${namesOf(wanted)}; they are ${namesOf(rules)}`);
  for (const message of expected.messages ?? []) {
    if (!said.some((line) => line.includes(message))) problems.push(`nothing says ${JSON.stringify(message)}`);
  }
  return [...problems, ...differencesFrom(expected.pod ?? {}, trial.pod)];
}

function namesOf(rules: readonly string[]): string {
  return rules.length === 0 ? 'none' : joinWords(rules);
}
