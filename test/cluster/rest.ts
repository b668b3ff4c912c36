// Requests to the API server without kubectl, for who sends many of them.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request as ask } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Person } from './people.ts';

export interface Rest {
  /** Sends a strategic merge patch; gives the status code and what the API server says to it. */
  readonly patch: (path: string, body: object) => Promise<Answer>;
  readonly close: () => void;
}

export interface Answer {
  readonly code: number | undefined;
  readonly body: string;
}

/** Connections to the API server as somebody. */
export async function openRest(person: Person): Promise<Rest> {
  const { clusters, users } = JSON.parse(await readFile(person.kubeconfig, 'utf8')) as Kubeconfig;
  const { server, 'certificate-authority': caFile } = clusters[0].cluster;
  const agent = new Agent({ keepAlive: true, ca: await readFile(caFile) });
  const headers = {
    authorization: `Bearer ${users[0].user.token}`,
    'content-type': 'application/strategic-merge-patch+json',
  };
  return {
    async patch(path, body) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        ask(new URL(path, server), { method: 'PATCH', agent, headers }, resolve)
          .on('error', reject)
          .end(JSON.stringify(body));
      });
      return { code: response.statusCode, body: await text(response) };
    },
    close: () => agent.destroy(),
  };
}

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority': string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}
