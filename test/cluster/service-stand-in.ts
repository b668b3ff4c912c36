// Stands in for a Service: new connections go to what is ready, and those that are open stay where they are.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Replica {
  readonly port: number;
  readonly isReady: () => Promise<boolean>;
}

export interface ServiceStandIn {
  readonly stop: () => Promise<void>;
}

// A kubelet asks every few seconds, and the endpoints follow later still: `drain.delayMs` is meant for that time.
const PROBE_MS = 500;

/** Listens at the address; the replicas, of the same host, may come and go. Takes turns between those that are ready. */
export async function openService(
  host: string,
  port: number,
  replicas: () => readonly Replica[],
): Promise<ServiceStandIn> {
  let ready: readonly Replica[] = [];
  const probe = async (): Promise<void> => {
    const asked = replicas();
    const answers = await Promise.all(asked.map(({ isReady }) => isReady()));
    ready = asked.filter((_replica, index) => answers[index]);
  };
  await probe();
  let timer: NodeJS.Timeout | undefined;
  let probing = Promise.resolve();
  // One after the other, or an old answer could come after a newer one.
  const again = (): void => {
    timer = setTimeout(() => {
      probing = probe().finally(again);
    }, PROBE_MS).unref();
  };
  again();
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const replica = ready[turn++ % ready.length];
    if (replica === undefined) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: replica.port, host, allowHalfOpen: true });
    for (const socket of [near, far]) open.add(socket);
    near.pipe(far).pipe(near);
    join(near, far);
    join(far, near);
  });
  // A test that failed before it stopped it ends all the same.
  server.unref().listen(port, host);
  await once(server, 'listening');
  return {
    async stop() {
      await probing;
      clearTimeout(timer);
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

// What happens to one end happens to the other.
function join(one: Socket, other: Socket): void {
  one.on('error', () => other.resetAndDestroy());
  one.on('close', () => other.destroy());
}
