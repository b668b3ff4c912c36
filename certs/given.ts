// A certificate that somebody else has made: whether the API server will take it, before anything is installed.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidPair, readPair } from '../src/tls/read-pair.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

/** The certificates of a PEM file, each as it is written. */
export function splitPem(text: string): readonly string[] {
  return text.match(CERTIFICATE) ?? [];
}

/** Throws InvalidPair when tls.crt and tls.key of the folder are no pair for `name`, or ca.crt has not signed them. */
export async function verifyGiven(folder: string, name: string, now: Date): Promise<void> {
  const { cert } = await readPair(folder, now);
  const caFile = join(folder, 'ca.crt');
  const chain = splitPem(cert).map((pem) => new X509Certificate(pem));
  const authorities = splitPem(await readFile(caFile, 'utf8')).map((pem) => new X509Certificate(pem));
  const problems = [
    ...(chain[0]?.checkHost(name, { subject: 'never' }) === undefined
      ? [
          `${join(folder, 'tls.crt')} must name ${name} (subjectAltName); it names ${chain[0]?.subjectAltName ?? 'nobody'}`,
        ]
      : []),
    ...(isSigned(chain, authorities)
      ? []
      : [`${caFile} must hold the CA that signed tls.crt, or the last certificate in it`]),
  ];
  if (problems.length > 0) throw new InvalidPair(problems.join('\n'));
}

function isSigned(chain: readonly X509Certificate[], authorities: readonly X509Certificate[]): boolean {
  return authorities.some((authority) =>
    chain.some((one) => one.fingerprint256 === authority.fingerprint256 || isSignedBy(one, authority)),
  );
}

function isSignedBy(one: X509Certificate, authority: X509Certificate): boolean {
  return one.checkIssued(authority) && one.verify(authority.publicKey);
}
