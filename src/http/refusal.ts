// The answers to requests that are not reviews: a status and a JSON body that says what to do instead.
import type { ServerResponse } from 'node:http';

export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where reviews are taken, for the texts. */
export const WHERE = 'POST an AdmissionReview to /mutate or /validate';

/** A part of the request in an error text: quoted, and cut, since it may be long and is not ours. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

export function notFound(path: string): Refusal {
  return {
    status: 404,
    error: `there is nothing at ${quoted(path)}; ${WHERE}`,
  };
}

export function wrongMethod(method: string): Refusal {
  return {
    status: 405,
    error: `method must be POST; it is ${method}: ${WHERE}`,
    headers: { Allow: 'POST' },
  };
}

export function wrongContentType(contentType: string | undefined): Refusal {
  return {
    status: 415,
    error: `content type must be application/json in UTF-8; ${contentType === undefined ? 'there is none' : `it is ${quoted(contentType)}`}`,
  };
}

export function wrongContentEncoding(encoding: string): Refusal {
  return {
    status: 415,
    error: `body must not be compressed; its content encoding is ${quoted(encoding)}`,
  };
}

export function tooLarge(maxBytes: number, declared: number | undefined): Refusal {
  return {
    status: 413,
    error: `body must have at most ${maxBytes} bytes; it has ${declared ?? 'more'}`,
  };
}

// The API server tries again, within its own time-out, when a 503 says when.
export const TOO_MANY: Refusal = {
  status: 503,
  error: 'podrail is receiving too many large bodies at once; try again',
  headers: { 'Retry-After': '1' },
};

export const NOT_UTF8: Refusal = { status: 400, error: 'body must be UTF-8' };

export const BUG: Refusal = { status: 500, error: 'podrail failed on this request; its log says why' };

/** Ends the response with JSON text. `keepAlive` false closes the connection after it. */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  keepAlive: boolean,
  headers?: Readonly<Record<string, string>>,
): void {
  if (!keepAlive) response.shouldKeepAlive = false;
  // Pairs in one array, and the length given: Node then writes head and body at once, without a look at either.
  const head = ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))];
  if (headers !== undefined) head.push(...Object.entries(headers).flat());
  response.writeHead(status, head);
  response.end(text);
}

/** Ends the response with the refusal. */
export function sendRefusal(response: ServerResponse, refusal: Refusal, keepAlive: boolean): void {
  sendJson(response, refusal.status, JSON.stringify({ error: refusal.error }), keepAlive, refusal.headers);
}
