// The CRDs of cert-manager, from its Go module: what its controllers would make of our objects is not tested, only that they are valid.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The folder that has them, in Go's module cache; or why there is none, where nobody has promised Go. Throws where Go is there and
 * does not give them.
 */
export async function certManagerCrds(
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const cwd = join(import.meta.dirname, 'cert-manager');
  const download = ['mod', 'download', '-json', 'github.com/cert-manager/cert-manager'];
  try {
    const { stdout } = await promisify(execFile)('go', download, { cwd, env: { ...env, GOWORK: 'off' } });
    const { Dir: folder } = JSON.parse(stdout) as { readonly Dir: string };
    return { folder: join(folder, 'deploy/crds') };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (!env['KUBEBUILDER_ASSETS'] && code !== 'ENOENT') throw error;
    const [reason] = message.split('\n');
    return { missing: `the CRDs of cert-manager come from its Go module: ${reason}` };
  }
}
