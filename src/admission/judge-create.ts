// What a cluster would answer to the creation of a pod: both phases, one after the other, as the API server asks them.
import jsonpatch from 'jsonpatch';
import type { PatchOperation } from '../model/json-patch.ts';
import { readPod } from '../model/read-pod.ts';
import type { Requester } from '../rules/facts.ts';
import { decide, type DecisionContext } from './decide.ts';
import { isExempt } from './envelope.ts';
import type { AdmissionRequest, Phase } from './request.ts';
import { type Fault, type JudgedFinding, PASS, type Verdict } from './verdict.ts';

/** A pod that is to be created, as plain values, and by whom. */
export interface Creation {
  readonly pod: unknown;
  readonly namespace: string;
  readonly requester: Requester;
  readonly now: Date;
}

export interface JudgedCreation {
  /**
   * Both phases in one: the fixes and the patch of the mutating phase, what the validating phase finds in the patched pod, and
   * what Kubernetes would refuse between the two.
   */
  readonly verdict: Verdict;
  /** The pod after the patch. */
  readonly patched: unknown;
}

/** Judges one creation; undefined where podrail has no say (see isExempt). */
export function judgeCreation(
  creation: Creation,
  ownNamespace: string,
  context: DecisionContext,
): JudgedCreation | undefined {
  if (isExempt(creation, ownNamespace)) return undefined;
  try {
    return judgeInBothPhases(creation.pod, (pod, phase) => decideOn(creation, pod, phase, context));
  } catch (error) {
    const denies = context.onFault === 'deny';
    const fault: Fault = { rule: undefined, guardrail: undefined, error: error as Error, denies };
    return { verdict: { ...PASS, allowed: !denies, faults: [fault] }, patched: creation.pod };
  }
}

/** One creation, where `ask` gives the verdict of one phase about a pod. */
export function judgeInBothPhases(pod: unknown, ask: (pod: unknown, phase: Phase) => Verdict): JudgedCreation {
  const mutated = ask(pod, 'mutate');
  const patched = withPatch(pod, mutated.patch);
  return { verdict: together(mutated, ask(patched, 'validate')), patched };
}

function decideOn(creation: Creation, pod: unknown, phase: Phase, context: DecisionContext): Verdict {
  const { namespace, requester, now } = creation;
  const request: AdmissionRequest = {
    uid: '',
    scope: 'create',
    namespace,
    dryRun: false,
    requester,
    object: readPod(pod),
    oldObject: undefined,
  };
  return decide(request, pod, phase, now, context).verdict;
}

function withPatch(pod: unknown, patch: readonly PatchOperation[]): unknown {
  return patch.length === 0 ? pod : jsonpatch.apply_patch(pod, [...patch]);
}

// The mutating phase refuses no create: what it warns of is what Kubernetes refuses before the validating phase is asked.
function together(mutated: Verdict, validated: Verdict): Verdict {
  const refused = mutated.warnings
    .filter((warning) => !validated.violations.some((violation) => isSame(violation, warning)))
    .map((warning): JudgedFinding => ({ ...warning, mode: 'enforce' }));
  return {
    ...validated,
    allowed: validated.allowed && refused.length === 0,
    violations: refused.length === 0 ? validated.violations : [...validated.violations, ...refused],
    fixed: mutated.fixed,
    faults: [...mutated.faults, ...validated.faults],
    patch: mutated.patch,
    notices: [...mutated.notices, ...validated.notices],
  };
}

function isSame(a: JudgedFinding, b: JudgedFinding): boolean {
  return a.rule === b.rule && a.path === b.path && a.message === b.message;
}
