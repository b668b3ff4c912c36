// The maker of certificates, run as a person runs it: what it writes, and what a client that trusts its CA thinks of it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { parse } from 'yaml';
import { createAuthority, type IssuedPair } from '../../src/tls/self-made.ts';
import { readWebhookConfigurations } from '../../tools/manifests.ts';

const repository = resolve(import.meta.dirname, '../..');
const NAME = 'podrail.podrail-system.svc';

describe('make-certificate', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'podrail-certs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const make = (...args: readonly string[]): { readonly code: number | null; readonly err: string } => {
    const script = join(repository, 'certs/make-certificate.ts');
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', cwd: folder });
    return { code: status, err: stderr };
  };
  const succeeds = (...args: readonly string[]): void => assert.deepEqual(make(...args), { code: 0, err: '' });

  it('makes a certificate that a client who trusts its CA takes for the Service', async () => {
    succeeds('.');
    assert.equal(await shakesHands(read('tls.crt'), read('tls.key'), read('ca.crt')), true);
  });

  it('keeps the key from other users and from git, and the key of the CA from everyone', () => {
    succeeds('.');
    assert.equal((statSync(join(folder, 'tls.key')).mode & 0o777).toString(8), '600');
    assert.equal(read('.gitignore'), 'tls.key\n');
    assert.equal(
      spawnSync('grep', ['--recursive', '--files-with-matches', 'PRIVATE', '.'], { cwd: folder }).stdout.toString(),
      './tls.key\n',
    );
  });

  it('writes a kustomization with the pair as a Secret and the CA in every webhook', () => {
    succeeds('.');
    const { secretGenerator, patches } = parse(read('kustomization.yaml')) as Kustomization;
    assert.deepEqual(
      secretGenerator.map(({ name, namespace, files }) => ({ name, namespace, files })),
      [{ name: 'podrail-tls', namespace: 'podrail-system', files: ['tls.crt', 'tls.key'] }],
    );
    const caBundle = Buffer.from(read('ca.crt')).toString('base64');
    assert.deepEqual(
      patches.map(({ patch }) => parse(patch) as unknown),
      readWebhookConfigurations().map(({ apiVersion, kind, metadata, webhooks }) => ({
        apiVersion,
        kind,
        metadata: { name: metadata.name },
        webhooks: webhooks.map(({ name }) => ({ name, clientConfig: { caBundle } })),
      })),
    );
  });

  it('trusts the certificate before as well when it runs again, and none before that', async () => {
    const pairs: (readonly [cert: string, key: string])[] = [];
    for (let run = 0; run < 3; run += 1) {
      succeeds('.', '--days', '30');
      pairs.push([read('tls.crt'), read('tls.key')]);
    }
    const trusted = await Promise.all(pairs.map(([cert, key]) => shakesHands(cert, key, read('ca.crt'))));
    assert.deepEqual(trusted, [false, true, true]);
  });

  it('takes a certificate that openssl has made, as the page says', async (context) => {
    if (spawnSync('openssl', ['version']).status !== 0) {
      context.skip('openssl is not installed');
      return;
    }
    const block = /```sh openssl\n([\s\S]*?)```/.exec(readFileSync(join(repository, 'certs/README.md'), 'utf8'))?.[1];
    const { status, stderr } = spawnSync('sh', ['-e', '-c', block ?? 'false'], { encoding: 'utf8', cwd: folder });
    assert.equal(status, 0, stderr);
    succeeds('--given', '.');
    assert.equal(await shakesHands(read('tls.crt'), read('tls.key'), read('ca.crt')), true);
  });

  it('says all that is wrong with a certificate that is given', () => {
    succeeds('.');
    const other = join(folder, 'other');
    succeeds(other);
    cpSync(join(other, 'ca.crt'), join(folder, 'ca.crt'));
    assert.deepEqual(make('--given', '.'), {
      code: 2,
      err: 'make-certificate: ca.crt must hold the CA that signed tls.crt, or the last certificate in it\n',
    });
    cpSync(join(other, 'tls.key'), join(folder, 'tls.key'));
    assert.deepEqual(make('--given', '.'), {
      code: 2,
      err: 'make-certificate: tls.key must be the key of tls.crt; it belongs to another certificate\n',
    });
  });

  const MISTAKES: readonly (readonly [title: string, args: readonly string[], err: string])[] = [
    ['no folder', [], 'name one folder, such as certs/local'],
    ['two folders', ['a', 'b'], 'name one folder, such as certs/local'],
    ['no number of days', ['a', '--days', 'x'], '--days must be a whole number from 1 to 3650; it is x'],
    ['too many days', ['a', '--days', '36500'], '--days must be a whole number from 1 to 3650; it is 36500'],
    ['nothing given', ['--given', '.'], 'tls.crt must be a readable file; there is none'],
    ['a folder that cannot be made', ['/proc/podrail'], "ENOENT: no such file or directory, mkdir '/proc/podrail'"],
  ];
  for (const [title, args, err] of MISTAKES) {
    it(`refuses ${title}`, () => {
      assert.deepEqual(make(...args), { code: 2, err: `make-certificate: ${err}\n` });
    });
  }

  it('refuses a certificate for another name', async () => {
    const { cert, key, ca } = await issueFor(['elsewhere']);
    writeFileSync(join(folder, 'tls.crt'), cert);
    writeFileSync(join(folder, 'tls.key'), key);
    writeFileSync(join(folder, 'ca.crt'), ca);
    assert.deepEqual(make('--given', '.'), {
      code: 2,
      err: `make-certificate: tls.crt must name ${NAME} (subjectAltName); it names DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:elsewhere\n`,
    });
  });
});

interface Kustomization {
  readonly secretGenerator: readonly {
    readonly name: string;
    readonly namespace: string;
    readonly files: readonly string[];
  }[];
  readonly patches: readonly { readonly patch: string }[];
}

async function issueFor(names: readonly string[]): Promise<IssuedPair & { readonly ca: string }> {
  const authority = await createAuthority(new Date());
  return { ...(await authority.issue(names, new Date())), ca: authority.ca };
}

/** Whether a client that trusts only `ca` and wants the Service's name gets a connection. */
async function shakesHands(cert: string, key: string, ca: string): Promise<boolean> {
  const server = createServer({ cert, key });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, servername: NAME, ca });
  const isTrusted = await once(socket, 'secureConnect').then(
    () => socket.authorized,
    () => false,
  );
  socket.destroy();
  server.close();
  return isTrusted;
}
