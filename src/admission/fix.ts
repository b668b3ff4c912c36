// The fixes of one request, one after the other, each on the pod that the earlier ones have left.
import jsonpatch from 'jsonpatch';
import type { AppliedRule } from '../guardrails/policy.ts';
import type { PatchOperation } from '../model/json-patch.ts';
import type { Facts } from '../rules/facts.ts';
import { keptRules, spoils } from './spoils.ts';
import { toFixed } from './to-fixed.ts';
import type { Fault, JudgedFinding } from './verdict.ts';

export interface Fixes {
  readonly patch: readonly PatchOperation[];
  /** What was found before it was fixed, and what was given in its place. */
  readonly fixed: readonly JudgedFinding[];
  readonly faults: readonly Fault[];
}

export interface Fixed {
  readonly fixes: Fixes;
  /** Of the pod after all fixes but quiet ones, which only write down what is true without them. */
  readonly facts: Facts;
}

/** Gives the facts of a pod that a patch has changed. */
export type Refacts = (json: unknown) => Facts;

// A rule's fix never breaks what an earlier rule has mended, so two or three passes settle everything.
const MOST_PASSES = 8;
const NO_PATCH: readonly PatchOperation[] = [];
const NONE: Fixes = { patch: [], fixed: [], faults: [] };

/**
 * The patch of every rule in mode `fix`. `json` is the pod as it was read; an earlier rule's patch is applied to it before
 * a later rule looks. A fix that throws is a fault that refuses nothing, and leaves the others as they are. A fix after which Kubernetes or
 * another rule would refuse what it did not refuse before is not made: what it was for is enforced.
 */
export function fix(facts: Facts, json: unknown, rules: readonly AppliedRule[], refacts: Refacts): Fixed {
  let now: Now = { facts, json, unapplied: NO_PATCH, fixes: NONE, shaped: 0, failed: [] };
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const { shaped } = now;
    now = fixAll(now, rules, refacts);
    // A later fix may have made room for one that could not be made; without one there is nothing new to look at.
    if (now.shaped === shaped) break;
  }
  return { fixes: now.fixes, facts: now.facts };
}

interface Now {
  readonly facts: Facts;
  readonly json: unknown;
  /** A quiet fix: applied only when another fix wants to see the result, which is rare. */
  readonly unapplied: readonly PatchOperation[];
  readonly fixes: Fixes;
  /** How many fixes were made that are not quiet. */
  readonly shaped: number;
  /** Rules whose fix has thrown: they are not asked again. */
  readonly failed: readonly AppliedRule[];
}

function fixAll(before: Now, rules: readonly AppliedRule[], refacts: Refacts): Now {
  let now = before;
  for (const applied of rules) {
    if (applied.mode !== 'fix' || applied.rule.fix === undefined || now.failed.includes(applied)) continue;
    try {
      now = fixOne(now, applied, rules, refacts);
    } catch (error) {
      const { rule, guardrail } = applied;
      const faults = [...now.fixes.faults, { rule: rule.id, guardrail, error: error as Error, denies: false }];
      now = { ...now, fixes: { ...now.fixes, faults }, failed: [...now.failed, applied] };
    }
  }
  return now;
}

function fixOne(before: Now, applied: AppliedRule, rules: readonly AppliedRule[], refacts: Refacts): Now {
  const now = before.unapplied.length === 0 ? before : patched(before, before.unapplied, refacts);
  const patch = applied.rule.fix?.(now.facts, applied.settings) ?? NO_PATCH;
  if (patch.length === 0) return now;
  const fixes = { ...now.fixes, patch: [...now.fixes.patch, ...patch] };
  if (applied.rule.quietFix) return { ...now, unapplied: patch, fixes };
  const after = patched(now, patch, refacts);
  if (spoils(now.facts, after.facts, keptRules(applied, rules, now.facts))) return now;
  const fixed = [...fixes.fixed, ...toFixed(applied, now.facts, after.facts)];
  return { ...after, fixes: { ...fixes, fixed }, shaped: now.shaped + 1 };
}

function patched(now: Now, patch: readonly PatchOperation[], refacts: Refacts): Now {
  const json: unknown = jsonpatch.apply_patch(now.json, [...patch]);
  return { ...now, facts: refacts(json), json, unapplied: NO_PATCH };
}
