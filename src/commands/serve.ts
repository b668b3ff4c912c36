// `podrail serve`: the webhook. Everything is read and opened before it listens; what is wrong until then ends with code 2.
import { type Command, Option } from 'commander';
import { type Config, DEFAULTS, readConfig, type Settings } from '../config.ts';
import { toMistakeText } from '../guardrails/mistake.ts';
import { toAddressText } from '../http/address.ts';
import { toVersionText } from '../model/kubernetes-version.ts';
import { exampleSettings, exampleText } from './example.ts';
import { addDecisionFlags, addressFlag, countFlag } from './flags.ts';
import { readFile } from './input.ts';
import type { Started } from './run-server.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

// The flags that have the name of their setting; `--mode`, `--config` and `--example` do not.
type ServeFlags = Partial<
  Pick<
    Config,
    | 'listen'
    | 'adminListen'
    | 'tlsDir'
    | 'caOut'
    | 'guardrails'
    | 'cluster'
    | 'kubernetesVersion'
    | 'onFault'
    | 'auditLevel'
    | 'auditFile'
    | 'auditMaxBytes'
    | 'auditMaxFiles'
  >
> & { readonly mode?: Config['baselineMode']; readonly config?: string; readonly example?: true };

export function addServe(program: Command, terminal: Terminal): void {
  const command = program
    .command('serve')
    .summary('the webhook')
    .description(
      'Answers AdmissionReviews over TLS (POST /mutate, /validate), and health and metrics over HTTP (GET /livez, /readyz, /metrics). Audit records go to standard output, its own log to standard error.',
    )
    .option('--config <file>', 'a podrail.yaml; flags override it')
    .option('--example', 'with the example cluster, for this machine only; prints commands to try')
    .option('--listen <host:port>', 'where reviews are answered (default: :8443)', addressFlag)
    .option('--admin-listen <host:port>', 'where health and metrics are answered (default: :8080)', addressFlag)
    .option(
      '--tls-dir <dir>',
      'a folder with tls.crt and tls.key, read again when they change (default: a self-made certificate)',
    )
    .option('--ca-out <dir>', 'where the CA of a self-made certificate is written (default: a new temporary folder)');
  addDecisionFlags(command)
    .addOption(
      new Option('--mode <mode>', 'the most that the built-in rules do (default: enforce)').choices([
        'enforce',
        'warn',
        'audit',
        'off',
      ]),
    )
    .addOption(
      new Option('--on-fault <answer>', 'what happens to a request that cannot be judged (default: deny)').choices([
        'deny',
        'allow',
      ]),
    )
    .addOption(
      new Option(
        '--audit-level <level>',
        'which requests are recorded; denied means warned and repaired ones too (default: denied)',
      ).choices(['denied', 'all']),
    )
    .option('--audit-file <file>', 'keep the audit records in this file too')
    .option(
      '--audit-max-bytes <bytes>',
      'rotate that file before it grows past this (default: 104857600)',
      countFlag(1024),
    )
    .option('--audit-max-files <count>', 'keep this many files, the one written included (default: 5)', countFlag(2))
    .addHelpText('after', () => helpText(terminal.self))
    .action(async (flags: ServeFlags) => {
      const config = toConfig(flags, terminal);
      // Loaded only here, so that the other commands start in a third of the time.
      const { runServer } = await import('./run-server.ts');
      await runServer(config, (started) => {
        if (flags.example) terminal.err(exampleText(started, terminal.self));
        else announce(started, config);
      });
      terminal.exit(0);
    });
}

function announce({ log, listen, adminListen, caFile }: Started, { kubernetesVersion }: Config): void {
  const fields = { listen: toAddressText(listen), adminListen: toAddressText(adminListen), caFile };
  log.info({ ...fields, kubernetes: toVersionText(kubernetesVersion) }, 'serving');
}

/** Flags over the file over the example over the defaults. Throws UsageError with every mistake in the file. */
export function toConfig(flags: ServeFlags, terminal: Terminal): Config {
  const { config: file, example, mode, ...named } = flags;
  return {
    ...DEFAULTS,
    namespace: terminal.podNamespace ?? DEFAULTS.namespace,
    ...(example ? exampleSettings() : {}),
    ...(file === undefined ? {} : readConfigFile(file)),
    ...named,
    ...(mode === undefined ? {} : { baselineMode: mode }),
  };
}

function readConfigFile(file: string): Settings {
  const { settings, mistakes } = readConfig(readFile(file), file);
  if (mistakes.length > 0) throw new UsageError(...mistakes.map(toMistakeText));
  return settings;
}

function helpText(self: string): string {
  return `
Signals:
  SIGTERM, SIGINT  not ready first, then no new connections, then what is in flight ends; a second one ends at once
  SIGHUP           opens the audit file again

Examples:
  ${self} serve --example
  ${self} serve --cluster cluster.yaml --guardrails guardrails/ --listen 127.0.0.1:9443
  ${self} serve --config podrail.yaml --tls-dir /etc/podrail/tls --mode warn

Exit codes:
  0  ended by a signal, nothing in flight was lost
  1  ended at once by a second signal
  2  bad usage, a file that cannot be read or has mistakes, an address in use
`;
}
