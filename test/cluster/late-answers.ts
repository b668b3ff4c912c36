// Stands at podrail's address, asks podrail, and hands its answers on too late.
import { once } from 'node:events';
import { createServer, request as ask } from 'node:https';
import type { FixedAddress } from './fixed-address.ts';

export interface LateAnswers {
  readonly stop: () => Promise<void>;
}

/** `url` is where podrail answers, with the certificate of the address; each answer is held for `delayMs`. */
export async function answerLate(
  { host, port, authority, tls }: FixedAddress,
  url: string,
  delayMs: number,
): Promise<LateAnswers> {
  const server = createServer(await authority.issue([host], new Date()), (request, response) => {
    const { method, headers, url: path = '' } = request;
    const asked = ask(new URL(path, url), { method, headers, ca: tls.ca }, (answer) => {
      setTimeout(() => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }, delayMs);
    });
    // Whoever asked has given up by then.
    for (const end of [asked, response]) end.on('error', () => undefined);
    request.pipe(asked);
  });
  // A test that failed before it stopped it ends all the same.
  server.unref().listen(port, host);
  await once(server, 'listening');
  return {
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
