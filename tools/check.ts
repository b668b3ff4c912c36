// Types, lint and format in one go: `npm run check`. All three always run, side by side; each says its own errors,
// and the last lines say which of them passed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What to do when it fails. */
  readonly hint: string;
}

const CHECKS: readonly Check[] = [
  { name: 'types', command: 'tsc', args: ['-p', '.', '--pretty', 'false'], hint: 'see the errors above' },
  {
    name: 'lint',
    command: 'oxlint',
    args: ['--type-aware', '--deny-warnings', '--format=unix'],
    hint: 'see the errors above',
  },
  { name: 'format', command: 'biome', args: ['format', '--reporter=summary', '.'], hint: '`npm run fix` repairs it' },
];

const root = dirname(import.meta.dirname);

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
  readonly line: string;
}

/** Runs one check to its end. What it prints is held back, so that three never mix. */
async function run({ name, command, args, hint }: Check): Promise<Outcome> {
  const started = performance.now();
  const child = spawn(join(root, 'node_modules/.bin', command), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const passed = code === 0;
  return { passed, output: output + errors, line: `${name}: ${passed ? 'ok' : `failed, ${hint}`} (${seconds} s)` };
}

/** A check that cannot even start has failed, and says so. */
function notStarted({ name, command }: Check): Outcome {
  return { passed: false, output: '', line: `${name}: failed, ${command} is not installed; run \`npm ci\`` };
}

const outcomes = await Promise.all(CHECKS.map((check) => run(check).catch(() => notStarted(check))));
for (const { passed, output } of outcomes) if (!passed) process.stdout.write(output);
for (const { line } of outcomes) process.stdout.write(`${line}\n`);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
