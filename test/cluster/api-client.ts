// Asks the API server directly, and gives all that any client gets: the code, the warnings, the object or the Status. What a test
// sends by the thousand, or looks at closer than kubectl shows it, needs no kubectl.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Person } from './people.ts';

export interface Answer {
  readonly code: number;
  /** As kubectl shows them after `Warning: `. */
  readonly warnings: readonly string[];
  /** What was stored; or a Status, which says why it was not. */
  readonly body: Body;
  /** Finds the request in the API server's own audit log. */
  readonly auditId: string;
}

export type Body = Readonly<Record<string, unknown>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whether the API server has judged a request, and not taken it: what fails in another way says nothing of what was asked. */
export function isRefusal({ code }: Answer): boolean {
  return [400, 403, 422].includes(code);
}

/** The content type says what kind of patch a body is. */
export const PATCH = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** `path` is as in `kubectl get --raw`. Rejects when the API server cannot be reached. */
type Ask = (method: Method, path: string, body?: unknown, contentType?: string) => Promise<Answer>;

export interface ApiClient {
  readonly ask: Ask;
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, object: unknown) => Promise<Answer>;
  readonly put: (path: string, object: unknown) => Promise<Answer>;
  /** A JSON merge patch. */
  readonly patch: (path: string, change: unknown) => Promise<Answer>;
  /** At once, as nobody waits for a kubelet. */
  readonly remove: (path: string) => Promise<Answer>;
  readonly close: () => void;
}

/** As `person`, over at most so many connections at once, which are kept for the next request. */
export async function connect(person: Person, connections = Number.POSITIVE_INFINITY): Promise<ApiClient> {
  const { clusters, users } = JSON.parse(await readFile(person.kubeconfig, 'utf8')) as Kubeconfig;
  const { server, 'certificate-authority': caFile } = clusters[0].cluster;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca: await readFile(caFile) });
  const authorization = `Bearer ${users[0].user.token}`;
  const ask: Ask = async (method, path, body, contentType = 'application/json') => {
    const headers = { authorization, accept: 'application/json', 'content-type': contentType };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request(new URL(path, server), { method, agent, headers }, resolve);
      call.on('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
    return {
      code: response.statusCode ?? 0,
      warnings: warningsOf(response),
      body: JSON.parse(await text(response)) as Body,
      auditId: String(response.headers['audit-id']),
    };
  };
  return {
    ask,
    get: (path) => ask('GET', path),
    post: (path, object) => ask('POST', path, object),
    put: (path, object) => ask('PUT', path, object),
    patch: (path, change) => ask('PATCH', path, change, PATCH.merge),
    remove: (path) => ask('DELETE', `${path}?gracePeriodSeconds=0`),
    close: () => agent.destroy(),
  };
}

/** One request on a connection of its own, as kubectl makes one. */
export async function ask(person: Person, ...asked: Parameters<Ask>): Promise<Answer> {
  const client = await connect(person);
  return client.ask(...asked).finally(() => client.close());
}

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority': string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

// Each in a header of its own, `299 - "text"`, with quotes and backslashes in the text escaped.
function warningsOf({ headersDistinct }: IncomingMessage): readonly string[] {
  return (headersDistinct['warning'] ?? []).map((header) =>
    header.slice('299 - "'.length, -1).replaceAll(/\\(.)/g, '$1'),
  );
}
