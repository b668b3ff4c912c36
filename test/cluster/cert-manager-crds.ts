// The CRDs of cert-manager, from its Go module: what its controllers would make of our objects is not tested, only that they are valid.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The folder that has them, in Go's module cache; or why there is none. */
export async function certManagerCrds(): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const cwd = join(import.meta.dirname, 'cert-manager');
  const download = ['mod', 'download', '-json', 'github.com/cert-manager/cert-manager'];
  try {
    const { stdout } = await promisify(execFile)('go', download, { cwd, env: { ...process.env, GOWORK: 'off' } });
    const { Dir: folder } = JSON.parse(stdout) as { readonly Dir: string };
    return { folder: join(folder, 'deploy/crds') };
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    return { missing: `the CRDs of cert-manager come from its Go module: ${reason}` };
  }
}
