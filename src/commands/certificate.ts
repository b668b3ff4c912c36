// The certificate that `serve` shows: from a folder that is followed, or self-made with its CA written for clients.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toReason } from '../cluster/text-files.ts';
import type { CertificatePair } from '../http/server.ts';
import { followCertificate, InvalidPair } from '../tls/from-files.ts';
import { createAuthority, writeCa } from '../tls/self-made.ts';
import type { ProcessLog } from '../admission/process-log.ts';
import { UsageError } from './usage-error.ts';

export interface DatedPair extends CertificatePair {
  readonly notAfter: Date;
}

export interface Certificate {
  readonly pair: DatedPair;
  /** The file that clients can trust; undefined where the certificate is not ours. */
  readonly caFile: string | undefined;
  /** Calls back with each later pair; it is called once. */
  readonly follow: (use: (pair: DatedPair) => void) => void;
  readonly close: () => Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The pair in a folder (`tls.crt`, `tls.key`), and every one that replaces it. Throws UsageError. */
export async function openCertificate(directory: string, log: ProcessLog): Promise<Certificate> {
  let use: (pair: DatedPair) => void = () => undefined;
  try {
    const files = await followCertificate({
      directory,
      log,
      now: () => new Date(),
      onChange: (pair) => use(pair),
    });
    return {
      pair: files.current(),
      caFile: undefined,
      follow: (next) => {
        use = next;
      },
      close() {
        files.close();
        return Promise.resolve();
      },
    };
  } catch (error) {
    if (error instanceof InvalidPair) throw new UsageError(`podrail: ${error.message}`);
    throw error;
  }
}

/**
 * A certificate for `names` of an authority that lives as long as this process; its CA is written to `folder`, or to a new
 * folder that goes with the process. Throws UsageError when the folder cannot be written.
 */
export async function makeCertificate(folder: string | undefined, names: readonly string[]): Promise<Certificate> {
  const authority = await createAuthority(new Date());
  const caFolder = folder ?? (await mkdtemp(join(tmpdir(), 'podrail-')));
  const caFile = await writeCa(caFolder, authority.ca).catch((error: unknown) => {
    throw new UsageError(
      `podrail: the CA cannot be written to ${caFolder}, which ${toReason(error)}; name another folder with --ca-out`,
    );
  });
  let renewal: NodeJS.Timeout | undefined;
  return {
    pair: await authority.issue(names, new Date()),
    caFile,
    follow(use) {
      const renew = async (): Promise<void> => use(await authority.issue(names, new Date()));
      // Far more often than it has to be, which is the simplest way to be never late.
      renewal = setInterval(() => void renew(), DAY_MS).unref();
    },
    async close() {
      clearInterval(renewal);
      if (folder === undefined) await rm(caFolder, { recursive: true, force: true });
    },
  };
}
