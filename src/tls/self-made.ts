// A certificate authority that lives in this process, and the server certificates it issues. No key is ever written.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

/** A server certificate, its key, and when it ends. */
export interface IssuedPair {
  readonly cert: string;
  readonly key: string;
  readonly notAfter: Date;
}

export interface Authority {
  /** The certificate that clients trust, as PEM. */
  readonly ca: string;
  /**
   * A certificate for `localhost`, `127.0.0.1`, `::1` and `names` (DNS names and IP addresses), valid for 90 days or `days`, or
   * as long as the authority is where that is less.
   */
  readonly issue: (names: readonly string[], now: Date, days?: number) => Promise<IssuedPair>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const CA_DAYS = 365;
const LEAF_DAYS = 90;
// A client's clock may be behind ours.
const SKEW_MS = 5 * 60 * 1000;
const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1'];

// P-256: every TLS client takes it, and a handshake costs half of what RSA-2048 does.
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function toPem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), x509.PemConverter.PrivateKeyTag);
}

// RFC 5280 wants a positive number of at most 20 octets.
function createSerial(): string {
  return `4${randomBytes(16).toString('hex').slice(1)}`;
}

function alternativeNames(names: readonly string[]): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension(
    [...new Set([...LOCAL_NAMES, ...names])].map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
  );
}

/** A new authority with a new key, valid for a year from `now`, or `days`. */
export async function createAuthority(now: Date, days = CA_DAYS): Promise<Authority> {
  const keys = await createKeys();
  // Two authorities with one name and two keys would confuse clients that keep both.
  const name = `CN=podrail self-made CA ${randomBytes(4).toString('hex')}`;
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: createSerial(),
    name,
    notBefore: new Date(now.getTime() - SKEW_MS),
    notAfter: new Date(now.getTime() + days * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });

  return {
    ca: `${root.toString('pem')}\n`,
    async issue(names, issuedAt, leafDays = LEAF_DAYS) {
      const leafKeys = await createKeys();
      const notAfter = new Date(Math.min(issuedAt.getTime() + leafDays * DAY_MS, root.notAfter.getTime()));
      const leaf = await x509.X509CertificateGenerator.create({
        serialNumber: createSerial(),
        subject: 'CN=podrail',
        issuer: root.subjectName,
        notBefore: new Date(issuedAt.getTime() - SKEW_MS),
        notAfter,
        signingAlgorithm: ALGORITHM,
        signingKey: keys.privateKey,
        publicKey: leafKeys.publicKey,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          alternativeNames(names),
          await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
          await x509.SubjectKeyIdentifierExtension.create(leafKeys.publicKey),
        ],
      });
      return { cert: `${leaf.toString('pem')}\n`, key: `${await toPem(leafKeys.privateKey)}\n`, notAfter };
    },
  };
}

/**
 * Writes `ca.crt` into `directory`, which is made where it is missing (its parent must be there), and gives the file's path. A reader sees the old
 * file or the new one, never a part. Throws what the file system throws.
 */
export async function writeCa(directory: string, ca: string): Promise<string> {
  // Not recursive: on a file system that takes no folders (/proc) Node would try for ever.
  await mkdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const path = join(directory, 'ca.crt');
  // A new name and `wx`: whatever lies there already, a link of someone else's for one, is not written through.
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(unfinished, ca, { mode: 0o644, flag: 'wx' });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return path;
}
