// Test files run side by side, each with programs on ports of its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { freePort } from './ports.ts';

/** Those from `first` on, one after the other. */
const from = (first: number) => {
  let port = first;
  return () => port++;
};
/** What another process is given that tries the same. */
function givenElsewhere(first: number): number {
  const script = `let port = ${first};
    const { freePort } = await import(${JSON.stringify(join(import.meta.dirname, 'ports.ts'))});
    console.log(await freePort(() => port++));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  assert.match(stdout, /^\d+\n$/, stderr);
  return Number(stdout);
}

describe('a port that a test is given', () => {
  it('is given to no other, neither here nor in another process, although nobody listens on it yet', {
    skip: process.platform !== 'linux',
  }, async () => {
    const one = await freePort();
    const other = await freePort(from(one));
    assert.notEqual(other, one);
    assert.ok(![one, other].includes(givenElsewhere(one)));
  });

  it('may be given again once its process has ended', () => {
    const port = givenElsewhere(randomInt(10_000, 19_000));
    assert.equal(givenElsewhere(port), port);
  });

  it('is none that somebody listens on', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    assert.notEqual(await freePort(from(port)), port);
    assert.notEqual(givenElsewhere(port), port);
    server.close();
    await once(server, 'close');
  });
});
