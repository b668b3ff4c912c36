// `podrail replay`: one AdmissionReview from a file through the same decision as a request of the API server.
import { Argument, type Command, Option } from 'commander';
import { InvalidReview } from '../admission/invalid-review.ts';
import type { Phase } from '../admission/request.ts';
import { type Reply, review, type ReviewContext } from '../admission/review.ts';
import { createRecordIds } from '../audit/record-id.ts';
import { eachAnew } from '../audit/retries.ts';
import { createBaseline } from '../guardrails/baseline.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import { readDecisionFiles } from './decision-files.ts';
import { addDecisionFlags, NEWEST_VERSION, timeFlag } from './flags.ts';
import { readInput } from './input.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface ReplayFlags {
  readonly phase: Phase;
  readonly guardrails?: readonly string[];
  readonly cluster?: readonly string[];
  readonly kubernetesVersion?: KubernetesVersion;
  readonly now?: Date;
  readonly audit?: true;
}

export function addReplay(program: Command, terminal: Terminal): void {
  const command = program
    .command('replay')
    .summary('what podrail answers to one AdmissionReview')
    .description(
      'Puts one AdmissionReview through the same decision as a request of the API server, and prints the answer as JSON on standard output.',
    )
    .addArgument(new Argument('<review.json>', 'a file with an AdmissionReview; - is standard input'))
    .addOption(
      new Option('--phase <phase>', 'the webhook that is asked').choices(['validate', 'mutate']).default('validate'),
    );
  addDecisionFlags(command)
    .option('--now <time>', 'the moment of the request (default: now)', timeFlag)
    .option('--audit', 'print the audit record on standard error')
    .addHelpText('after', () => helpText(terminal.self))
    .action((file: string, flags: ReplayFlags) => terminal.exit(replay(file, flags, terminal)));
}

/** Prints the answer; 0 when it allows, 1 when it denies. Throws UsageError for what cannot be read. */
export function replay(file: string, flags: ReplayFlags, terminal: Terminal): ExitCode {
  const reply = answer(readInput(file, terminal), file, flags.phase, contextOf(flags, terminal));
  const body = JSON.parse(reply.body) as { readonly response: { readonly allowed: boolean } };
  terminal.out(`${JSON.stringify(body, undefined, 2)}\n`);
  for (const fault of reply.faults) terminal.err(`podrail: ${fault.error.stack ?? fault.error.message}\n`);
  if (flags.audit)
    terminal.err(
      reply.record
        ? `${JSON.stringify(reply.record)}\n`
        : 'podrail: no audit record: this is no request that podrail judges\n',
    );
  return body.response.allowed ? 0 : 1;
}

function contextOf(flags: ReplayFlags, terminal: Terminal): ReviewContext {
  const { guardrails = [], cluster: clusterFiles = [], kubernetesVersion: version = NEWEST_VERSION } = flags;
  const now = flags.now ?? terminal.now();
  const { policy, cluster, warnings } = readDecisionFiles(createBaseline('enforce'), guardrails, clusterFiles, now);
  for (const warning of warnings) terminal.err(`${warning}\n`);
  return {
    policy,
    cluster,
    version,
    ownNamespace: terminal.podNamespace ?? '',
    onFault: 'deny',
    auditLevel: 'all',
    now: () => now,
    elapsedMs: () => performance.now(),
    recordIds: eachAnew(createRecordIds()),
  };
}

function answer(text: string, file: string, phase: Phase, context: ReviewContext): Reply {
  try {
    return review(text, phase, context);
  } catch (error) {
    if (error instanceof InvalidReview) throw new UsageError(`${placeIn(text, file, error.at)} ${error.message}`);
    throw error;
  }
}

// `review.json:12:5`, as every other mistake in a file is told.
function placeIn(text: string, file: string, at: number | undefined): string {
  if (at === undefined) return file;
  const before = text.slice(0, at).split('\n');
  return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

function helpText(self: string): string {
  return `
Examples:
  ${self} replay examples/reviews/resize-200Mi.json
  ${self} replay examples/reviews/resize-infeasible.json --cluster examples/cluster.yaml --audit
  ${self} replay examples/reviews/create.json --phase mutate
  ${self} replay - --kubernetes-version 1.33 < review.json

Exit codes:
  0  the review is allowed
  1  the review is denied
  2  bad usage, or a file that cannot be read
`;
}
