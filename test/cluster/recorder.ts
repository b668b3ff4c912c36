// A webhook that allows everything and keeps what it was sent: what an API server really says.
import { once } from 'node:events';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { createAuthority } from '../../src/tls/self-made.ts';
import { freePort } from './ports.ts';

export interface Received {
  readonly phase: 'mutate' | 'validate';
  readonly review: Review;
}

export interface Review {
  readonly request: {
    readonly uid: string;
    readonly name?: string;
    readonly operation: string;
    readonly dryRun?: boolean;
  };
}

export interface Recorder {
  readonly url: string;
  /** Its CA, as PEM. */
  readonly ca: string;
  /** Everything that came, in the order of arrival. */
  readonly received: readonly Received[];
  readonly stop: () => Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  const authority = await createAuthority(new Date());
  const received: Received[] = [];
  const server = createServer(await authority.issue([], new Date()), (request, response) => {
    void text(request).then((body) => {
      const review = JSON.parse(body) as Review;
      received.push({ phase: request.url?.startsWith('/mutate') ? 'mutate' : 'validate', review });
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid: review.request.uid, allowed: true },
        }),
      );
    });
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${port}`,
    ca: authority.ca,
    received,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
