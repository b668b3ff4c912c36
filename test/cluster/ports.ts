// Free ports of this machine.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

// Below what Linux gives to outgoing connections, which could take a port between our look and its use.
const LOWEST = 20_000;
const HIGHEST = 32_000;

// Those that this process was given and may not listen on yet.
const given = new Set<number>();

/** A port of 127.0.0.1 that nobody listens on, and that nobody else is given while this process lives; `next` says which to try. */
export async function freePort(next: () => number = () => randomInt(LOWEST, HIGHEST)): Promise<number> {
  for (;;) {
    const port = next();
    if (given.has(port) || !(await isReserved(port)) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

// Whoever is given a port listens on it only later. Meanwhile its name in Linux's abstract sockets holds it against the other processes of a
// run: a name is there once, leaves no file, and goes with its process. Elsewhere chance has to do.
async function isReserved(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const server = createServer().unref();
  return isListening(server, { path: `\0podrail-test-port-${port}` });
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  if (!(await isListening(server, { port, host: '127.0.0.1' }))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

async function isListening(server: Server, where: ListenOptions): Promise<boolean> {
  try {
    server.listen(where);
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return false;
  }
}
