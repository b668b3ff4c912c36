// What `serve --example` prints, and that it runs beside another.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleText } from '../../src/commands/example.ts';
import { start } from './running.ts';

const text = exampleText(
  {
    listen: { host: '127.0.0.1', port: 8443 },
    adminListen: { host: undefined, port: 8080 },
    caFile: "/tmp/it's/ca.crt",
  },
  'podrail',
);

describe('the example', { timeout: 120_000 }, () => {
  it('takes other ports where its own are in use, and ends with 0', async () => {
    const both = [start('serve', '--example'), start('serve', '--example')];
    const texts = await Promise.all(both.map((running) => running.said('Ctrl-C ends it.')));
    const ports = texts.map((said) => /localhost:(\d+)\/mutate/.exec(said)?.[1]);
    assert.equal(new Set(ports).size, 2);
    for (const running of both) running.process.kill('SIGTERM');
    assert.deepEqual(await Promise.all(both.map((running) => running.ended)), [0, 0]);
  });

  it('is reached by a name that its certificate has', () => {
    assert.match(text, /https:\/\/localhost:8443\/mutate /);
    assert.match(text, /http:\/\/localhost:8080\/readyz/);
  });

  it('is reached by another address where it listens on one', () => {
    const listen = { host: 'fe80::1', port: 1 };
    assert.match(
      exampleText({ listen, adminListen: listen, caFile: undefined }, 'podrail'),
      /https:\/\/\[fe80::1\]:1\/mutate /,
    );
  });

  it('quotes for the shell what needs it', () => {
    assert.match(text, /--cacert '\/tmp\/it'\\''s\/ca\.crt' --header/);
  });

  it('names the command as it is typed here', () => {
    assert.match(text, /\n {2}podrail rules quantity-plausible\n/);
  });
});
