// A review server on a loopback port for the length of a test, and a client that writes bytes and reads responses.
import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { Registry } from 'prom-client';
import type { HttpLimits } from '../../src/http/limits.ts';
import type { ProcessLog } from '../../src/admission/process-log.ts';
import { createHttpMetrics } from '../../src/http/metrics.ts';
import type { Answer } from '../../src/http/reviews.ts';
import { createReviewServer, type ReviewServer } from '../../src/http/server.ts';
import { createAuthority } from '../../src/tls/self-made.ts';

export const authority = await createAuthority(new Date());
export const pair = await authority.issue(['podrail.podrail.svc'], new Date());
export const { ca } = authority;

export interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export const createLines = (): { readonly lines: Line[]; readonly log: ProcessLog } => {
  const lines: Line[] = [];
  const write = (level: Line['level']) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  return { lines, log: { info: write('info'), warn: write('warn'), error: write('error') } };
};

/** Says back what it was asked, so that a test sees what reached it. */
export const echo: Answer = (text, phase) => JSON.stringify({ phase, text });

export interface Serving {
  readonly server: ReviewServer;
  readonly port: number;
  readonly url: string;
  readonly lines: Line[];
  /** The samples of one metric: `{endpoint="validate",code="200"} 1`. */
  readonly samples: (metric: string) => Promise<string[]>;
}

const QUICK: Partial<HttpLimits> = { drainDelayMs: 0, drainTimeoutMs: 2000 };

export const serving = async (
  options: { readonly answer?: Answer; readonly limits?: Partial<HttpLimits> },
  use: (serving: Serving) => Promise<void>,
): Promise<void> => {
  const registry = new Registry();
  const { lines, log } = createLines();
  const server = createReviewServer({
    answer: options.answer ?? echo,
    pair,
    log,
    metrics: createHttpMetrics(registry),
    limits: { ...QUICK, ...options.limits },
  });
  const port = await server.start(0, '127.0.0.1');
  const samples = async (metric: string): Promise<string[]> =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(metric) && !line.startsWith('#'))
      .map((line) => line.slice(metric.length));
  try {
    await use({ server, port, url: `https://127.0.0.1:${port}`, lines, samples });
  } finally {
    await server.stop();
  }
};

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Wire {
  readonly socket: TLSSocket;
  readonly send: (text: string | Buffer) => void;
  /** The next response; fails when the connection ends before it is whole. */
  readonly response: () => Promise<RawResponse>;
  /** Resolves when the connection has ended, with what came and was not read as a response. */
  readonly ended: () => Promise<string>;
}

const parseResponse = (received: Buffer): { response: RawResponse; rest: Buffer } | undefined => {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...headerLines] = received.subarray(0, headEnd).toString().split('\r\n');
  const headers = Object.fromEntries(
    headerLines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyStart = headEnd + 4;
  const bodyEnd = bodyStart + Number(headers['content-length'] ?? 0);
  if (received.length < bodyEnd) return undefined;
  const body = received.subarray(bodyStart, bodyEnd).toString();
  return { response: { status: Number(statusLine.split(' ')[1]), headers, body }, rest: received.subarray(bodyEnd) };
};

export const dial = async (port: number, options: ConnectionOptions = {}): Promise<Wire> => {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca, ...options });
  let received = Buffer.alloc(0);
  let isOver = false;
  const changed = new EventTarget();
  const tell = () => changed.dispatchEvent(new Event('change'));
  socket.on('data', (piece: Buffer) => {
    received = Buffer.concat([received, piece]);
    tell();
  });
  await once(socket, 'secureConnect');
  // A reset is an end like any other here; `ended` and `response` tell of it.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOver = true;
    tell();
  });
  return {
    socket,
    send: (text) => void socket.write(text),
    async response() {
      for (;;) {
        const parsed = parseResponse(received);
        if (parsed !== undefined) {
          received = parsed.rest as Buffer<ArrayBuffer>;
          return parsed.response;
        }
        if (isOver) throw new Error(`the connection ended after ${JSON.stringify(received.toString())}`);
        await once(changed, 'change');
      }
    },
    async ended() {
      while (!isOver) await once(changed, 'change');
      return received.toString();
    },
  };
};

/** The bytes of one review request. */
export const post = (path: string, body: string, extra = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${extra}` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** The head of a review request whose body comes in chunks. */
export const chunkedHead = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Waits until `isTrue`; fails when that takes longer than five seconds. */
export const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + 5000;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${isTrue.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
