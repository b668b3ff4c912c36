// `podrail check`: what the cluster would say of every pod in manifests, before they are applied.
import { Argument, type Command, Option } from 'commander';
import { createBaseline } from '../guardrails/baseline.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Writing } from './check-file.ts';
import { checkFiles } from './check-files.ts';
import type { CheckContext } from './check-text.ts';
import { CHECK_OUTPUTS, type CheckOutput, createReport } from './check-report.ts';
import { readDecisionFiles } from './decision-files.ts';
import { addDecisionFlags, collect, NEWEST_VERSION, timeFlag } from './flags.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface CheckFlags {
  readonly guardrails?: readonly string[];
  readonly cluster?: readonly string[];
  readonly kubernetesVersion?: KubernetesVersion;
  readonly now?: Date;
  readonly namespace: string;
  readonly user?: string;
  readonly group?: readonly string[];
  readonly output: CheckOutput;
  readonly fix?: true;
  readonly diff?: true;
}

export function addCheck(program: Command, terminal: Terminal): void {
  const command = program
    .command('check')
    .summary('what the cluster would say of manifests')
    .description(
      'Judges every pod in manifests, and every pod that a controller would make of them, as its creation would be judged in a cluster.',
    )
    .addArgument(
      new Argument('<file|dir...>', 'manifests, or folders with .yaml, .yml and .json files; - is standard input'),
    );
  addDecisionFlags(command)
    .option('--now <time>', 'the moment of the creation (default: now)', timeFlag)
    .option('-n, --namespace <name>', 'the namespace of what names none', 'default')
    .option(
      '--user <name>',
      'who applies the manifests; pods of a Deployment are created by its controller all the same',
    )
    .option('--group <name>', 'a group of that user (repeatable)', collect)
    .addOption(new Option('-o, --output <form>', 'how to print it').choices(CHECK_OUTPUTS).default('text'))
    .addOption(new Option('--fix', 'write what the webhook would patch into the files').conflicts('diff'))
    .option('--diff', 'print that as a diff instead; findings go to standard error')
    .addHelpText('after', () => helpText(terminal.self))
    .action((paths: readonly string[], flags: CheckFlags) => check(paths, flags, terminal));
}

function check(paths: readonly string[], flags: CheckFlags, terminal: Terminal): void {
  const mistakes = flagMistakes(paths, flags);
  if (mistakes.length > 0) throw new UsageError(...mistakes);
  const code = checkFiles(paths, {
    context: toContext(flags, terminal),
    report: createReport(flags.output, terminal.hasColor && !flags.diff),
    say: flags.diff ? terminal.err : terminal.out,
    writing: writingOf(flags),
    terminal,
  });
  terminal.exit(code);
}

function toContext(flags: CheckFlags, terminal: Terminal): CheckContext {
  const { guardrails = [], cluster = [], kubernetesVersion = NEWEST_VERSION, user = '', group = [] } = flags;
  const now = flags.now ?? terminal.now();
  const { warnings, ...files } = readDecisionFiles(createBaseline('enforce'), guardrails, cluster, now);
  for (const warning of warnings) terminal.err(`${warning}\n`);
  return {
    ...files,
    version: kubernetesVersion,
    onFault: 'deny',
    ownNamespace: terminal.podNamespace ?? '',
    namespace: flags.namespace,
    // The API server adds this group to everyone who has logged in.
    requester: { name: user, groups: [...group, 'system:authenticated'] },
    now,
  };
}

function writingOf({ fix, diff }: CheckFlags): Writing {
  if (fix) return 'fix';
  return diff ? 'diff' : 'none';
}

function flagMistakes(paths: readonly string[], { fix, diff, output }: CheckFlags): readonly string[] {
  return [
    ...(fix && paths.includes('-')
      ? ['podrail: --fix writes files, and - is standard input; --diff shows the changes']
      : []),
    ...(diff && output !== 'text' ? [`podrail: --diff prints a diff, and not ${output}; leave one of them out`] : []),
  ];
}

function helpText(self: string): string {
  return `
Examples:
  ${self} check deploy/
  ${self} check web.yaml --guardrails guardrails/ --namespace team-blue
  helm template web ./chart | ${self} check -
  ${self} check deploy/ --output sarif > podrail.sarif
  ${self} check deploy/ --diff | git apply

Exit codes:
  0  nothing would be refused; there may be warnings
  1  something would be refused
  2  bad usage, something that cannot be read, or no Kubernetes object at all; everything else was checked
`;
}
