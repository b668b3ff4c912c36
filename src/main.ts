#!/usr/bin/env node
// The command line: the only reader of process.argv and process.env.
import { Command, CommanderError } from 'commander';
import { addCheck } from './commands/check.ts';
import { readStandardInput } from './commands/input.ts';
import { packageVersion } from './commands/package-folder.ts';
import { addReplay } from './commands/replay.ts';
import { addResize } from './commands/resize.ts';
import { addRules } from './commands/rules.ts';
import { addServe } from './commands/serve.ts';
import { addTest } from './commands/test.ts';
import { type Terminal, toUnwritten } from './commands/terminal.ts';
import { UsageError } from './commands/usage-error.ts';

const BAD_USAGE = 2;

function createTerminal(): Terminal {
  // A reader that has seen enough (`| head`) is no mistake. The server writes its records by other means.
  const endQuietly = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') process.exit();
    terminal.err(`${toUnwritten(error)}\n`);
    process.exit(BAD_USAGE);
  };
  // Nobody is left to tell, but for the code.
  process.stderr.on('error', () => (process.exitCode = BAD_USAGE));
  return {
    out(text) {
      if (process.stdout.listenerCount('error', endQuietly) === 0) process.stdout.on('error', endQuietly);
      process.stdout.write(text);
    },
    err: (text) => void process.stderr.write(text),
    input: readStandardInput,
    hasColor: wantsColor(),
    hasProgress: process.stderr.isTTY === true,
    now: () => new Date(),
    podNamespace: process.env['POD_NAMESPACE'],
    self: import.meta.filename.endsWith('.ts') ? 'npm run -s podrail --' : 'podrail',
    exit(code) {
      process.exitCode = code;
    },
  };
}

// https://no-color.org: set to anything but nothing, it is followed.
function wantsColor(): boolean {
  const { NO_COLOR: noColor = '', TERM: term = '' } = process.env;
  return process.stdout.isTTY === true && noColor === '' && term !== 'dumb';
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('podrail')
    .description(
      'Guards in-place pod resizes and native sidecars: a Kubernetes admission webhook, and the same decisions offline.',
    )
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: (text, write) => write(toUsageLine(text)),
    })
    .showSuggestionAfterError()
    .addHelpText('after', () => `\n${terminal.self} <command> --help shows examples and exit codes.\n`);
  addServe(program, terminal);
  addCheck(program, terminal);
  addResize(program, terminal);
  addTest(program, terminal);
  addReplay(program, terminal);
  addRules(program, terminal);
  return program;
}

// Commander's mistakes come as `error: … ` with the suggestion on a line of its own.
function toUsageLine(text: string): string {
  const [mistake = '', suggestion] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  return `podrail: ${mistake}${suggestion === undefined ? '' : ` ${suggestion}`}\n`;
}

const terminal = createTerminal();
try {
  await createProgram(terminal).parseAsync(process.argv);
} catch (error) {
  if (error instanceof UsageError) {
    for (const line of error.lines) terminal.err(`${line}\n`);
    process.exitCode = BAD_USAGE;
  } else if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : BAD_USAGE;
  } else {
    // A bug. Never code 1, which says that a review was denied.
    terminal.err(`podrail: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = BAD_USAGE;
  }
}
