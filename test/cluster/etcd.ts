// Starts etcd, where the API server keeps everything.
import { join } from 'node:path';
import { freePort } from './ports.ts';
import { type Place, type Running, startProgram, untilReady } from './running.ts';

export interface Etcd extends Running {
  readonly url: string;
}

export async function startEtcd(program: string, place: Place): Promise<Etcd> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const running = startProgram(
    'etcd',
    program,
    [
      `--data-dir=${join(place.folder, 'etcd')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      // Nothing here has to outlive the machine.
      '--unsafe-no-fsync',
    ],
    place,
  );
  await untilReady(running, () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { ...running, url };
}
