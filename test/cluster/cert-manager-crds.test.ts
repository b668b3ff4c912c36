// Tests are skipped for want of Go where nobody has promised it, and for no other reason.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { certManagerCrds } from './cert-manager-crds.ts';

describe('the CRDs of cert-manager', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'podrail-go-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const goThat = (does: string): void => writeFileSync(join(folder, 'go'), `#!/bin/sh\n${does}\n`, { mode: 0o700 });

  it('are missing where there is no Go', async () => {
    assert.deepEqual(await certManagerCrds({ PATH: join(folder, 'none') }), {
      missing: 'the CRDs of cert-manager come from its Go module: spawn go ENOENT',
    });
  });

  it('lie in the folder that Go tells of', async () => {
    goThat(`echo '{"Dir": "/modules/cert-manager"}'`);
    assert.deepEqual(await certManagerCrds({ PATH: folder }), { folder: '/modules/cert-manager/deploy/crds' });
  });

  it('are asked for in vain where the download fails, or says something else: no test is skipped for it', async () => {
    for (const does of ['echo checksum mismatch >&2; exit 1', 'echo none']) {
      goThat(does);
      await assert.rejects(certManagerCrds({ PATH: folder }));
    }
  });

  it('are missing with the programs of envtest, whose users need no Go, however it fails', async () => {
    goThat('exit 1');
    const { missing } = (await certManagerCrds({ PATH: folder, KUBEBUILDER_ASSETS: folder })) as { missing: string };
    assert.match(missing, /^the CRDs of cert-manager come from its Go module: Command failed: go mod download /);
  });
});
