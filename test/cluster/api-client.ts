// Asks the API server directly, over connections that are kept: what a test sends by the thousand needs no kubectl.
import { readFile } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Cluster } from './cluster.ts';

export interface Answer {
  readonly code: number;
  /** The object, or the Status that says why not. */
  readonly body: unknown;
}

export interface ApiClient {
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, object: unknown) => Promise<Answer>;
  readonly put: (path: string, object: unknown) => Promise<Answer>;
  /** A JSON merge patch. */
  readonly patch: (path: string, change: unknown) => Promise<Answer>;
  /** At once, as nobody waits for a kubelet. */
  readonly remove: (path: string) => Promise<Answer>;
  readonly close: () => void;
}

/** The path of a pod of `default`, of one of its subresources, or with '' of all of them. */
export function podPath(name: string, subresource?: string): string {
  const path = `/api/v1/namespaces/default/pods${name === '' ? '' : `/${name}`}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** As the administrator, over at most so many connections at once. */
export async function connect({ admin, apiServer }: Cluster, connections: number): Promise<ApiClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const common = {
    agent,
    ca: await readFile(apiServer.caFile),
    headers: { authorization: `Bearer ${admin.token}`, accept: 'application/json' },
  };
  const ask = async (method: string, path: string, contentType: string, content?: unknown): Promise<Answer> => {
    const headers = { ...common.headers, 'content-type': contentType };
    const options = { ...common, method, headers };
    const [code, said] = await exchange(`${apiServer.url}${path}`, options, content);
    return { code, body: JSON.parse(said) as unknown };
  };
  const JSON_TYPE = 'application/json';
  return {
    get: (path) => ask('GET', path, JSON_TYPE),
    post: (path, object) => ask('POST', path, JSON_TYPE, object),
    put: (path, object) => ask('PUT', path, JSON_TYPE, object),
    patch: (path, change) => ask('PATCH', path, 'application/merge-patch+json', change),
    remove: (path) => ask('DELETE', `${path}?gracePeriodSeconds=0`, JSON_TYPE),
    close: () => agent.destroy(),
  };
}

function exchange(url: string, options: RequestOptions, content: unknown): Promise<readonly [number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      text(response).then((said) => resolve([response.statusCode ?? 0, said]), reject);
    });
    sent.on('error', reject);
    sent.end(content === undefined ? undefined : JSON.stringify(content));
  });
}
