// One request of a person to the API server, and all that any client gets: the code, the warnings, the object or the Status.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
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

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** The content type says what kind of patch a body is. */
export const PATCH = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Asks as `person`; `path` is as in `kubectl get --raw`. Throws when the API server cannot be reached. */
export async function ask(
  person: Person,
  method: Method,
  path: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<Answer> {
  const { clusters, users } = JSON.parse(await readFile(person.kubeconfig, 'utf8')) as Kubeconfig;
  const { server, 'certificate-authority': caFile } = clusters[0].cluster;
  const ca = await readFile(caFile);
  const headers = { authorization: `Bearer ${users[0].user.token}`, 'content-type': contentType };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(`${server}${path}`, { method, headers, ca }, resolve);
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
  return {
    code: response.statusCode ?? 0,
    warnings: warningsOf(response),
    body: JSON.parse(await text(response)) as Body,
    auditId: String(response.headers['audit-id']),
  };
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
