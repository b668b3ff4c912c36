// A closed-loop client: a few kept TLS connections, each with one request in flight. Runs as a process of its own, so that
// it does not share a core with the server; prints what it saw as one JSON line.
import { readFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';

interface Load {
  readonly port: number;
  readonly caFile: string;
  readonly path: string;
  readonly bodyFile: string;
  readonly connections: number;
  readonly seconds: number;
}

const load = JSON.parse(process.argv[2] ?? '{}') as Load;
const body = readFileSync(load.bodyFile);
const head = `POST ${load.path}?timeout=10s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
const request = Buffer.concat([Buffer.from(head), body]);
const latencies: number[] = [];
const ends = performance.now() + load.seconds * 1_000;

function open(): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      {
        port: load.port,
        host: '127.0.0.1',
        servername: 'localhost',
        ca: readFileSync(load.caFile),
        ALPNProtocols: ['http/1.1'],
      },
      () => resolve(socket),
    );
    socket.on('error', reject);
    socket.setNoDelay(true);
  });
}

/** The length of the whole answer once its head is there; the answers of both servers have a Content-Length. */
function answerLength(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 200));
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) throw new Error(`no Content-Length: ${text.slice(0, end)}`);
  return end + 4 + Number(length);
}

function drive(socket: TLSSocket): Promise<void> {
  return new Promise((resolve) => {
    let answer = '';
    let started = performance.now();
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const length = answerLength(answer);
      if (length === undefined || answer.length < length) return;
      const now = performance.now();
      latencies.push(now - started);
      answer = '';
      if (now >= ends) {
        socket.destroy();
        resolve();
        return;
      }
      started = now;
      socket.write(request);
    });
    socket.write(request);
  });
}

const sockets = await Promise.all(Array.from({ length: load.connections }, open));
const began = performance.now();
await Promise.all(sockets.map(drive));
const seconds = (performance.now() - began) / 1_000;
latencies.sort((a, b) => a - b);
const at = (share: number): number =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
process.stdout.write(
  `${JSON.stringify({ rate: latencies.length / seconds, p50: at(0.5), p99: at(0.99), requests: latencies.length })}\n`,
);
