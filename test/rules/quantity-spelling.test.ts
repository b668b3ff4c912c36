// What is suggested in place of a text that is no quantity.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuantity } from '../../src/model/quantity.ts';
import { nearestSpellings } from '../../src/rules/quantity-spelling.ts';

const TABLE: readonly (readonly [resource: string, written: string, near: readonly string[]])[] = [
  ['memory', '512MB', ['512M', '512Mi']],
  ['memory', '512K', ['512k', '512Ki']],
  ['memory', '1Gb', ['1G', '1Gi']],
  ['memory', '2GIB', ['2Gi']],
  ['memory', '64mi', ['64Mi']],
  ['memory', ' 1 GiB', ['1Gi']],
  ['memory', '1b', ['1']],
  ['memory', '3 gigabytes', ['3G', '3Gi']],
  ['memory', '1,000,000', ['1000000']],
  ['memory', '1,5Gi', ['1.5Gi']],
  ['memory', '1.2.3Gi', []],
  ['memory', '5Xi', []],
  ['memory', 'constructor', []],
  ['memory', '12 constructor', []],
  ['memory', '10%', []],
  ['memory', '12345678901234567 MB', []],
  ['cpu', '2 cores', ['2']],
  ['cpu', '1vCPU', ['1']],
  ['cpu', '0,5', ['0.5']],
  ['cpu', '500mCPU', ['500m']],
  ['cpu', '250 millicores', ['250m']],
  ['cpu', '1GB', []],
  ['cpu', '1constructor', []],
];

for (const [resource, written, near] of TABLE) {
  test(`${written} of ${resource} is near to ${near.join(' and ') || 'nothing'}`, () => {
    assert.deepEqual(nearestSpellings(resource, written), near);
  });
}

test('what is suggested is always a quantity', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('cpu', 'memory'),
      fc.stringMatching(/^[-+]?[\d.,_]{1,6} ?[a-zA-Z]{0,9}$/),
      (resource, written) => {
        for (const near of nearestSpellings(resource, written)) assert.equal(parseQuantity(near).problem, undefined);
      },
    ),
  );
});
