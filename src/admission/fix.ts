// The fixes of one request, one after the other, each on the pod that the earlier ones have left.
import jsonpatch from 'jsonpatch';
import type { AppliedRule } from '../guardrails/policy.ts';
import type { PatchOperation } from '../model/json-patch.ts';
import type { Facts } from '../rules/facts.ts';
import type { Fault, JudgedFinding } from './verdict.ts';

export interface Fixes {
  readonly patch: readonly PatchOperation[];
  /** What was found before it was fixed, for the record. */
  readonly fixed: readonly JudgedFinding[];
  readonly faults: readonly Fault[];
}

/** Gives the facts of a pod that a patch has changed. */
export type Refacts = (json: unknown) => Facts;

const NONE: Fixes = { patch: [], fixed: [], faults: [] };

/**
 * The patch of every rule in mode `fix`. `json` is the pod as it was read; an earlier rule's patch is applied to it before
 * a later rule looks. A fix that throws is a fault that refuses nothing (the validating phase judges what is left), and leaves
 * the others as they are.
 */
export function fix(facts: Facts, json: unknown, rules: readonly AppliedRule[], refacts: Refacts): Fixes {
  const fixing = rules.filter(({ mode, rule }) => mode === 'fix' && rule.fix !== undefined);
  if (fixing.length === 0) return NONE;
  const made: Made = { patch: [], fixed: [], faults: [] };
  let now: Now = { facts, json, unapplied: [] };
  for (const applied of fixing) {
    try {
      now = apply(applied, now.unapplied.length > 0 ? patched(now, refacts) : now, made);
    } catch (error) {
      made.faults.push({ rule: applied.rule.id, guardrail: applied.guardrail, error: error as Error, denies: false });
    }
  }
  return made;
}

function apply(applied: AppliedRule, now: Now, made: Made): Now {
  const patch = applied.rule.fix?.(now.facts, applied.settings) ?? [];
  if (patch.length === 0) return now;
  for (const operation of patch) made.patch.push(operation);
  for (const finding of repaired(now.facts, applied)) made.fixed.push(finding);
  return { ...now, unapplied: patch };
}

interface Made {
  readonly patch: PatchOperation[];
  readonly fixed: JudgedFinding[];
  readonly faults: Fault[];
}

interface Now {
  readonly facts: Facts;
  readonly json: unknown;
  /** Applied only when another fix wants to see the result, which is rare. */
  readonly unapplied: readonly PatchOperation[];
}

function patched(now: Now, refacts: Refacts): Now {
  const json: unknown = jsonpatch.apply_patch(now.json, [...now.unapplied]);
  return { facts: refacts(json), json, unapplied: [] };
}

function repaired(facts: Facts, { rule, guardrail, settings }: AppliedRule): readonly JudgedFinding[] {
  if (rule.quietFix) return [];
  return rule.check(facts, settings).map((finding) => ({ ...finding, rule: rule.id, guardrail, mode: 'fix' }));
}
