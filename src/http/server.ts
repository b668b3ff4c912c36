// The TLS server: limits, certificate reload, and an end that fails no call.
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from './app.ts';
import { discardBody } from './body.ts';
import { answerClientErrors } from './client-errors.ts';
import { closeServer, listen, trackSockets } from './drain.ts';
import { DEFAULT_LIMITS, type HttpLimits, serverOptions } from './limits.ts';
import type { ProcessLog } from '../admission/process-log.ts';
import type { HttpMetrics } from './metrics.ts';
import { type Answer, createReviewListener } from './reviews.ts';

/** A certificate with its chain, and its key, as PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

export interface ServerOptions {
  readonly answer: Answer;
  readonly pair: CertificatePair;
  readonly metrics: HttpMetrics;
  readonly log: ProcessLog;
  readonly limits?: Partial<HttpLimits>;
}

export interface ReviewServer {
  /** Listens; gives the port. Port 0 takes any; no host is every address. Throws what `listen` throws (EADDRINUSE …). */
  readonly start: (port: number, host?: string) => Promise<number>;
  /** Drains and ends; calling it again gives the same end. */
  readonly stop: () => Promise<void>;
  /** Takes another certificate for new connections; open ones stay as they are. Throws when the pair is no good. */
  readonly reload: (pair: CertificatePair) => void;
  /** Why no request should be sent here; undefined when ready. */
  readonly whyNotReady: () => string | undefined;
}

// kube-apiserver offers only HTTP/1.1 to webhooks, so nothing else is spoken.
function tlsOptions({ cert, key }: CertificatePair) {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2' as const,
    ALPNProtocols: ['http/1.1'],
  };
}

/** A server for reviews; nothing listens before `start`. */
export function createReviewServer(options: ServerOptions): ReviewServer {
  const { answer, metrics, log } = options;
  const limits: HttpLimits = { ...DEFAULT_LIMITS, ...options.limits };
  let state: 'new' | 'listening' | 'draining' = 'new';
  let stopped: Promise<void> | undefined;

  const isDraining = (): boolean => state === 'draining';
  const app = createApp(log, isDraining);
  const otherwise: RequestListener = (request, response) => {
    const started = performance.now();
    response.once('close', () => metrics.countRequest('other', response.statusCode, performance.now() - started));
    discardBody(request, limits.maxBodyBytes);
    app(request, response);
  };
  const reviews = createReviewListener({ answer, limits, metrics, log, isDraining, otherwise });
  const server = createServer(
    { ...serverOptions(limits), ...tlsOptions(options.pair), handshakeTimeout: limits.headersTimeoutMs },
    reviews,
  );
  server.maxHeadersCount = limits.maxHeaders;
  server.maxConnections = limits.maxConnections;
  server.on('connection', (socket) => {
    metrics.connectionOpened();
    socket.once('close', metrics.connectionClosed);
  });
  answerClientErrors(server, limits, metrics, log);
  const sockets = { all: trackSockets(server, 'connection'), http: trackSockets(server, 'secureConnection') };

  const drain = async (): Promise<void> => {
    const wasListening = state === 'listening';
    // From here every answer ends its connection, so that clients move on while new connections are still taken.
    state = 'draining';
    if (!wasListening) return;
    await sleep(limits.drainDelayMs);
    await closeServer(server, sockets, limits.drainTimeoutMs);
  };

  return {
    async start(port, host) {
      const taken = await listen(server, port, host);
      server.on('error', (error) => log.error({ err: error }, 'the TLS server reported an error'));
      if (state === 'new') state = 'listening';
      // Stopped before it could listen: a signal may come at any time.
      else await closeServer(server, sockets, limits.drainTimeoutMs);
      return taken;
    },
    stop() {
      stopped ??= drain();
      return stopped;
    },
    reload: (pair) => server.setSecureContext(tlsOptions(pair)),
    whyNotReady() {
      if (state === 'listening') return undefined;
      return state === 'new' ? 'not listening yet' : 'draining';
    },
  };
}
