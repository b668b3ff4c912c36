// What is said to a connection that does not send a proper request, before it is ended.
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.ts';
import { createSparseWrite } from './log.ts';
import type { ProcessLog } from '../admission/process-log.ts';
import type { ConnectionError, HttpMetrics } from './metrics.ts';

interface Answer {
  readonly reason: ConnectionError;
  readonly text: string;
}

function answerText(status: string, error: string): string {
  const body = JSON.stringify({ error });
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`;
}

function answerTo(code: string, limits: HttpLimits): Answer | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const seconds = limits.requestTimeoutMs / 1000;
    const error = `a request must be complete within ${seconds} s`;
    return { reason: 'timeout', text: answerText('408 Request Timeout', error) };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const error = `the headers must have at most ${limits.maxHeaderBytes} bytes`;
    return { reason: 'headers_too_large', text: answerText('431 Request Header Fields Too Large', error) };
  }
  if (code.startsWith('HPE_')) {
    return { reason: 'malformed', text: answerText('400 Bad Request', 'this is not an HTTP/1.1 request') };
  }
  return undefined;
}

/** Answers 400, 408 and 431 on the socket, counts what happened, and ends the connection. */
export function answerClientErrors(server: Server, limits: HttpLimits, metrics: HttpMetrics, log: ProcessLog): void {
  const warn = createSparseWrite((fields, message) => log.warn(fields, message));

  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const answer = answerTo(error.code ?? '', limits);
    if (answer === undefined) {
      socket.destroy();
      return;
    }
    // Go's pool may hold a connection that it has dialled and not yet used. Ended after the short time that a request
    // gets, it could be ended just as the first request is sent; so it gets the time of an unused connection.
    if (answer.reason === 'timeout' && socket.bytesRead === 0) {
      socket.setTimeout(limits.keepAliveTimeoutMs);
      return;
    }
    // A complete request that came in the same packet is answered on the next tick, and goes first.
    setImmediate(() => {
      if (!socket.writable) return;
      metrics.countConnectionError(answer.reason);
      socket.write(answer.text);
      socket.destroySoon();
    });
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    metrics.countConnectionError('tls');
    // Probes that only connect and go are not worth a line. A CA that the client does not trust is.
    if (error.code === 'ECONNRESET') return;
    warn({ client: socket.remoteAddress, code: error.code, error: error.message }, 'a TLS handshake failed');
  });
  server.on('drop', () => metrics.countConnectionError('too_many'));
}
