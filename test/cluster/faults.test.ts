// What a tenant sees, word for word, when podrail is away, and what is stored then: once with the failure policies that podrail
// is registered with, once with `Ignore` everywhere, once with `Fail`. When it is back it is asked again: nothing is registered
// a second time.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import {
  BOUNDS,
  LITTLE_CPU,
  MOST_CPU,
  MUCH_CPU,
  NAMESPACES,
  type Outcome,
  type Registration,
  registerInEach,
  resizeLittle,
  settle,
  TIMEOUT_SECONDS,
  tryInEach,
} from './away.ts';
import { FAULTS, type Scene } from './faults.ts';
import { createFixedAddress } from './fixed-address.ts';
import { blockOf, pageText } from './page.ts';
import type { Said } from './people.ts';
import { clusterForSuite } from './suite-cluster.ts';
import { withoutRecordId } from './told.ts';

const PAGE = pageText('when-podrail-is-away.md');
// The address that the page gives.
const EXAMPLE = '127.0.0.2:8443';

type Outcomes = Readonly<Record<Registration, Outcome>>;

describe('when podrail', () => {
  const started = clusterForSuite();
  let scene: Scene;

  before(async () => {
    const cluster = started();
    const bounds = join(cluster.place.folder, 'bounds.yaml');
    await writeFile(bounds, BOUNDS);
    // Nobody has to learn here that it is about to end.
    const config = join(cluster.place.folder, 'podrail.yaml');
    await writeFile(config, 'drain: { delayMs: 1 }\n');
    const flags = ['--config', config, '--guardrails', bounds];
    const address = await createFixedAddress(cluster);
    await settle(cluster);
    scene = { cluster, address, flags, podrail: await address.start(flags) };
    await registerInEach(cluster, address.url, address.tls.ca);
  });

  // As the page would print it.
  const clean = ({ code, out, err }: Said): Said => ({
    code,
    out,
    err: withoutRecordId(err)
      .replaceAll(`${scene.address.host}:${scene.address.port}`, EXAMPLE)
      .replace(/current time \S+ is after \S+$/m, 'current time T is after T'),
  });
  const seen = async (): Promise<Outcomes> => {
    const outcomes = await tryInEach(scene.cluster);
    const cleaned = Object.entries(outcomes).map(([name, { create, resize, ...stored }]) => [
      name,
      { create: clean(create), resize: clean(resize), ...stored },
    ]);
    return Object.fromEntries(cleaned) as Outcomes;
  };

  it('is dead, a resize is refused as docs/when-podrail-is-away.md prints it', () => {
    const [, words] = blockOf(PAGE, 'resize')?.split('\n') ?? [];
    assert.equal(`${words}\n`, away(reasonOf('is dead')).shipped.resize.err);
  });

  it('is there, it injects, and refuses what is outside the bounds', async () => {
    assert.deepEqual(await seen(), HEALTHY);
  });

  for (const [title, begin] of Object.entries(FAULTS)) {
    it(`${title}, the failure policies decide, and it recovers by itself`, async () => {
      const end = await begin(scene);
      try {
        assert.deepEqual(await seen(), away(reasonOf(title)));
      } finally {
        await end();
      }
      for (const namespace of NAMESPACES) await resizeLittle(scene.cluster, namespace);
      assert.deepEqual(await seen(), HEALTHY);
    });
  }

  it("was away, the API server's audit log and metrics tell what nobody judged", async () => {
    const faults = Object.keys(FAULTS).length;
    const { admin, apiServer } = scene.cluster;
    const events = (await apiServer.auditEvents()).filter(({ user }) => user.username === 'dev-lee');
    const notes = events.flatMap(({ annotations = {} }) =>
      Object.entries(annotations).flatMap(([key, name]) => (key.startsWith('failed-open.validating.') ? [name] : [])),
    );
    const metrics = await admin.must('kubectl get --raw /metrics');
    const metric = (name: string): number =>
      Number(
        metrics
          .split('\n')
          .find((line) => line.startsWith(name))
          ?.split(' ')
          .at(-1),
      );
    const refusal = 'error_type="calling_webhook_error",name="resize.podrail.dev",operation="UPDATE"';
    assert.deepEqual(
      {
        pods: notes.filter((name) => name === 'pods.podrail.dev').length,
        resizes: notes.filter((name) => name === 'resize.podrail.dev').length,
        refusals: metric(`apiserver_admission_webhook_rejection_count{${refusal}`),
        counted: metric('apiserver_admission_webhook_fail_open_count{name="resize.podrail.dev"') > 0,
      },
      { pods: 2 * faults, resizes: faults, refusals: faults, counted: true },
    );
  });

  it('was not trusted, its own log says that handshakes failed', async () => {
    const log = await readFile(scene.podrail.err, 'utf8');
    assert.match(log, /"error":"[^"]*bad certificate[^"]*".*"msg":"a TLS handshake failed"/);
  });

  it('answered too late, its records have the refusal that nobody has heard', async () => {
    const behind = await readFile(join(scene.cluster.place.folder, 'podrail-behind.out.log'), 'utf8');
    const records = behind
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Refusal);
    const refused = records.filter(({ decision, pod }) => decision === 'deny' && pod.name === 'web');
    assert.deepEqual(new Set(refused.map(({ pod }) => pod.namespace)), new Set(NAMESPACES));
  });
});

interface Refusal {
  readonly decision: string;
  readonly pod: { readonly name: string; readonly namespace: string };
}

const CREATED: Said = { code: 0, out: 'pod/new created\n', err: '' };
const PATCHED: Said = { code: 0, out: 'pod/web patched\n', err: '' };

function refused(text: string): Said {
  return { code: 1, out: '', err: `Error from server ${text}\n` };
}

const JUDGED: Outcome = {
  create: CREATED,
  stored: 'injected',
  resize: refused(
    `(Forbidden): admission webhook "resize-attempt.podrail.dev" denied the request: [container-size] container "app" must request at most ${MOST_CPU} cpu; it requests ${MUCH_CPU}\npodrail recorded this as ID`,
  ),
  cpu: LITTLE_CPU,
};
const HEALTHY: Outcomes = { shipped: JUDGED, ignored: JUDGED, failed: JUDGED };

/** What comes of the two requests in each namespace when calls to podrail fail for a reason. */
function away(reason: string): Outcomes {
  const failed = (entry: string, path: string, doing = ''): Said =>
    refused(
      `(InternalError): ${doing}Internal error occurred: failed calling webhook "${entry}.podrail.dev": failed to call webhook: Post "https://${EXAMPLE}/${path}?timeout=${TIMEOUT_SECONDS}s": ${reason}`,
    );
  return {
    shipped: { create: CREATED, stored: 'as sent', resize: failed('resize', 'validate'), cpu: LITTLE_CPU },
    ignored: { create: CREATED, stored: 'as sent', resize: PATCHED, cpu: MUCH_CPU },
    failed: {
      create: failed('inject', 'mutate', 'error when creating "STDIN": '),
      stored: 'nothing',
      resize: failed('resize-attempt', 'mutate'),
      cpu: LITTLE_CPU,
    },
  };
}

/** The page's words for a fault. */
function reasonOf(title: string): string {
  const line = blockOf(PAGE, 'reasons')
    ?.split('\n')
    .find((text) => text.startsWith(`${title}: `));
  assert.ok(line !== undefined, `docs/when-podrail-is-away.md has no reason for "${title}"`);
  return line.slice(title.length + 2);
}
