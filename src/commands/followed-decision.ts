// What decides while podrail serves: the guardrails in force, which are followed, and the cluster.
import type { Registry } from 'prom-client';
import type { ProcessLog } from '../admission/process-log.ts';
import { review } from '../admission/review.ts';
import { createRecordIds } from '../audit/record-id.ts';
import { createRetries } from '../audit/retries.ts';
import type { Config } from '../config.ts';
import { createBaseline } from '../guardrails/baseline.ts';
import type { Answer } from '../http/reviews.ts';
import { decisionFilesOf, readDecisionFiles } from './decision-files.ts';
import { followGuardrails } from './follow-guardrails.ts';
import { createPolicyMetrics } from './policy-metrics.ts';
import { createReloadMetrics } from './reload-metrics.ts';

/** What is answered to one request. */
export type Decision = (...request: Parameters<Answer>) => ReturnType<typeof review>;

/**
 * Every decision is by the guardrails that are in force when it begins; it is over before others can come into force. Throws UsageError with
 * every mistake in the files to begin with.
 */
export function createDecision(
  config: Config,
  registry: Registry,
  log: ProcessLog,
): { readonly decide: Decision; readonly unfollow: () => void } {
  const baseline = createBaseline(config.baselineMode, config.baselineRules, config.baselineOff);
  // Both, so that every mistake in either is said at once.
  const { cluster } = readDecisionFiles(baseline, config.guardrails, config.cluster, new Date());
  const { first, close } = followGuardrails({
    paths: config.guardrails,
    *read() {
      const { policy, warnings } = yield* decisionFilesOf(baseline, config.guardrails, [], new Date());
      for (const warning of warnings) log.warn({}, warning);
      return policy;
    },
    log,
    onChange(policy) {
      context = { ...context, policy };
    },
    onRead: createReloadMetrics(registry),
  });
  createPolicyMetrics(registry, () => context.policy);
  let context = {
    policy: first,
    cluster,
    version: config.kubernetesVersion,
    ownNamespace: config.namespace,
    onFault: config.onFault,
    auditLevel: config.auditLevel,
    now: () => new Date(),
    elapsedMs: () => performance.now(),
    recordIds: createRetries(createRecordIds()),
  };
  return { decide: (text, phase) => review(text, phase, context), unfollow: close };
}
