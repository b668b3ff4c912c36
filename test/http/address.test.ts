// Where a server listens, as a person writes it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAddress, toAddressText } from '../../src/http/address.ts';

describe('an address', () => {
  const cases: readonly (readonly [string, ReturnType<typeof parseAddress>])[] = [
    ['8443', { host: undefined, port: 8443 }],
    [':8443', { host: undefined, port: 8443 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['localhost:65535', { host: 'localhost', port: 65_535 }],
    ['[::1]:8443', { host: '::1', port: 8443 }],
    ['::1:8443', undefined],
    ['localhost', undefined],
    ['localhost:', undefined],
    ['localhost:65536', undefined],
    ['localhost:https', undefined],
    ['', undefined],
  ];
  for (const [text, address] of cases) {
    it(`${JSON.stringify(text)} ${address ? 'is read' : 'is refused'}`, () =>
      assert.deepEqual(parseAddress(text), address));
  }

  for (const text of [':8443', '127.0.0.1:0', '[::1]:8443']) {
    it(`${text} is printed as it was read`, () =>
      assert.equal(toAddressText(parseAddress(text) ?? { host: '', port: 0 }), text));
  }
});
