// What the HTTP side counts, for Prometheus.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Phase } from '../admission/request.ts';

export type Endpoint = Phase | 'other';

/** Why a connection was ended that sent no complete request. */
export type ConnectionError = 'tls' | 'malformed' | 'headers_too_large' | 'timeout' | 'too_many';

export interface HttpMetrics {
  /** One request is over; `aborted` when its client went away, or was cut off, before it had sent the body. */
  readonly countRequest: (endpoint: Endpoint, code: number | 'aborted', milliseconds: number) => void;
  readonly countConnectionError: (reason: ConnectionError) => void;
  readonly connectionOpened: () => void;
  readonly connectionClosed: () => void;
  /** The end of the certificate in use. */
  readonly certificateEnds: (notAfter: Date) => void;
}

// A decision takes microseconds and the API server gives up after at most 30 s.
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counters in `registry`; to be made once for each registry. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'podrail_http_requests_total',
    help: 'Requests on the TLS port, by endpoint and HTTP status; "aborted" was never received in full.',
    labelNames: ['endpoint', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: 'podrail_http_request_duration_seconds',
    help: 'From the end of the headers to the answer, on the TLS port.',
    labelNames: ['endpoint'],
    buckets: BUCKETS,
    registers,
  });
  const connectionErrors = new Counter({
    name: 'podrail_http_connection_errors_total',
    help: 'Connections to the TLS port that were ended for what they sent or did not send.',
    labelNames: ['reason'],
    registers,
  });
  const connections = new Gauge({
    name: 'podrail_http_connections',
    help: 'Open connections to the TLS port.',
    registers,
  });
  const certificate = new Gauge({
    name: 'podrail_tls_certificate_not_after_seconds',
    help: 'When the certificate in use ends, in seconds since 1970.',
    registers,
  });
  return {
    countRequest(endpoint, code, milliseconds) {
      requests.inc({ endpoint, code });
      durations.observe({ endpoint }, milliseconds / 1000);
    },
    countConnectionError: (reason) => connectionErrors.inc({ reason }),
    connectionOpened: () => connections.inc(),
    connectionClosed: () => connections.dec(),
    certificateEnds: (notAfter) => certificate.set(notAfter.getTime() / 1000),
  };
}
