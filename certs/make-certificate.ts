// Makes the certificate of podrail's Service, and the overlay that installs podrail with it: `npm run certificate -- FOLDER`.
//
//   --days 365   how long it is valid
//   --given      makes no certificate: takes the tls.crt, tls.key and ca.crt that lie in FOLDER
//
// The key of the CA is never written, so nothing else can ever be signed in its name. Run again, it makes another CA, and
// ca.crt then holds the one before as well: pods that still have the old certificate are trusted until they have the new one.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAuthority } from '../src/tls/self-made.ts';
import { InvalidPair } from '../src/tls/read-pair.ts';
import { splitPem, verifyGiven } from './given.ts';
import { SERVER_NAME, toOverlay } from './overlay.ts';

// More is a typing mistake.
const MOST_DAYS = 3650;

class BadUsage extends Error {
  override readonly name = 'BadUsage';
}

async function make(folder: string, days: number): Promise<void> {
  const now = new Date();
  const authority = await createAuthority(now, days);
  const { cert, key, notAfter } = await authority.issue([SERVER_NAME], now, days);
  const caFile = join(folder, 'ca.crt');
  const [before = ''] = splitPem(await readFile(caFile, 'utf8').catch(() => ''));
  await writeFile(join(folder, 'tls.crt'), cert);
  // Made anew: writing to a file that is there would leave its mode as it is.
  await rm(join(folder, 'tls.key'), { force: true });
  await writeFile(join(folder, 'tls.key'), key, { mode: 0o600 });
  await writeFile(caFile, `${authority.ca}${before}`);
  process.stdout.write(`${folder}: a certificate for ${SERVER_NAME}, valid until ${notAfter.toISOString()}\n`);
}

function readArguments(): { readonly folder: string; readonly days: number; readonly given: boolean } {
  const { values, positionals } = parseArgs({
    options: { days: { type: 'string', default: '365' }, given: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new BadUsage('name one folder, such as certs/local');
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
    throw new BadUsage(`--days must be a whole number from 1 to ${MOST_DAYS}; it is ${values.days}`);
  }
  return { folder, days, given: values.given };
}

// Not recursive: on a file system that takes no folders (/proc) Node would try for ever.
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function run(): Promise<void> {
  const { folder, days, given } = readArguments();
  await makeFolder(folder);
  if (given) await verifyGiven(folder, SERVER_NAME, new Date());
  else await make(folder, days);
  // Whatever repository the folder lies in, its key does not belong there.
  await writeFile(join(folder, '.gitignore'), 'tls.key\n');
  const file = join(folder, 'kustomization.yaml');
  await writeFile(file, toOverlay(folder, await readFile(join(folder, 'ca.crt'), 'utf8')));
  process.stdout.write(`${file}: installs podrail with it; kubectl apply -k ${folder}\n`);
}

try {
  await run();
} catch (error) {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  const isForPeople = error instanceof BadUsage || error instanceof InvalidPair || code !== '';
  if (!isForPeople) throw error;
  process.stderr.write(`make-certificate: ${message}\n`);
  process.exitCode = 2;
}
