// Who talks to the API server, and how: a token and a kubeconfig each, and the real kubectl.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Place } from './running.ts';

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly token: string;
}

/** What a command said and how it ended. */
export interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Somebody at a shell, with kubectl and a kubeconfig. */
export interface Person {
  readonly kubeconfig: string;
  readonly token: string;
  /** Runs a command line as it would be typed; `input` is its standard input. */
  readonly run: (commandLine: string, input?: string) => Promise<Said>;
  /** The same for a command that must succeed; gives its standard output. Throws what the command said. */
  readonly must: (commandLine: string, input?: string) => Promise<string>;
}

export function createUser(name: string, groups: readonly string[]): User {
  return { name, groups, token: randomBytes(16).toString('hex') };
}

/** The file for `--token-auth-file`: token, user, uid, groups. */
export function toTokenFile(users: readonly User[]): string {
  return users.map(({ name, groups, token }) => `${token},${name},${name},"${groups.join(',')}"\n`).join('');
}

export interface Server {
  readonly url: string;
  /** The file with the certificate that the API server shows. */
  readonly caFile: string;
}

/** Seats a user at a shell. `programs` is the folder of kubectl; the kubeconfig and kubectl's cache are kept in the place. */
export async function seat(user: User, server: Server, programs: string, place: Place): Promise<Person> {
  const { folder, guard } = place;
  const kubeconfig = join(folder, `${user.name.replaceAll(':', '-')}.kubeconfig`);
  await writeFile(kubeconfig, toKubeconfig(user, server), { mode: 0o600 });
  const env = {
    ...process.env,
    PATH: `${programs}:${process.env['PATH']}`,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: join(folder, 'kubectl-cache'),
  };
  const run = async (commandLine: string, input = ''): Promise<Said> => {
    const shell = spawn('sh', ['-c', commandLine], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const { pid } = shell;
    if (pid !== undefined) guard.started(pid);
    // A command that does not read its input ends before all of it is written.
    shell.stdin.on('error', () => undefined);
    shell.stdin.end(input);
    const closed = new Promise<number | null>((resolve) => shell.on('close', resolve));
    const [out, err, code] = await Promise.all([text(shell.stdout), text(shell.stderr), closed]);
    if (pid !== undefined) guard.ended(pid);
    return { code, out, err };
  };
  return {
    kubeconfig,
    token: user.token,
    run,
    async must(commandLine, input) {
      const { code, out, err } = await run(commandLine, input);
      if (code !== 0) throw new Error(`${user.name} ran: ${commandLine}\n${err}`);
      return out;
    },
  };
}

function toKubeconfig({ name, token }: User, { url, caFile }: Server): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority': caFile } }],
    users: [{ name, user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: name } }],
    'current-context': 'test',
  });
}
