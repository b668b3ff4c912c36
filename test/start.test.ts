// What a stranger does: `npm start`, paste the commands that it prints, Ctrl-C. For real, on the machine's own Node and
// again with a new one first in PATH.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, type ExecFileException, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { shellEnv } from './shell.ts';

const root = dirname(import.meta.dirname);
const PRINTED_LAST = 'Ctrl-C ends it.';

/** A person's shell with this PATH. */
function shellWith(path: string): NodeJS.ProcessEnv {
  return { ...shellEnv(), PATH: path };
}

/** PATH as it was before npm and `with-node` put this project's own folders first. */
function machinePath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .filter((folder) => !folder.startsWith(join(root, '/')) && !folder.includes('node-gyp-bin'))
    .join(delimiter);
}

/** Runs one line in a shell at the root of the project; gives what it prints on standard output. */
function paste(line: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = (error: ExecFileException | null, stdout: string, stderr: string): void => {
      // `podrail replay` ends with 1 when the review is denied; anything else went wrong.
      if (error === null || error.code === 1) resolve(stdout);
      else reject(new Error(`${line}\n${stderr}`, { cause: error }));
    };
    execFile('sh', ['-c', line], { cwd: root, env }, ended);
  });
}

interface Started {
  readonly npm: ChildProcess;
  /** The commands that it printed, in order. */
  readonly commands: readonly string[];
  readonly output: () => string;
}

/** Starts the example on free ports in a process group of its own, and waits for its last line. */
async function start(env: NodeJS.ProcessEnv): Promise<Started> {
  const args = ['start', '--', '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];
  const npm = spawn('npm', args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let said = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes(PRINTED_LAST)) {
    const [code] = (await Promise.race([once(npm.stderr, 'data'), once(npm, 'close')])) as [string | number | null];
    if (typeof code !== 'string') throw new Error(`npm start ended with ${code}:\n${said}`);
  }
  const commands = [...said.matchAll(/^ {2}((?:curl|npm) .*)$/gm)].map((line) => line[1] ?? '');
  return { npm, commands, output: () => output };
}

/** Ctrl-C: a terminal sends SIGINT to everything that it runs. Gives npm's exit code. */
async function interrupt({ npm }: Started): Promise<number | null> {
  const closed = once(npm, 'close');
  process.kill(-(npm.pid ?? 0), 'SIGINT');
  const [code] = (await closed) as [number | null];
  return code;
}

/** The audit records on standard output, each as the sentence that matters here. */
function recordsIn(output: string): readonly string[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => {
      const record = JSON.parse(line) as AuditLine;
      return [record.schema, record.operation, record.decision, ...record.findings.map(({ rule }) => rule)].join(' ');
    });
}

interface AuditLine {
  readonly schema: string;
  readonly operation: string;
  readonly decision: string;
  readonly findings: readonly { readonly rule: string }[];
}

describe('npm start', () => {
  const paths: readonly (readonly [title: string, path: string])[] = [
    ['on the machine’s own Node', machinePath()],
    ['with Node 24 first in PATH', `${dirname(process.execPath)}${delimiter}${machinePath()}`],
  ];
  for (const [title, path] of paths) {
    test(`serves the example, and what it prints works when pasted, ${title}`, { timeout: 120_000 }, async () => {
      const env = shellWith(path);
      const started = await start(env);
      try {
        assert.equal(started.commands.length, 5);
        const answers: string[] = [];
        for (const command of started.commands) answers.push(await paste(command, env));
        const [created = '', implausible = '', infeasible = '', replayed = '', explained = ''] = answers;
        assert.match(created, /allowed: true/);
        assert.match(created, /"op":"add","path":"\/spec\/containers\/0\/resizePolicy/);
        assert.match(implausible, /"allowed": false/);
        assert.match(implausible, /\[quantity-plausible\] container .* 200Mi is 209715200 cpu, did you mean 200m\?/);
        assert.match(infeasible, /"allowed": false/);
        assert.match(infeasible, /\[resize-within-node\] /);
        assert.match(replayed, /"allowed": false/);
        assert.match(explained, /200Mi/);
      } finally {
        assert.equal(await interrupt(started), 0);
      }
      assert.deepEqual(recordsIn(started.output()), [
        'podrail.dev/audit/v1 create allow',
        'podrail.dev/audit/v1 resize deny quantity-plausible quantity-plausible',
        'podrail.dev/audit/v1 resize deny resize-within-node',
      ]);
    });
  }
});
