// A minor whose module could not be made whole is not one of those that are tested.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { knownMinors } from './programs.ts';

// Knows of a release, and fails as it does without a network.
const GO = `#!/bin/sh
case "$1 $2" in
  'list -m') echo 'v1.999.0 v1.999.1' ;;
  'mod download') echo '{"GoMod": "go.mod"}' ;;
  'mod edit') echo '{"Go": "1.26.0", "Replace": []}' ;;
  *) echo 'no network' >&2; exit 1 ;;
esac
`;

it('a new minor leaves nothing behind when its go.sum cannot be made', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'podrail-go-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'go'), GO, { mode: 0o700 });
  const before = [readdirSync(import.meta.dirname), knownMinors()];
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'new-minor.ts'), '1.999'], {
    env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /Command failed: go mod tidy\nno network/);
  assert.deepEqual([readdirSync(import.meta.dirname), knownMinors()], before);
});
