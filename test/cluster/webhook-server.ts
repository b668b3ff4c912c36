// A webhook of a test's own: HTTPS on a free port, with a certificate of its own CA.
import { once } from 'node:events';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { createAuthority } from '../../src/tls/self-made.ts';
import { freePort } from './ports.ts';

export type Phase = 'mutate' | 'validate';

/** Where a webhook is, and the CA that its certificate is from, as PEM. */
export interface Webhook {
  readonly url: string;
  readonly ca: string;
}

export interface RunningWebhook extends Webhook {
  readonly stop: () => Promise<void>;
}

/** The part of a review that tests look at. */
export interface Review {
  readonly request: {
    readonly uid: string;
    readonly name?: string;
    readonly operation: string;
    readonly subResource?: string;
    readonly dryRun?: boolean;
    readonly object?: {
      readonly metadata: { readonly name?: string; readonly generateName?: string };
      readonly spec: { readonly initContainers?: readonly { readonly name: string }[] };
    };
  };
}

/** Starts one that answers each body posted to `/mutate…` or `/validate…` with the text that `answer` gives. */
export async function startWebhook(answer: (path: string, body: string) => Promise<string>): Promise<RunningWebhook> {
  const authority = await createAuthority(new Date());
  const server = createServer(await authority.issue([], new Date()), (request, response) => {
    void text(request)
      .then((body) => answer(request.url ?? '', body))
      .then((answered) => {
        response.setHeader('content-type', 'application/json');
        response.end(answered);
      });
  });
  const port = await freePort();
  // A test that failed before it stopped it ends all the same.
  server.unref().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${port}`,
    ca: authority.ca,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The answer that allows a review, after these operations when there are any. */
export function allowed({ request: { uid } }: Review, patch: readonly object[] = []): string {
  const patched =
    patch.length === 0 ? {} : { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
  const response = { uid, allowed: true, ...patched };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
}

export function phaseOf(path: string): Phase {
  return path.startsWith('/mutate') ? 'mutate' : 'validate';
}
