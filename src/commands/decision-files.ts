// What a decision needs beside the request, from files: the guardrails (before the baseline) and the cluster.
import type { ClusterOfObjects } from '../cluster/cluster-objects.ts';
import { readClusterFiles } from '../cluster/files.ts';
import { readTextFiles, type TextFile } from '../cluster/text-files.ts';
import { expiredExceptions } from '../guardrails/exception.ts';
import type { Guardrail } from '../guardrails/guardrail.ts';
import { type Mistake, toMistakeText } from '../guardrails/mistake.ts';
import { createLines } from '../guardrails/places.ts';
import { createPolicy, type Policy } from '../guardrails/policy.ts';
import { allGuardrailsOf, type Guardrails } from '../guardrails/read-guardrails.ts';
import { atOnce, type Steps } from '../guardrails/steps.ts';
import { splitDocuments } from '../manifests/split.ts';
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
  return atOnce(decisionFilesOf(baseline, guardrailPaths, clusterPaths, now));
}

/** As readDecisionFiles, a guardrail at a step: for whom has requests to answer meanwhile. */
export function* decisionFilesOf(
  baseline: Guardrail,
  guardrailPaths: readonly string[],
  clusterPaths: readonly string[],
  now: Date,
): Steps<DecisionFiles> {
  const { guardrails, exceptions, mistakes, warnings } = yield* guardrailFilesOf(guardrailPaths);
  const cluster = readClusterFiles(clusterPaths);
  const all: readonly Mistake[] = [...mistakes, ...cluster.mistakes];
  if (all.length > 0) throw new UsageError(...all.map(toMistakeText));
  return {
    policy: createPolicy([...guardrails, baseline], exceptions),
    cluster: cluster.view,
    warnings: [...warnings, ...expiredExceptions(exceptions, now)].map(toMistakeText),
  };
}

// More guardrails than a large cluster has; a YAML reader takes seconds for more, and gigabytes.
const MOST_BYTES = 8 * 1024 * 1024;
// Nothing else is done while one document is parsed, which takes a YAML reader a second for each megabyte or two.
const MOST_CHARACTERS = 512 * 1024;

/** Guardrails and exceptions of files and folders; what could not be read at all is among the mistakes. */
export function readGuardrailFiles(paths: readonly string[]): Guardrails {
  return atOnce(guardrailFilesOf(paths));
}

function* guardrailFilesOf(paths: readonly string[]): Steps<Guardrails> {
  const { files, mistakes } = readGuardrailTexts(paths);
  const read = yield* allGuardrailsOf(files);
  return { ...read, mistakes: [...mistakes, ...read.mistakes] };
}

type TextFiles = ReturnType<typeof readTextFiles>;

/** What is in those files, and which of them cannot be read, or are too large to be, by themselves or together. */
export function readGuardrailTexts(paths: readonly string[]): TextFiles {
  const { files, mistakes } = readTextFiles(paths, MOST_BYTES);
  const large = files.map(largeDocuments);
  const others = withinSum(files.filter((_, index) => large[index]?.length === 0));
  return { files: others.files, mistakes: [...mistakes, ...large.flat(), ...others.mistakes] };
}

function largeDocuments({ file, text }: TextFile): readonly Mistake[] {
  const message = `this document is larger than the ${MOST_CHARACTERS / 1024} KiB that are read of one; split it with a line of ---`;
  const large = [...splitDocuments(text)].filter((part) => part.text.length > MOST_CHARACTERS);
  const toPlace = createLines(text);
  return large.map(({ start }) => ({ file, ...toPlace(start), message }));
}

function withinSum(files: readonly TextFile[]): TextFiles {
  let sum = 0;
  const past = files.findIndex(({ text }) => {
    sum += Buffer.byteLength(text);
    return sum > MOST_BYTES;
  });
  const file = files[past]?.file;
  if (file === undefined) return { files, mistakes: [] };
  const message = `with it the files of guardrails have more than the ${MOST_BYTES / 1024 / 1024} MiB that are read of all together`;
  return { files: files.slice(0, past), mistakes: [{ file, line: 0, column: 0, message }] };
}
