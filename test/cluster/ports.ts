// Free ports of this machine.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below what Linux gives to outgoing connections, which could take a port between our look and its use.
const LOWEST = 20_000;
const HIGHEST = 32_000;

// Those that this process was given and may not listen on yet.
const given = new Set<number>();

/** A port of 127.0.0.1 that nobody listens on; chosen by chance, so that clusters side by side do not meet. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST);
  if (given.has(port)) return freePort();
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  given.add(port);
  return port;
}
