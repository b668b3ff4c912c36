// Findings × modes → Verdict: what was decided about one request.
import { exceptedFindings } from '../guardrails/excepted.ts';
import type { AppliedRule } from '../guardrails/policy.ts';
import type { Mode } from '../guardrails/mode.ts';
import type { PatchOperation } from '../model/json-patch.ts';
import type { Facts } from '../rules/facts.ts';
import type { Finding } from '../rules/rule.ts';

/** A finding with who found it and how much it weighs. */
export interface JudgedFinding extends Finding {
  readonly rule: string;
  readonly guardrail: string;
  /** The mode it was judged in: advice is never more than `warn`. */
  readonly mode: Mode;
}

/** A finding that an exception keeps from weighing anything. */
export interface ExceptedFinding extends Finding {
  readonly rule: string;
  readonly guardrail: string;
  readonly exception: string;
  /** The exception's own reason. */
  readonly reason: string;
}

/** What could not be judged: a rule that threw, a guardrail nobody could match, an object that could not be read. */
export interface Fault {
  readonly rule: string | undefined;
  readonly guardrail: string | undefined;
  readonly error: Error;
  /** Whether it refuses the request (`onFault: deny`, and the rule would have enforced). */
  readonly denies: boolean;
}

export interface Verdict {
  readonly allowed: boolean;
  readonly violations: readonly JudgedFinding[];
  readonly warnings: readonly JudgedFinding[];
  readonly audited: readonly JudgedFinding[];
  /** What a fix has repaired, said to the client as a warning. */
  readonly fixed: readonly JudgedFinding[];
  /** What was found and is excepted: for the record, and for nobody else. */
  readonly excepted: readonly ExceptedFinding[];
  readonly faults: readonly Fault[];
  readonly patch: readonly PatchOperation[];
  /** How many findings there were beyond the first MOST_FINDINGS of each weight: counted, and not said one by one. */
  readonly unsaid: number;
  /** Warnings that are no finding, such as edits that a resize drops. */
  readonly notices: readonly string[];
}

/** What happens to a request that cannot be judged: refused, or let through with a warning. */
export type OnFault = 'deny' | 'allow';

const NOTHING: readonly never[] = [];

/** Nothing was found. */
export const PASS: Verdict = {
  allowed: true,
  violations: NOTHING,
  warnings: NOTHING,
  audited: NOTHING,
  fixed: NOTHING,
  excepted: NOTHING,
  faults: NOTHING,
  patch: NOTHING,
  unsaid: 0,
  notices: NOTHING,
};

/** Nobody reads more, and a request that breaks a rule a thousand times must not make a record of megabytes. */
const MOST_FINDINGS = 50;

/** Asks every rule in turn. A conclusive violation ends it: later rules would say the same in other words. */
export function judge(facts: Facts, rules: readonly AppliedRule[], onFault: OnFault): Verdict {
  let verdict: Judgement | undefined;
  for (const applied of rules) {
    if (verdict?.concludedBy !== undefined && verdict.concludedBy !== applied.rule.id) break;
    const findings = ask(facts, applied);
    // Most rules have nothing to say, and then nothing is allocated for them.
    if (isSilent(applied, findings)) continue;
    verdict ??= createJudgement();
    addExcepted(verdict, applied, facts, findings);
    if (findings instanceof Error) verdict.faults.push(toFault(applied, findings, onFault));
    else weighAll(verdict, applied, findings);
  }
  return verdict === undefined ? PASS : settled(verdict);
}

function isSilent({ excepted }: AppliedRule, findings: readonly Finding[] | Error): boolean {
  return excepted === undefined && !(findings instanceof Error) && findings.length === 0;
}

/** A rule that could not be asked; it refuses the request only where its mode would have. */
function toFault({ rule, guardrail, mode }: AppliedRule, error: Error, onFault: OnFault): Fault {
  const enforces = mode === 'enforce' || mode === 'fix';
  return { rule: rule.id, guardrail, error, denies: enforces && onFault === 'deny' };
}

interface Judgement {
  /** The id of the rule with a conclusive violation; other guardrails may still have their say about the same rule. */
  concludedBy: string | undefined;
  unsaid: number;
  readonly violations: JudgedFinding[];
  readonly warnings: JudgedFinding[];
  readonly audited: JudgedFinding[];
  readonly excepted: ExceptedFinding[];
  readonly faults: Fault[];
}

function createJudgement(): Judgement {
  return { concludedBy: undefined, unsaid: 0, violations: [], warnings: [], audited: [], excepted: [], faults: [] };
}

function settled({ violations, warnings, audited, excepted, faults, unsaid }: Judgement): Verdict {
  const allowed = violations.length === 0 && !faults.some((fault) => fault.denies);
  return { ...PASS, allowed, violations, warnings, audited, excepted, faults, unsaid };
}

function ask(facts: Facts, { rule, settings }: AppliedRule): readonly Finding[] | Error {
  try {
    return rule.check(facts, settings);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

// Costs something only where an exception holds. A rule that fails is a fault of what it still judges, if that is anything.
function addExcepted(
  { excepted }: Judgement,
  applied: AppliedRule,
  facts: Facts,
  left: readonly Finding[] | Error,
): void {
  if (applied.excepted === undefined) return;
  try {
    for (const { finding, exception } of exceptedFindings(applied, facts, left instanceof Error ? [] : left)) {
      const { name, reason } = exception;
      const { rule, guardrail } = applied;
      if (excepted.length >= MOST_FINDINGS) return;
      excepted.push({ ...finding, rule: rule.id, guardrail, exception: name, reason });
    }
  } catch {}
}

function weighAll(verdict: Judgement, applied: AppliedRule, findings: readonly Finding[]): void {
  if (isQuietLeftover(applied)) return;
  for (const finding of findings) weigh(verdict, applied, finding);
}

function weigh(verdict: Judgement, { rule, guardrail, mode }: AppliedRule, finding: Finding): void {
  const weight = weightOf(mode, finding);
  const judged: JudgedFinding = { ...finding, rule: rule.id, guardrail, mode: weight };
  const said = weight === 'enforce' ? verdict.violations : weight === 'warn' ? verdict.warnings : verdict.audited;
  if (weight === 'enforce' && finding.conclusive) verdict.concludedBy = rule.id;
  if (said.some((other) => isSame(other, judged))) return;
  if (said.length < MOST_FINDINGS) said.push(judged);
  else verdict.unsaid++;
}

// A fix that only writes down what is true without it leaves nothing worth telling, made or not.
function isQuietLeftover({ rule, mode }: AppliedRule): boolean {
  return mode === 'fix' && rule.quietFix === true;
}

// What a fix has left over is enforced.
function weightOf(mode: Mode, finding: Finding): 'enforce' | 'warn' | 'audit' {
  if (mode === 'audit') return 'audit';
  return mode === 'warn' || finding.advice ? 'warn' : 'enforce';
}

// Two guardrails with the same bound find the same: it is said once.
function isSame(a: JudgedFinding, b: JudgedFinding): boolean {
  return a.rule === b.rule && a.path === b.path && a.message === b.message;
}
