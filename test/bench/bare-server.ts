// The other side: a bare node:https server that reads the body, parses it as JSON and answers "allowed". Nothing can be
// simpler and still be a webhook. Prints its port and its CA file, as `serve` does in its log.
import { createServer } from 'node:https';
import { createAuthority, writeCa } from '../../src/tls/self-made.ts';

const authority = await createAuthority(new Date());
const { key, cert } = await authority.issue([], new Date());
const caFile = await writeCa(process.argv[2] ?? '.', authority.ca);

const server = createServer(
  { key, cert, ALPNProtocols: ['http/1.1'], keepAliveTimeout: 120_000 },
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { readonly request: { readonly uid: string } };
      const body = JSON.stringify({
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: review.request.uid, allowed: true },
      });
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    });
  },
);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stderr.write(`${JSON.stringify({ listen: `127.0.0.1:${port}`, caFile })}\n`);
});
