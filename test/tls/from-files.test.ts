import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CertificateFiles, followCertificate } from '../../src/tls/from-files.ts';
import { type FilePair, InvalidPair, readPair } from '../../src/tls/read-pair.ts';
import { createAuthority, type IssuedPair } from '../../src/tls/self-made.ts';

const LIMIT = { timeout: 20_000 };
const NOW = new Date('2026-11-30T09:00:00Z');
const HOUR_MS = 60 * 60 * 1000;

const authority = await createAuthority(NOW);
const [first, second] = await Promise.all([authority.issue([], NOW), authority.issue([], NOW)]);
const expected = ({ cert, key, notAfter }: IssuedPair): FilePair => ({ cert, key, notAfter });

let root = '';
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'podrail-tls-'));
});
after(() => rm(root, { recursive: true }));

/** A folder with these files. */
const folderOf = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const directory = await mkdtemp(join(root, 'd-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
};

/** Puts a file in its place whole, so that no read sees a part of it. */
const put = async (directory: string, name: string, text: string): Promise<void> => {
  const unfinished = join(root, `unfinished-${name}`);
  await writeFile(unfinished, text);
  await rename(unfinished, join(directory, name));
};

/** As Kubernetes mounts a Secret: tls.crt → ..data/tls.crt, and ..data → a folder that is never changed. */
const mount = async (pair: IssuedPair): Promise<{ directory: string; renew: (pair: IssuedPair) => Promise<void> }> => {
  const directory = await folderOf({});
  let generation = 0;
  const renew = async ({ cert, key }: IssuedPair): Promise<void> => {
    generation += 1;
    const inside = `..2026_11_30_${generation}`;
    await mkdir(join(directory, inside));
    await writeFile(join(directory, inside, 'tls.crt'), cert);
    await writeFile(join(directory, inside, 'tls.key'), key);
    await symlink(inside, join(directory, '..data_tmp'));
    await rename(join(directory, '..data_tmp'), join(directory, '..data'));
  };
  await renew(pair);
  for (const name of ['tls.crt', 'tls.key']) await symlink(join('..data', name), join(directory, name));
  return { directory, renew };
};

describe('a pair of files', LIMIT, () => {
  it('that belong together is read, with the time when it ends', async () => {
    const directory = await folderOf({ 'tls.crt': first.cert, 'tls.key': first.key });
    assert.deepEqual(await readPair(directory, NOW), expected(first));
  });

  it('may hold a chain', async () => {
    const cert = first.cert + authority.ca;
    const directory = await folderOf({ 'tls.crt': cert, 'tls.key': first.key });
    assert.deepEqual(await readPair(directory, NOW), { ...expected(first), cert });
  });

  const encrypted = createPrivateKey(first.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString();
  const cases: readonly {
    readonly what: string;
    readonly files: Readonly<Record<string, string>>;
    readonly now?: Date;
    readonly message: (directory: string) => string | RegExp;
  }[] = [
    {
      what: 'no certificate file',
      files: { 'tls.key': first.key },
      message: (directory) => `${directory}/tls.crt must be a readable file; there is none`,
    },
    {
      what: 'no key file',
      files: { 'tls.crt': first.cert },
      message: (directory) => `${directory}/tls.key must be a readable file; there is none`,
    },
    {
      what: 'a certificate that is none',
      files: { 'tls.crt': 'hello', 'tls.key': first.key },
      message: () => /tls\.crt must hold a PEM certificate: /,
    },
    {
      what: 'an empty key',
      files: { 'tls.crt': first.cert, 'tls.key': '' },
      message: () => /tls\.key must hold an unencrypted PEM private key: /,
    },
    {
      what: 'an encrypted key',
      files: { 'tls.crt': first.cert, 'tls.key': encrypted },
      message: () => /tls\.key must hold an unencrypted PEM private key: /,
    },
    {
      what: 'the key of another certificate',
      files: { 'tls.crt': first.cert, 'tls.key': second.key },
      message: (directory) =>
        `${directory}/tls.key must be the key of ${directory}/tls.crt; it belongs to another certificate`,
    },
    {
      what: 'a certificate that has expired',
      files: { 'tls.crt': first.cert, 'tls.key': first.key },
      now: new Date('2027-02-28T09:00:00Z'),
      message: (directory) => `${directory}/tls.crt must not have expired; it ended 2027-02-28T09:00:00.000Z`,
    },
    {
      what: 'a certificate of the future',
      files: { 'tls.crt': first.cert, 'tls.key': first.key },
      now: new Date('2026-11-30T08:49:59Z'),
      message: (directory) => `${directory}/tls.crt must be valid by now; it begins 2026-11-30T08:55:00.000Z`,
    },
    {
      what: 'a chain with garbage in it',
      files: {
        'tls.crt': `${first.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
        'tls.key': first.key,
      },
      message: () => /tls\.crt and .*tls\.key must be usable for TLS: /,
    },
  ];
  for (const { what, files, now, message } of cases) {
    it(`with ${what} is refused, and the message says so`, async () => {
      const directory = await folderOf(files);
      await assert.rejects(readPair(directory, now ?? NOW), (error: Error) => {
        assert.ok(error instanceof InvalidPair);
        const wanted = message(directory);
        if (typeof wanted === 'string') assert.equal(error.message, wanted);
        else assert.match(error.message, wanted);
        return true;
      });
    });
  }

  it('where a folder lies in the place of a file is refused', async () => {
    const directory = await folderOf({ 'tls.key': first.key });
    await mkdir(join(directory, 'tls.crt'));
    await assert.rejects(readPair(directory, NOW), {
      name: 'InvalidPair',
      message: `${directory}/tls.crt must be a readable file; EISDIR: illegal operation on a directory, read`,
    });
  });
});

interface Following {
  readonly files: CertificateFiles;
  readonly changes: FilePair[];
  readonly lines: (readonly [level: string, message: string, error: unknown])[];
  readonly at: (now: Date) => void;
}

// Neither clock nor poll can be what a test that gives an hour relies on: then it is the watch.
const following = async (
  directory: string,
  pollMs: number,
  use: (following: Following) => Promise<void>,
  onChange: (pair: FilePair) => void = () => undefined,
): Promise<void> => {
  const changes: FilePair[] = [];
  const lines: (readonly [string, string, unknown])[] = [];
  let now = NOW;
  const write = (level: string) => (fields: object, message: string) => {
    lines.push([level, message, 'error' in fields ? fields.error : undefined]);
  };
  const files = await followCertificate({
    directory,
    pollMs,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    now: () => now,
    onChange(pair) {
      onChange(pair);
      changes.push(pair);
    },
  });
  try {
    await use({ files, changes, lines, at: (time) => void (now = time) });
  } finally {
    files.close();
  }
};

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const until = async (isTrue: () => boolean): Promise<void> => {
  const end = Date.now() + 5000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${isTrue.toString()}`);
    await sleep(5);
  }
};

const RENEWED = ['info', 'the certificate was renewed', undefined];
const NOT_USABLE = 'the certificate files are not usable; the last good pair stays in use';

describe('a certificate in a folder', LIMIT, () => {
  for (const { how, pollMs } of [
    { how: 'the file system tells', pollMs: HOUR_MS },
    { how: 'it is polled', pollMs: 20 },
  ]) {
    it(`is renewed as Kubernetes does it, and noticed when ${how}`, async () => {
      const { directory, renew } = await mount(first);
      await following(directory, pollMs, async ({ files, changes, lines }) => {
        assert.deepEqual(files.current(), expected(first));
        await renew(second);
        await until(() => changes.length > 0);
        await sleep(100);
        assert.deepEqual(
          [changes, files.current(), files.notAfter(), lines],
          [[expected(second)], expected(second), second.notAfter, [RENEWED]],
        );
      });
    });
  }

  it('that is torn keeps the last good pair, says so once, and is taken when it is whole', async () => {
    const directory = await folderOf({ 'tls.crt': first.cert, 'tls.key': first.key });
    await following(directory, 20, async ({ files, changes, lines }) => {
      await put(directory, 'tls.crt', second.cert);
      await until(() => lines.length > 0);
      await sleep(100);
      const mismatch = `${directory}/tls.key must be the key of ${directory}/tls.crt; it belongs to another certificate`;
      assert.deepEqual([files.current(), changes, lines], [expected(first), [], [['error', NOT_USABLE, mismatch]]]);
      await put(directory, 'tls.key', second.key);
      await until(() => changes.length > 0);
      assert.deepEqual([files.current(), changes], [expected(second), [expected(second)]]);
    });
  });

  it('that is removed, or expires, keeps the last good pair', async () => {
    const directory = await folderOf({ 'tls.crt': first.cert, 'tls.key': first.key });
    await following(directory, 20, async ({ files, lines, at }) => {
      at(new Date('2027-02-28T09:00:00Z'));
      await until(() => lines.length > 0);
      await rm(join(directory, 'tls.crt'));
      await until(() => lines.length > 1);
      assert.deepEqual(files.current(), expected(first));
      assert.deepEqual(lines, [
        ['error', NOT_USABLE, `${directory}/tls.crt must not have expired; it ended 2027-02-28T09:00:00.000Z`],
        ['error', NOT_USABLE, `${directory}/tls.crt must be a readable file; there is none`],
      ]);
    });
  });

  it('that its user cannot take is offered again until it can', async () => {
    const directory = await folderOf({ 'tls.crt': first.cert, 'tls.key': first.key });
    let refusals = 0;
    const refuseOnce = () => {
      refusals += 1;
      if (refusals === 1) throw new Error('not now');
    };
    await following(
      directory,
      20,
      async ({ files, changes, lines }) => {
        await put(directory, 'tls.key', second.key);
        await put(directory, 'tls.crt', second.cert);
        await until(() => changes.length > 0);
        assert.deepEqual([files.current(), changes], [expected(second), [expected(second)]]);
        assert.ok(lines.some(([, , error]) => error === 'not now'));
      },
      refuseOnce,
    );
  });

  it('is not followed after close, whatever happens to it', async () => {
    const { directory, renew } = await mount(first);
    await following(directory, 20, async ({ files, changes, lines }) => {
      files.close();
      await renew(second);
      await sleep(150);
      assert.deepEqual([files.current(), changes, lines], [expected(first), [], []]);
    });
  });

  it('that is no good to begin with is refused', async () => {
    const directory = await folderOf({ 'tls.crt': first.cert, 'tls.key': second.key });
    await assert.rejects(
      following(directory, 20, () => Promise.resolve()),
      { name: 'InvalidPair' },
    );
  });
});
