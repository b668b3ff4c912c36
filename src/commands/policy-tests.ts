// A PolicyTest, run: every guardrail, cluster, pod and patch that it names is read, and every mistake found.
import { toClusterView } from '../cluster/cluster-objects.ts';
import { createBaseline } from '../guardrails/baseline.ts';
import { expiredExceptions } from '../guardrails/exception.ts';
import type { Mistake } from '../guardrails/mistake.ts';
import { createPolicy } from '../guardrails/policy.ts';
import type { JsonObject } from '../model/json-fields.ts';
import { asKept } from '../trial/as-sent.ts';
import { type CaseResult, toCaseResult } from '../trial/case-result.ts';
import { applyPatchSource } from '../trial/one-patch.ts';
import type { PolicyCase, ReadCase } from '../trial/policy-case.ts';
import type { PolicyTest } from '../trial/policy-test.ts';
import { requesterOf } from '../trial/requester.ts';
import { type Trial, type TrialSetting, tryCreate, tryResize } from '../trial/trial.ts';
import { NEWEST_VERSION } from './flags.ts';
import { type Named, readNamedCluster, readNamedGuardrails, readNamedPatch, readNamedPod } from './test-sources.ts';
import { toTrialContext } from './trial-context.ts';

/** One case, and what came of it. */
export interface RanCase {
  readonly test: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** undefined where it could not be run. */
  readonly result: CaseResult | undefined;
  /** Why it could not; none where it is the test that has mistakes. */
  readonly mistakes: readonly Mistake[];
}

export interface RanTest {
  readonly cases: readonly RanCase[];
  /** Of the test itself, and of what all its cases share: with one of them no case is run. */
  readonly mistakes: readonly Mistake[];
  /** What is no mistake and yet to be told, such as an exception that has expired. */
  readonly warnings: readonly Mistake[];
}

/** Runs the cases of one test that can be run, and says of every other why not. `now` counts where a case does not say when it is. */
export function runTest(test: PolicyTest, now: Date): RanTest {
  const { mistakes, warnings, run } = prepare(test, now);
  const cases = test.cases.map((one): RanCase => {
    const place = test.document.at(['spec', 'cases', one.index]);
    // Also beside mistakes of the test, so that all of a case are said at once.
    const ran = one.said === undefined ? unrun(test, one) : run(one.said, one.index);
    const result = mistakes.length > 0 ? undefined : ran.result;
    return { test: test.name, name: one.name, file: test.document.file, ...place, result, mistakes: ran.mistakes };
  });
  return { cases, mistakes, warnings };
}

// What a case with mistakes names may hold others.
function unrun({ document }: PolicyTest, { index, named, mistakes: own }: ReadCase): Ran {
  const mistakes = [...own];
  const at = (key: string): Named => ({ document, path: ['spec', 'cases', index, key] });
  for (const key of ['pod', 'resized'] as const)
    if (named[key] !== undefined) readNamedPod(named[key], at(key), mistakes);
  if (named.patch !== undefined) readNamedPatch(named.patch, at('patch'), mistakes);
  return { mistakes };
}

type Ran = Pick<RanCase, 'mistakes'> & Partial<Pick<RanCase, 'result'>>;

interface Prepared extends Omit<RanTest, 'cases'> {
  readonly run: (said: PolicyCase, index: number) => Ran;
}

/** Reads what all cases share. */
function prepare({ document, spec, mistakes: own }: PolicyTest, now: Date): Prepared {
  const mistakes: Mistake[] = [...own];
  const at = (...path: readonly PropertyKey[]): Named => ({ document, path: ['spec', ...path] });
  const { guardrails, exceptions, warnings } = readNamedGuardrails(spec.guardrails, at('guardrails'), mistakes);
  const files = {
    policy: createPolicy([...guardrails, createBaseline(spec.baseline)], exceptions),
    cluster: toClusterView(readNamedCluster(spec.cluster, at('cluster'), mistakes)),
  };
  const run: Prepared['run'] = (said, index) => {
    const moment = said.now ?? spec.now ?? now;
    const setting = {
      context: toTrialContext(files, said.kubernetesVersion ?? spec.kubernetesVersion ?? NEWEST_VERSION, () => moment),
      requester: requesterOf(said.requester ?? spec.requester ?? {}),
    };
    const found: Mistake[] = [];
    const trial = toTrial(said, at('cases', index), setting, found);
    return trial === undefined ? { mistakes: found } : { mistakes: [], result: toCaseResult(trial, said.expect) };
  };
  return { mistakes, warnings: [...warnings, ...expiredExceptions(exceptions, spec.now ?? now)], run };
}

/** undefined with a mistake, which is pushed. */
function toTrial(one: PolicyCase, named: Named, setting: TrialSetting, mistakes: Mistake[]): Trial | undefined {
  const at = (key: string): Named => ({ ...named, path: [...named.path, key] });
  const pod = readNamedPod(one.pod, at('pod'), mistakes);
  const requested =
    one.resized === undefined
      ? patchedPod(one, pod, at('patch'), setting, mistakes)
      : readNamedPod(one.resized, at('resized'), mistakes);
  if (mistakes.length > 0) return undefined;
  const isCreate = one.patch === undefined && one.resized === undefined;
  return isCreate ? tryCreate(pod, setting) : tryResize(pod, requested, setting);
}

function patchedPod(
  { patch, patchType = 'strategic' }: PolicyCase,
  pod: JsonObject | undefined,
  named: Named,
  { context }: TrialSetting,
  mistakes: Mistake[],
): JsonObject | undefined {
  if (patch === undefined) return undefined;
  const source = readNamedPatch(patch, named, mistakes);
  if (source === undefined || pod === undefined) return undefined;
  const patched = applyPatchSource(asKept(pod, context.version), source, patchType);
  if ('requested' in patched) return patched.requested;
  mistakes.push(...patched.mistakes);
  return undefined;
}
