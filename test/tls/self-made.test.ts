import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { createAuthority, writeCa } from '../../src/tls/self-made.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date('2026-11-30T09:00:00Z');
const LIMIT = { timeout: 10_000 };

describe('a certificate that podrail makes itself', LIMIT, () => {
  it('is for the local names and the given ones, each once', async () => {
    const { cert } = await (await createAuthority(NOW)).issue(['podrail.podrail.svc', 'localhost', '10.0.0.7'], NOW);
    assert.equal(
      new X509Certificate(cert).subjectAltName,
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:podrail.podrail.svc, IP Address:10.0.0.7',
    );
  });

  it('is signed by the authority, for servers only, with a key on P-256', async () => {
    const authority = await createAuthority(NOW);
    const { cert } = await authority.issue([], NOW);
    const [root, leaf] = [new X509Certificate(authority.ca), new X509Certificate(cert)];
    assert.deepEqual(
      {
        issued: leaf.checkIssued(root),
        signed: leaf.verify(root.publicKey),
        selfSigned: root.verify(root.publicKey),
        ca: [root.ca, leaf.ca],
        usage: leaf.keyUsage,
        curves: [root, leaf].map(({ publicKey }) => publicKey.asymmetricKeyDetails?.namedCurve),
      },
      {
        issued: true,
        signed: true,
        selfSigned: true,
        ca: [true, false],
        usage: ['1.3.6.1.5.5.7.3.1'],
        curves: ['prime256v1', 'prime256v1'],
      },
    );
  });

  it('is valid for 90 days, its authority for a year, both from a little before now', async () => {
    const authority = await createAuthority(NOW);
    const { cert, notAfter } = await authority.issue([], NOW);
    const [root, leaf] = [new X509Certificate(authority.ca), new X509Certificate(cert)];
    const begin = new Date('2026-11-30T08:55:00Z');
    assert.deepEqual(
      [root.validFromDate, root.validToDate, leaf.validFromDate, leaf.validToDate, notAfter],
      [
        begin,
        new Date(NOW.getTime() + 365 * DAY_MS),
        begin,
        new Date(NOW.getTime() + 90 * DAY_MS),
        new Date(NOW.getTime() + 90 * DAY_MS),
      ],
    );
  });

  it('ends no later than its authority', async () => {
    const authority = await createAuthority(NOW);
    const { notAfter } = await authority.issue([], new Date(NOW.getTime() + 300 * DAY_MS));
    assert.deepEqual(notAfter, new Date(NOW.getTime() + 365 * DAY_MS));
  });

  it('has a serial number, and an authority a name, that no other has', async () => {
    const authorities = await Promise.all([createAuthority(NOW), createAuthority(NOW)]);
    const leaves = await Promise.all(authorities.flatMap(({ issue }) => [issue([], NOW), issue([], NOW)]));
    const serials = [...authorities.map(({ ca }) => ca), ...leaves.map(({ cert }) => cert)].map(
      (pem) => new X509Certificate(pem).serialNumber,
    );
    const names = authorities.map(({ ca }) => new X509Certificate(ca).subject);
    assert.deepEqual([new Set(serials).size, new Set(names).size], [6, 2]);
    for (const serial of serials) assert.match(serial, /^4[0-9A-F]{31}$/);
  });

  for (const name of ['localhost', '127.0.0.1', 'podrail.podrail.svc']) {
    it(`is accepted by a client that trusts the authority and asks for ${name}`, async () => {
      const now = new Date();
      const authority = await createAuthority(now);
      const { cert, key } = await authority.issue(['podrail.podrail.svc'], now);
      const server = createServer({ cert, key }, (socket) => socket.end()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      const servername = name === '127.0.0.1' ? '' : name;
      const socket: TLSSocket = connect({ port, host: '127.0.0.1', servername, ca: authority.ca });
      await once(socket, 'secureConnect');
      assert.equal(socket.authorized, true);
      socket.destroy();
      server.close();
    });
  }
});

describe('writing the CA', LIMIT, () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podrail-ca-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('leaves one file that anyone can read, in a folder that is made, and no key', async () => {
    const { ca } = await createAuthority(NOW);
    const directory = join(folder, 'new');
    const path = await writeCa(directory, ca);
    assert.deepEqual(
      [path, await readdir(directory), await readFile(path, 'utf8'), (await stat(path)).mode & 0o777],
      [join(directory, 'ca.crt'), ['ca.crt'], ca, 0o644],
    );
    assert.deepEqual(ca.match(/-----BEGIN .*-----/g), ['-----BEGIN CERTIFICATE-----']);
  });

  it('fails at once where no folder can be made', async () => {
    await assert.rejects(writeCa('/proc/podrail', 'ca'), { code: 'ENOENT' });
    await assert.rejects(writeCa(join(folder, 'none', 'deep'), 'ca'), { code: 'ENOENT' });
  });

  it('replaces an old one, and does not write through a link that lies in its place', async () => {
    const directory = await mkdtemp(join(folder, 'link-'));
    const elsewhere = join(folder, 'elsewhere');
    await writeFile(elsewhere, 'theirs');
    await symlink(elsewhere, join(directory, 'ca.crt'));
    await writeCa(directory, 'first');
    const path = await writeCa(directory, 'second');
    assert.deepEqual(
      [await readFile(path, 'utf8'), await readFile(elsewhere, 'utf8'), await readdir(directory)],
      ['second', 'theirs', ['ca.crt']],
    );
  });

  it('that fails leaves nothing behind', async () => {
    const directory = await mkdtemp(join(folder, 'fails-'));
    // A folder cannot be replaced by a file.
    await writeCa(join(directory, 'ca.crt'), 'x');
    await assert.rejects(writeCa(directory, 'y'), { code: 'EISDIR' });
    assert.deepEqual(await readdir(directory), ['ca.crt']);
  });
});
