// Who looks for the reason why a cluster does not start finds the logs of its programs.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { startCluster } from './cluster.ts';

it('a cluster that does not start says why, and where its logs are', async (context) => {
  const { message } = await startCluster({ apiServerFlags: ['--no-such-flag'] }).then(
    () => new Error('it did start'),
    (error: Error) => error,
  );
  const [, folder = ''] =
    /^kube-apiserver ended before it was ready:\n.*\nlogs are kept in (\S+)$/s.exec(message) ?? [];
  assert.notEqual(folder, '', message);
  context.after(() => rmSync(folder, { recursive: true }));
  assert.match(readFileSync(join(folder, 'kube-apiserver.err.log'), 'utf8'), /unknown flag: --no-such-flag/);
});
