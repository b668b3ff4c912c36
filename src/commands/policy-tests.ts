// PolicyTests made ready to run: every guardrail, cluster, pod and patch that they name is read, and every mistake found.
import { toClusterView } from '../cluster/cluster-objects.ts';
import { createBaseline } from '../guardrails/baseline.ts';
import type { Mistake } from '../guardrails/mistake.ts';
import { createPolicy } from '../guardrails/policy.ts';
import type { JsonObject } from '../model/json-fields.ts';
import { asKept } from '../trial/as-sent.ts';
import { type CaseResult, toCaseResult } from '../trial/case-result.ts';
import { applyPatchSource } from '../trial/one-patch.ts';
import type { PolicyCase, PolicyTest } from '../trial/policy-test.ts';
import { requesterOf } from '../trial/requester.ts';
import { type Trial, type TrialSetting, tryCreate, tryResize } from '../trial/trial.ts';
import { NEWEST_VERSION } from './flags.ts';
import { type Named, readNamedCluster, readNamedGuardrails, readNamedPatch, readNamedPod } from './test-sources.ts';
import { toTrialContext } from './trial-context.ts';

/** One case, ready to run. */
export interface RunnableCase {
  readonly test: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly run: () => CaseResult;
}

/** The cases of one test; mistakes are pushed, and then there are none. `now` counts where a case does not say when it is. */
export function toRunnable(test: PolicyTest, now: Date, mistakes: Mistake[]): readonly RunnableCase[] {
  const { document, spec, name } = test;
  const before = mistakes.length;
  const at = (...path: readonly PropertyKey[]): Named => ({ document, path: ['spec', ...path] });
  const { guardrails, exceptions } = readNamedGuardrails(spec.guardrails, at('guardrails'), mistakes);
  const objects = readNamedCluster(spec.cluster, at('cluster'), mistakes);
  const files = {
    policy: createPolicy([...guardrails, createBaseline(spec.baseline)], exceptions),
    cluster: toClusterView(objects),
  };
  const cases = spec.cases.map((one, index): RunnableCase => {
    const version = one.kubernetesVersion ?? spec.kubernetesVersion ?? NEWEST_VERSION;
    const moment = one.now ?? spec.now ?? now;
    const setting = {
      context: toTrialContext(files, version, () => moment),
      requester: requesterOf(one.requester ?? spec.requester ?? {}),
    };
    const attempt = toTrial(one, at('cases', index), setting, mistakes);
    const place = document.at(['spec', 'cases', index]);
    const run = (): CaseResult => toCaseResult(attempt(), one.expect);
    return { test: name, name: one.name, file: document.file, ...place, run };
  });
  return mistakes.length > before ? [] : cases;
}

function toTrial(one: PolicyCase, named: Named, setting: TrialSetting, mistakes: Mistake[]): () => Trial {
  const at = (key: string): Named => ({ ...named, path: [...named.path, key] });
  const pod = readNamedPod(one.pod, at('pod'), mistakes);
  const requested =
    one.resized === undefined
      ? patchedPod(one, pod, at('patch'), setting, mistakes)
      : readNamedPod(one.resized, at('resized'), mistakes);
  const isCreate = one.patch === undefined && one.resized === undefined;
  // Nothing runs while there is a mistake, so what is missing is never asked for.
  return () => (isCreate ? tryCreate(pod, setting) : tryResize(pod, requested, setting));
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
