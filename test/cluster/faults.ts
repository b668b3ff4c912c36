// The ways in which podrail can be away: each begins, and gives how it ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthority } from '../../src/tls/self-made.ts';
import { resizeLittle, TIMEOUT_SECONDS } from './away.ts';
import type { Cluster } from './cluster.ts';
import type { FixedAddress } from './fixed-address.ts';
import { answerLate } from './late-answers.ts';
import { type Podrail, untilRegistered } from './podrail.ts';
import { freePort } from './ports.ts';
import { openService } from './service-stand-in.ts';

/** podrail at a fixed address, where it is registered. */
export interface Scene {
  readonly cluster: Cluster;
  readonly address: FixedAddress;
  readonly flags: readonly string[];
  podrail: Podrail;
}

type End = () => Promise<void> | void;
type Fault = (scene: Scene) => Promise<End> | End;

const DAY_MS = 24 * 60 * 60 * 1000;
// How long the certificate that expires is good: podrail must be stopped and started meanwhile, and be called once, which
// takes longer on a busy machine. So it depends on how long that has just taken.
const SHORT_MS = 10_000;
const MANY_TIMES = 3;

/** By what a page says of podrail: it `is dead`. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  async 'is dead'(scene) {
    await scene.podrail.stop('SIGKILL');
    return () => start(scene);
  },

  hangs({ podrail }) {
    send(podrail, 'SIGSTOP');
    return () => send(podrail, 'SIGCONT');
  },

  async 'answers too late'(scene) {
    await scene.podrail.stop();
    await startBehind(scene);
    const between = await answerLate(scene.address, scene.podrail.url, TIMEOUT_SECONDS * 1000 + 500);
    return async () => {
      await between.stop();
      await restart(scene);
    };
  },

  async 'has a certificate of another CA'(scene) {
    const other = await createAuthority(new Date());
    await scene.address.renew(await other.issue([scene.address.host], new Date()));
    await restart(scene);
    return () => renew(scene);
  },

  async 'has a certificate for another name'(scene) {
    await scene.address.renew(await scene.address.authority.issue([], new Date()));
    await restart(scene);
    return () => renew(scene);
  },

  // podrail would not start with one. So it expires while podrail runs, which nobody notices until connections begin anew.
  async 'has a certificate that has expired'(scene) {
    const { address, cluster } = scene;
    const began = Date.now();
    await restart(scene);
    await resizeLittle(cluster, 'failed');
    const goodMs = SHORT_MS + MANY_TIMES * (Date.now() - began);
    const pair = await address.authority.issue([address.host], new Date(Date.now() - 90 * DAY_MS + goodMs));
    await address.renew(pair);
    await scene.podrail.stop();
    const port = await startBehind(scene);
    const open = () => openService(address.host, address.port, () => [{ port, isReady: scene.podrail.isReady }]);
    const before = await open();
    await resizeLittle(cluster, 'failed');
    await sleep(pair.notAfter.getTime() - Date.now() + 1000);
    await resizeLittle(cluster, 'failed');
    await before.stop();
    const after = await open();
    return async () => {
      await renew(scene);
      await after.stop();
      await restart(scene);
    };
  },
};

function send({ pid }: Podrail, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(pid, signal);
}

async function start(scene: Scene): Promise<void> {
  scene.podrail = await scene.address.start(scene.flags);
}

async function restart(scene: Scene): Promise<void> {
  await scene.podrail.stop();
  await start(scene);
}

/** Starts it where only we know of; gives the port. */
async function startBehind(scene: Scene): Promise<number> {
  const port = await freePort();
  scene.podrail = await scene.address.start(scene.flags, { name: 'podrail-behind', port });
  return port;
}

// podrail reads the files again in its own time.
async function renew({ address, cluster }: Scene): Promise<void> {
  await address.renew();
  await untilRegistered(cluster.admin, 'ignored');
}
