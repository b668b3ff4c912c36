// One address that stays registered, and podrail that comes and goes there, with one certificate or another.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authority, createAuthority } from '../../src/tls/self-made.ts';
import type { Cluster } from './cluster.ts';
import { type Podrail, startPodrail } from './podrail.ts';
import { freePort } from './ports.ts';

// No certificate has this name unless it is asked for, as every one has 127.0.0.1.
const HOST = '127.0.0.2';

export interface FixedAddress {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** What the API server trusts. */
  readonly authority: Authority;
  /** The folder of `tls.crt` and `tls.key`, as a Secret is mounted, and the CA of the address. */
  readonly tls: { readonly directory: string; readonly ca: string };
  /** Writes another pair there, by default a good one. */
  readonly renew: (pair?: Pair) => Promise<void>;
  /** Starts podrail with `flags`, at the address or at another port of its host; `name` is that of its logs. */
  readonly start: (
    flags: readonly string[],
    place?: { readonly name: string; readonly port?: number },
  ) => Promise<Podrail>;
}

interface Pair {
  readonly cert: string;
  readonly key: string;
}

export async function createFixedAddress(cluster: Cluster): Promise<FixedAddress> {
  const authority = await createAuthority(new Date());
  const port = await freePort();
  const directory = join(cluster.place.folder, 'tls');
  await mkdir(directory);
  const tls = { directory, ca: authority.ca };
  const renew = async (pair?: Pair): Promise<void> => {
    const { cert, key } = pair ?? (await authority.issue([HOST], new Date()));
    await writeFile(join(directory, 'tls.crt'), cert);
    await writeFile(join(directory, 'tls.key'), key, { mode: 0o600 });
  };
  await renew();
  return {
    host: HOST,
    port,
    url: `https://${HOST}:${port}`,
    authority,
    tls,
    renew,
    start: (flags, place) => startPodrail(cluster, flags, { host: HOST, port, tls, ...place }),
  };
}
