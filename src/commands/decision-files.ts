// What a decision needs beside the request, from files: the guardrails (before the baseline) and the cluster.
import type { ClusterOfObjects } from '../cluster/cluster-objects.ts';
import { readClusterFiles } from '../cluster/files.ts';
import { readTextFiles } from '../cluster/text-files.ts';
import { type Guardrail, readGuardrails } from '../guardrails/guardrail.ts';
import { type Mistake, toMistakeText } from '../guardrails/mistake.ts';
import { createPolicy, type Policy } from '../guardrails/policy.ts';
import { UsageError } from './usage-error.ts';

export interface DecisionFiles {
  readonly policy: Policy;
  readonly cluster: ClusterOfObjects;
}

/**
 * Reads both. The baseline comes last: what an operator has injected is not overridden by its defaults. Throws UsageError with every mistake in every
 * file.
 */
export function readDecisionFiles(
  baseline: Guardrail,
  guardrailPaths: readonly string[],
  clusterPaths: readonly string[],
): DecisionFiles {
  const guardrails = readGuardrailFiles(guardrailPaths);
  const cluster = readClusterFiles(clusterPaths);
  const mistakes = [...guardrails.mistakes, ...cluster.mistakes];
  if (mistakes.length > 0) throw new UsageError(...mistakes.map(toMistakeText));
  return { policy: createPolicy([...guardrails.guardrails, baseline]), cluster: cluster.view };
}

function readGuardrailFiles(paths: readonly string[]): {
  readonly guardrails: readonly Guardrail[];
  readonly mistakes: readonly Mistake[];
} {
  const { files, mistakes } = readTextFiles(paths);
  const read = files.map(({ file, text }) => readGuardrails(text, file));
  return {
    guardrails: read.flatMap((one) => one.guardrails),
    mistakes: [...mistakes, ...read.flatMap((one) => one.mistakes)],
  };
}
