// The Dockerfile, built for real, and the image started as manifests/base starts it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER_NAME } from '../../certs/overlay.ts';
import { readManifestFile } from '../../tools/manifests.ts';
import { reviewOf } from '../admission/reviewing.ts';
import { createGuard, type Guard } from '../cluster/guard.ts';
import { freePort } from '../cluster/ports.ts';
import { type Buildah, openBuildah, reasonToSkip } from './buildah.ts';
import { buildStandIn, CA_FILE } from './stand-in.ts';
import { programOf, rightsOf, start, writableMountsOf } from './started.ts';

const repository = resolve(import.meta.dirname, '../..');
const base = join(repository, 'manifests/base');
const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { readonly version: string };

// Where it must be built, a reason to skip it is a failure.
describe('the image', { skip: process.env['CI'] ? false : reasonToSkip() }, () => {
  let folder: string;
  let buildah: Buildah;
  // The file system of a container of it.
  let root: string;
  let guard: Guard;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'podrail-image-'));
    guard = createGuard(folder);
    buildah = openBuildah(folder);
    const standIn = buildStandIn(buildah, folder);
    // What npm on this machine knows, so that it fetches nothing twice.
    const npm = (name: string): string => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
    const settings = { registry: npm('registry'), cache: '/npm-cache', 'prefer-offline': true, cafile: CA_FILE };
    const npmrc = join(folder, 'npmrc');
    writeFileSync(
      npmrc,
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const bases = ['BUILD_IMAGE', 'RUN_IMAGE'].flatMap((name) => ['--build-arg', `${name}=${standIn}`]);
    const own = ['--secret', `id=npmrc,src=${npmrc}`, '--volume', `${npm('cache')}:/npm-cache`];
    buildah('build', ...bases, ...own, '--tag', 'localhost/podrail', repository);
    root = buildah('mount', buildah('from', 'localhost/podrail'));
  });
  after(() => guard.close());

  const config = (): ImageConfig =>
    (
      JSON.parse(buildah('inspect', '--type', 'image', 'localhost/podrail')) as {
        readonly OCIv1: { readonly config: ImageConfig };
      }
    ).OCIv1.config;
  const inImage = (script: string): string => execFileSync('sh', ['-c', script], { cwd: root, encoding: 'utf8' });

  it('runs podrail, as a user who is a number and not root', () => {
    const { User, Entrypoint, Cmd } = config();
    assert.deepEqual(
      { User, Entrypoint, Cmd },
      { User: '65532:65532', Entrypoint: ['node', '/podrail/dist/podrail.js'], Cmd: ['serve'] },
    );
  });

  it('holds the bundle, the licences and the pages of the rules, all of it for everyone to read and for nobody to change', () => {
    assert.equal(inImage('cd podrail && find . -maxdepth 2 | sort'), `${CONTENT.join('\n')}\n`);
    assert.equal(inImage('find podrail ! -user root -o ! -type l -perm /go=w -o -type f ! -perm -go=r'), '');
  });

  it('says its version and explains its rules', () => {
    const podrail = (...args: readonly string[]): string =>
      execFileSync('chroot', ['--userspec=65532:65532', root, ...config().Entrypoint, ...args], { encoding: 'utf8' });
    assert.equal(podrail('--version'), `${version}\n`);
    assert.equal(podrail('rules', 'quantity-valid').split('\n')[0], 'quantity-valid');
  });

  it('answers as manifests/base starts it, and ends when it is told to', async (context) => {
    const [{ spec }] = readManifestFile(join(base, 'deployment.yaml')) as unknown as readonly [Deployment];
    const [container] = spec.template.spec.containers;
    const [port, adminPort] = [await freePort(), await freePort()];
    const listen = [`--listen=127.0.0.1:${port}`, `--admin-listen=127.0.0.1:${adminPort}`];
    const started = start(guard, {
      root,
      user: config().User,
      command: [...config().Entrypoint, ...container.args, ...listen],
      mounts: mountsIn(folder),
      env: { POD_NAMESPACE: 'podrail-system' },
    });
    const [out, err] = [text(started.stdout), text(started.stderr)];
    const ended = new Promise((resolve) => started.once('exit', (code, signal) => resolve(code ?? signal)));
    while (!(await isReady(adminPort))) {
      assert.equal(started.exitCode, null, 'it ended before it was ready');
      await sleep(50);
    }

    const pid = programOf(started);
    assert.deepEqual(rightsOf(pid), {
      Uid: '65532\t65532\t65532\t65532',
      Gid: '65532\t65532\t65532\t65532',
      Groups: '',
      CapPrm: '0000000000000000',
      CapEff: '0000000000000000',
      NoNewPrivs: '1',
    });
    assert.deepEqual(writableMountsOf(pid), []);

    const answer = await review(port, readFileSync(join(folder, 'tls/ca.crt'), 'utf8'));
    assert.equal(answer.status.message.split(' ')[0], '[quantity-plausible]');
    context.diagnostic(
      `memory after one review: ${/VmRSS:\s*(.*)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]}`,
    );

    process.kill(pid, 'SIGTERM');
    assert.equal(await ended, 0, await err);
    assert.deepEqual(
      (await out)
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly decision: string }).decision),
      ['deny'],
    );
  });
});

const CONTENT = [
  '.',
  './LICENSE',
  './dist',
  './dist/LICENSES.txt',
  './dist/podrail.js',
  './docs',
  './docs/rules',
  './package.json',
];

interface ImageConfig {
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
}

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly args: readonly string[] }] } };
  };
}

/** The volumes of the Deployment: settings and guardrails as they lie in manifests/base, and a certificate made by hand. */
function mountsIn(folder: string): Readonly<Record<string, string>> {
  const settings = join(folder, 'settings');
  mkdirSync(settings);
  cpSync(join(base, 'podrail.yaml'), join(settings, 'podrail.yaml'));
  const tls = join(folder, 'tls');
  execFileSync(process.execPath, [join(repository, 'certs/make-certificate.ts'), tls]);
  // As the kubelet does by fsGroup and defaultMode.
  chownSync(join(tls, 'tls.key'), 0, 65532);
  chmodSync(join(tls, 'tls.key'), 0o440);
  return {
    '/etc/podrail/settings': settings,
    '/etc/podrail/guardrails': join(base, 'guardrails'),
    '/etc/podrail/tls': tls,
  };
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Sends a pod with a slip in it, as the API server does. */
async function review(port: number, ca: string): Promise<{ readonly status: { readonly message: string } }> {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default' },
    spec: { containers: [{ name: 'app', image: 'a', resources: { requests: { cpu: '200Mi' } } }] },
  };
  const answered = await new Promise<AsyncIterable<Uint8Array>>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    request(
      { host: '127.0.0.1', port, path: '/validate', method: 'POST', headers, ca, servername: SERVER_NAME },
      resolve,
    )
      .on('error', reject)
      .end(JSON.stringify(reviewOf({ object })));
  });
  return (JSON.parse(await text(answered)) as { readonly response: { readonly status: { readonly message: string } } })
    .response;
}
