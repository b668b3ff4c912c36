// Reads tls.crt and tls.key from a folder, as Kubernetes mounts a Secret, and says what is wrong with them.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';

/** A certificate with its chain, its key, and when the certificate ends. */
export interface FilePair {
  readonly cert: string;
  readonly key: string;
  readonly notAfter: Date;
}

/** The files are no usable pair; the message names the file and what must change. */
export class InvalidPair extends Error {
  override readonly name = 'InvalidPair';
}

// A certificate that was issued a moment ago may be ahead of a clock that is behind.
const SKEW_MS = 5 * 60 * 1000;

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidPair(`${path} must be a readable file; ${code === 'ENOENT' ? 'there is none' : reasonOf(error)}`);
  }
}

function parseCertificate(path: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (error) {
    throw new InvalidPair(`${path} must hold a PEM certificate: ${reasonOf(error)}`);
  }
}

function parseKey(path: string, text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw new InvalidPair(`${path} must hold an unencrypted PEM private key: ${reasonOf(error)}`);
  }
}

function verifyTime(path: string, certificate: X509Certificate, now: Date): void {
  if (certificate.validToDate <= now) {
    throw new InvalidPair(`${path} must not have expired; it ended ${certificate.validToDate.toISOString()}`);
  }
  if (certificate.validFromDate.getTime() > now.getTime() + SKEW_MS) {
    throw new InvalidPair(`${path} must be valid by now; it begins ${certificate.validFromDate.toISOString()}`);
  }
}

/** The pair in `directory`. Throws InvalidPair when a file is missing or not what it should be at `now`. */
export async function readPair(directory: string, now: Date): Promise<FilePair> {
  const certPath = join(directory, 'tls.crt');
  const keyPath = join(directory, 'tls.key');
  const cert = await readText(certPath);
  const key = await readText(keyPath);
  const certificate = parseCertificate(certPath, cert);
  if (!certificate.checkPrivateKey(parseKey(keyPath, key))) {
    throw new InvalidPair(`${keyPath} must be the key of ${certPath}; it belongs to another certificate`);
  }
  verifyTime(certPath, certificate, now);
  try {
    // OpenSSL has the last word: a broken chain, a key that is too weak.
    createSecureContext({ cert, key });
  } catch (error) {
    throw new InvalidPair(`${certPath} and ${keyPath} must be usable for TLS: ${reasonOf(error)}`);
  }
  return { cert, key, notAfter: certificate.validToDate };
}
