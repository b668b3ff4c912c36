// The plain HTTP port, for the kubelet and Prometheus: /livez, /readyz, /metrics.
import type { Express } from 'express';
import { createServer } from 'node:http';
import type { Registry } from 'prom-client';
import { answerFailures, createBareApp } from './app.ts';
import { closeServer, listen, trackSockets } from './drain.ts';
import { DEFAULT_LIMITS, serverOptions } from './limits.ts';
import type { ProcessLog } from '../admission/process-log.ts';
import { quoted, sendRefusal } from './refusal.ts';

export interface AdminOptions {
  readonly registry: Registry;
  /** Why no request should be sent to this process; undefined when ready. */
  readonly whyNotReady: () => string | undefined;
  readonly log: ProcessLog;
}

export interface AdminServer {
  /** Listens; gives the port. Throws what `listen` throws. */
  readonly start: (port: number, host?: string) => Promise<number>;
  /** Ends at once; stop it last, so that /readyz can tell of the drain. */
  readonly stop: () => Promise<void>;
}

const PATHS = ['/livez', '/readyz', '/metrics'];
const MAX_CONNECTIONS = 128;

/** The express app; it answers `ok`, or 503 and the reason, as text. */
export function createAdminApp({ registry, whyNotReady, log }: AdminOptions): Express {
  const app = createBareApp();
  app.get('/livez', (_request, response) => {
    response.type('text/plain').send('ok\n');
  });
  app.get('/readyz', (_request, response) => {
    const reason = whyNotReady();
    if (reason === undefined) response.type('text/plain').send('ok\n');
    else response.status(503).type('text/plain').send(`not ready: ${reason}\n`);
  });
  app.get('/metrics', async (_request, response) => {
    const text = await registry.metrics();
    response.set('Content-Type', registry.contentType).send(text);
  });
  app.all(PATHS, (request, response) => {
    const error = `method must be GET; it is ${request.method}`;
    sendRefusal(response, { status: 405, error, headers: { Allow: 'GET, HEAD' } }, false);
  });
  app.use((request, response) => {
    const error = `there is nothing at ${quoted(request.path)}; GET ${PATHS.join(', ')}`;
    sendRefusal(response, { status: 404, error }, false);
  });
  app.use(answerFailures(log));
  return app;
}

/** A server for the admin app; nothing listens before `start`. */
export function createAdminServer(options: AdminOptions): AdminServer {
  const server = createServer(serverOptions(DEFAULT_LIMITS), createAdminApp(options));
  server.maxConnections = MAX_CONNECTIONS;
  const all = trackSockets(server, 'connection');
  let stopped: Promise<void> | undefined;
  return {
    start: (port, host) => listen(server, port, host),
    stop() {
      stopped ??= server.listening ? closeServer(server, { all, http: all }, 1000) : Promise.resolve();
      return stopped;
    },
  };
}
