// Ends an HTTP server: what is in flight is answered, what is idle is closed, nothing is waited for without end.
import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';

/** The sockets that `event` brought and that are still open. */
export function trackSockets(server: HttpServer | HttpsServer, event: string): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

export interface Sockets {
  /** Every TCP connection, in a TLS handshake too. */
  readonly all: ReadonlySet<Socket>;
  /** Those on which HTTP is spoken. */
  readonly http: ReadonlySet<Socket>;
}

/** Listens; gives the port, which differs from the one asked for when that is 0. Throws when it cannot. */
export function listen(server: HttpServer | HttpsServer, port: number, host: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 511 }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

// A client that connects asks at once. As long as this, a new connection may be one whose request is still under way: a client does
// not send a review again of which it cannot know whether it was judged.
const FIRST_REQUEST_MS = 1000;

/**
 * Stops listening and closes idle connections, new ones when nothing comes for a second; resolves when the last connection is gone,
 * at the latest after `timeoutMs`, when those that are left are cut off. Who answers requests must end their connections from now on.
 */
export function closeServer(server: HttpServer | HttpsServer, sockets: Sockets, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Node no longer looks for late requests once a server is closed, so this is the only bound.
    const cutOff = setTimeout(() => {
      for (const socket of sockets.all) socket.destroy();
    }, timeoutMs);
    // Node takes a connection that has never sent a byte for a busy one, and leaves it open.
    let silent = silentOf(sockets.http);
    const look = setInterval(() => {
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
      silent = silentOf(sockets.http);
    }, FIRST_REQUEST_MS);
    server.close(() => {
      clearTimeout(cutOff);
      clearInterval(look);
      resolve();
    });
  });
}

function silentOf(sockets: ReadonlySet<Socket>): readonly Socket[] {
  return [...sockets].filter(({ bytesRead }) => bytesRead === 0);
}
