// `podrail resize`: what a `kubectl patch --subresource resize` would do, without a cluster.
import { Argument, type Command, Option } from 'commander';
import { createBaseline } from '../guardrails/baseline.ts';
import { type Mistake, toMistakeText } from '../guardrails/mistake.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import { PATCH_TYPES, type PatchType } from '../trial/apply-patch.ts';
import { asKept } from '../trial/as-sent.ts';
import { explain } from '../trial/explanation.ts';
import { rowAmountText, type Sheet, toSheets, toSheetText } from '../trial/explanation-text.ts';
import { applyPatchSource, readOnePatch } from '../trial/one-patch.ts';
import { readOnePod } from '../trial/one-pod.ts';
import { factsOf } from '../trial/outcome.ts';
import { passingPatch } from '../trial/passing-patch.ts';
import { toResizeReport } from '../trial/resize-report.ts';
import { toResizeText } from '../trial/resize-text.ts';
import { type Trial, type TrialSetting, tryResize } from '../trial/trial.ts';
import { type DecisionFiles, readDecisionFiles } from './decision-files.ts';
import { addDecisionFlags, NEWEST_VERSION, timeFlag } from './flags.ts';
import { readInput, readInputOrText } from './input.ts';
import { addRequesterFlags, type RequesterFlags, toRequester } from './requester-flags.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { toTrialContext } from './trial-context.ts';
import { UsageError } from './usage-error.ts';
import { faultText, isUnexpected } from './verdict-findings.ts';

export interface ResizeFlags extends RequesterFlags {
  readonly patch: string;
  readonly type: PatchType;
  readonly guardrails?: readonly string[];
  readonly cluster?: readonly string[];
  readonly kubernetesVersion?: KubernetesVersion;
  readonly now?: Date;
  readonly explain?: true;
  readonly output: 'text' | 'json';
}

export function addResize(program: Command, terminal: Terminal): void {
  const command = program
    .command('resize')
    .summary('what a resize would do')
    .description(
      'Tells what `kubectl patch POD --subresource resize` with this patch would do: whether it is allowed and by which rule not, which containers restart, whether the pod fits its node, and what would pass instead.',
    )
    .addArgument(new Argument('<pod.yaml>', 'the pod as it is now (kubectl get pod NAME -o yaml); - is standard input'))
    .requiredOption('-p, --patch <file|patch>', 'the patch, or a file with it, in YAML or JSON; - is standard input')
    .addOption(new Option('--type <type>', 'the type of the patch').choices(PATCH_TYPES).default('strategic'));
  addRequesterFlags(addDecisionFlags(command))
    .option('--now <time>', 'the moment of the resize (default: now)', timeFlag)
    .option('--explain', 'show the sums behind the verdict, term by term')
    .addOption(new Option('-o, --output <form>', 'how to print it').choices(['text', 'json']).default('text'))
    .addHelpText('after', () => helpText(terminal.self))
    .action((file: string, flags: ResizeFlags) => terminal.exit(resize(file, flags, terminal)));
}

/** Prints what would happen; 0 when it is allowed, 1 when it is refused. Throws UsageError for what cannot be read. */
export function resize(file: string, flags: ResizeFlags, terminal: Terminal): ExitCode {
  const version = flags.kubernetesVersion ?? NEWEST_VERSION;
  const now = flags.now ?? terminal.now();
  const { stored, ...asked } = readAsked(file, flags, version, terminal);
  const files = readDecisionFiles(createBaseline('enforce'), flags.guardrails ?? [], flags.cluster ?? [], now);
  for (const warning of files.warnings) terminal.err(`${warning}\n`);
  const context = toTrialContext(files, version, () => now, terminal.podNamespace);
  return print(stored, asked, files, { context, requester: toRequester(flags) }, flags, terminal);
}

function readAsked(file: string, { patch: given, type }: ResizeFlags, version: KubernetesVersion, terminal: Terminal) {
  if (file === '-' && given === '-')
    throw new UsageError('podrail: the pod and the patch cannot both be standard input');
  const pod = readOnePod(readInput(file, terminal), file);
  const patch = readOnePatch(...readInputOrText(given, '--patch', terminal));
  const mistakes = [pod, patch].flatMap((read) => ('mistakes' in read ? read.mistakes : []));
  if ('mistakes' in pod || 'mistakes' in patch) throw mistaken(mistakes);
  const stored = asKept(pod.pod, version);
  const patched = applyPatchSource(stored, patch, type);
  if ('mistakes' in patched) throw mistaken(patched.mistakes);
  return { stored, ...patched };
}

function mistaken(mistakes: readonly Mistake[]): UsageError {
  return new UsageError(...mistakes.map(toMistakeText));
}

interface Asked {
  readonly requested: unknown;
  readonly notes: readonly string[];
}

function print(
  stored: unknown,
  { requested, notes }: Asked,
  { policy, cluster }: DecisionFiles,
  setting: TrialSetting,
  flags: Pick<ResizeFlags, 'explain' | 'output'>,
  terminal: Terminal,
): ExitCode {
  const trial = tryResize(stored, requested, setting);
  const facts = factsOf(trial);
  for (const text of faultTexts(trial)) terminal.err(`podrail: ${text}\n`);
  const passing = trial.allowed ? undefined : passingPatch(stored, requested, trial, setting);
  const report = toResizeReport(trial, { facts, version: setting.context.version, policy, notes, passing });
  const sheets = flags.explain && facts ? toSheets(explain(facts, policy, cluster), facts.pod) : undefined;
  if (flags.output === 'json') terminal.out(`${JSON.stringify({ ...report, sums: toSums(sheets) }, undefined, 2)}\n`);
  else terminal.out(toResizeText(report) + (sheets === undefined ? '' : `\n${toSheetText(sheets)}\n`));
  return trial.allowed ? 0 : 1;
}

// Of a mistake in podrail itself a person must see the stack. Both phases have the same.
function faultTexts({ phases }: Trial): ReadonlySet<string> {
  const faults = phases.flatMap(({ reply }) => reply.faults);
  return new Set(faults.map((fault) => (isUnexpected(fault) ? stackOf(fault.error) : faultText(fault.error))));
}

function stackOf({ stack, message }: Error): string {
  return stack ?? message;
}

function toSums(sheets: readonly Sheet[] | undefined): unknown {
  return sheets?.map(({ title, rows, conclusion }) => ({
    title,
    terms: rows.map((row) => ({ sign: row.sign, label: row.label, amount: rowAmountText(row), note: row.note ?? '' })),
    conclusion,
  }));
}

function helpText(self: string): string {
  return `
The pod can be a manifest; what the kubelet has set aside and which node it runs on come from what the API server gives.
A manifest without spec.nodeName is judged as a pod on no node: nothing of it restarts yet, and whether it fits is unknown.
Without --cluster nothing is known of the node. Beside the guardrails the baseline applies, as in the cluster.

Examples:
  ${self} resize examples/pods/nginx.yaml --patch examples/pods/more-memory.yaml --cluster examples/cluster.yaml
  ${self} resize examples/pods/nginx.yaml --patch '{"spec":{"containers":[{"name":"nginx","resources":{"requests":{"cpu":"64"}}}]}}' --cluster examples/cluster.yaml --explain
  kubectl get pod web -o yaml | ${self} resize - --patch patch.yaml --service-account kube-system/vpa-updater

Exit codes:
  0  the resize is allowed
  1  the resize is refused
  2  bad usage, or a file or patch that cannot be read
`;
}
