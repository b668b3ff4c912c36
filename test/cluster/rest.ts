// Requests to the API server without kubectl, for who sends many of them.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request as ask } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Person } from './people.ts';

export interface Rest {
  /** Sends one; a body of a PATCH is a strategic merge patch. Gives the status code and what the API server says. */
  readonly send: (method: Method, path: string, body?: object) => Promise<Answer>;
  readonly close: () => void;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly code: number | undefined;
  readonly body: string;
}

/** Connections to the API server as somebody. */
export async function openRest(person: Person): Promise<Rest> {
  const { clusters, users } = JSON.parse(await readFile(person.kubeconfig, 'utf8')) as Kubeconfig;
  const { server, 'certificate-authority': caFile } = clusters[0].cluster;
  const agent = new Agent({ keepAlive: true, ca: await readFile(caFile) });
  const authorization = `Bearer ${users[0].user.token}`;
  return {
    async send(method, path, body) {
      const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
      const headers = { authorization, 'content-type': type };
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        ask(new URL(path, server), { method, agent, headers }, resolve)
          .on('error', reject)
          .end(body === undefined ? '' : JSON.stringify(body));
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
