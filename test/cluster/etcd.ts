// Starts etcd, where the API server keeps everything.
import { join } from 'node:path';
import { freePort } from './ports.ts';
import { type Place, type Running, startProgram, untilReady } from './running.ts';

export interface Etcd extends Running {
  readonly url: string;
  /** Puts an object where the API server keeps its own, which then finds it stored, whatever it would have said of it. */
  readonly put: (key: string, object: unknown) => Promise<void>;
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
  return { ...running, url, put: (key, object) => put(url, key, object) };
}

async function put(url: string, key: string, object: unknown): Promise<void> {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const body = JSON.stringify({ key: base64(key), value: base64(JSON.stringify(object)) });
  const { ok, status } = await fetch(`${url}/v3/kv/put`, { method: 'POST', body });
  if (!ok) throw new Error(`etcd answered ${status} to ${key}`);
}
