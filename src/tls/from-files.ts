// The certificate in a folder, followed while it is renewed.
import type { ProcessLog } from '../admission/process-log.ts';
import { followFolders } from '../follow-folder.ts';
import { type FilePair, readPair } from './read-pair.ts';

// Whoever follows a certificate has to tell its mistakes from bugs.
export { InvalidPair } from './read-pair.ts';

export interface CertificateOptions {
  readonly directory: string;
  readonly log: ProcessLog;
  readonly now: () => Date;
  /** Called with each new pair, after the first. */
  readonly onChange: (pair: FilePair) => void;
  /** How often the files are read where the file system tells of no change. Default 10 s. */
  readonly pollMs?: number;
}

export interface CertificateFiles {
  /** The last good pair. */
  readonly current: () => FilePair;
  readonly notAfter: () => Date;
  readonly close: () => void;
}

/**
 * Reads the pair and follows it. Throws InvalidPair when there is no good one to begin with. Later a pair that is torn
 * (one file renewed, the other not yet), unreadable or expired is logged, once, and the last good one stays in use.
 */
export async function followCertificate(options: CertificateOptions): Promise<CertificateFiles> {
  const { directory, log, now, onChange } = options;
  let current = await readPair(directory, now());
  let complaint: string | undefined;
  let isClosed = false;

  const complainOnce = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error);
    if (message === complaint) return;
    complaint = message;
    const fields = { directory, notAfter: current.notAfter, error: message };
    log.error(fields, 'the certificate files are not usable; the last good pair stays in use');
  };

  const check = async (): Promise<void> => {
    try {
      const pair = await readPair(directory, now());
      complaint = undefined;
      if (isClosed || (pair.cert === current.cert && pair.key === current.key)) return;
      onChange(pair);
      current = pair;
      log.info({ directory, notAfter: pair.notAfter }, 'the certificate was renewed');
    } catch (error) {
      if (!isClosed) complainOnce(error);
    }
  };

  const following = followFolders({
    folders: [directory],
    check,
    onUnwatched: (_, error) =>
      log.warn({ err: error, directory }, 'the certificate folder cannot be watched; it is read at intervals'),
    pollMs: options.pollMs,
  });

  return {
    current: () => current,
    notAfter: () => current.notAfter,
    close() {
      isClosed = true;
      following.close();
    },
  };
}
