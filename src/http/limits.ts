// What one HTTP server takes before it refuses: sizes in bytes, times in milliseconds.

export interface HttpLimits {
  /** One request body. The API server takes objects of 3 MiB, and a review carries two of them. */
  readonly maxBodyBytes: number;
  /** All bodies that are being received at one time; it keeps many large ones from ending the process. */
  readonly maxHeldBytes: number;
  readonly maxHeaderBytes: number;
  readonly maxHeaders: number;
  readonly maxConnections: number;
  /** From the first byte of a request to the end of its headers; also how long a TLS handshake may take. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** How long an unused connection is kept. The API server reuses one for up to 90 s, so this must be longer. */
  readonly keepAliveTimeoutMs: number;
  /** Between "not ready" and the end of listening: the time in which a cluster takes this pod out of its endpoints. */
  readonly drainDelayMs: number;
  /** How long requests in flight may take to end after that. */
  readonly drainTimeoutMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  maxBodyBytes: 8 * 1024 * 1024,
  maxHeldBytes: 64 * 1024 * 1024,
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 100,
  maxConnections: 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 120_000,
  drainDelayMs: 5_000,
  drainTimeoutMs: 10_000,
};

/** The limits as options of `http.createServer` and `https.createServer`. */
export function serverOptions(limits: HttpLimits) {
  return {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // Node looks for late requests in this rhythm only; its default of 30 s would turn a limit of 10 s into one of 40 s.
    connectionsCheckingInterval: Math.max(10, Math.min(1000, limits.headersTimeoutMs / 10)),
    insecureHTTPParser: false,
  };
}
