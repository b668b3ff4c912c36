// What a decision needs beside the request, from files: the guardrails (before the baseline) and the cluster.
import type { ClusterOfObjects } from '../cluster/cluster-objects.ts';
import { readClusterFiles } from '../cluster/files.ts';
import { readTextFiles } from '../cluster/text-files.ts';
import { expiredExceptions } from '../guardrails/exception.ts';
import type { Guardrail } from '../guardrails/guardrail.ts';
import { type Mistake, toMistakeText } from '../guardrails/mistake.ts';
import { createPolicy, type Policy } from '../guardrails/policy.ts';
import { type Guardrails, readAllGuardrails } from '../guardrails/read-guardrails.ts';
import { UsageError } from './usage-error.ts';

export interface DecisionFiles {
  readonly policy: Policy;
  readonly cluster: ClusterOfObjects;
  /** `file:line:column …`: what is no mistake and yet to be told, such as an exception that has expired. */
  readonly warnings: readonly string[];
}

/**
 * Reads both. The baseline comes last: what an operator has injected is not overridden by its defaults. Throws UsageError with every mistake in every
 * file.
 */
export function readDecisionFiles(
  baseline: Guardrail,
  guardrailPaths: readonly string[],
  clusterPaths: readonly string[],
  now: Date,
): DecisionFiles {
  const { guardrails, exceptions, mistakes, warnings } = readGuardrailFiles(guardrailPaths);
  const cluster = readClusterFiles(clusterPaths);
  const all: readonly Mistake[] = [...mistakes, ...cluster.mistakes];
  if (all.length > 0) throw new UsageError(...all.map(toMistakeText));
  return {
    policy: createPolicy([...guardrails, baseline], exceptions),
    cluster: cluster.view,
    warnings: [...warnings, ...expiredExceptions(exceptions, now)].map(toMistakeText),
  };
}

// A hundred times what an API server holds in one object; a YAML reader takes seconds for more, and gigabytes.
const MOST_BYTES = 8 * 1024 * 1024;

/** Guardrails and exceptions of files and folders; what could not be read at all is among the mistakes. */
export function readGuardrailFiles(paths: readonly string[]): Guardrails {
  const { files, mistakes } = readGuardrailTexts(paths);
  const read = readAllGuardrails(files);
  return { ...read, mistakes: [...mistakes, ...read.mistakes] };
}

/** What is in those files, and which of them cannot be read, or are too large to be. */
export function readGuardrailTexts(paths: readonly string[]): ReturnType<typeof readTextFiles> {
  return readTextFiles(paths, MOST_BYTES);
}
