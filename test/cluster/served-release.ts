// Which release of Kubernetes a cluster runs, as its API server says itself.
import type { ApiClient } from './api-client.ts';

/** Such as `v1.37.2`. */
export async function servedRelease(api: ApiClient): Promise<string> {
  const { code, body } = await api.get('/version');
  const { gitVersion } = body as { readonly gitVersion?: string };
  if (code !== 200 || gitVersion === undefined) throw new Error(`the API server does not tell its version: ${code}`);
  return gitVersion;
}
