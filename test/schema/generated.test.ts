// What is made from the schemas: every committed copy is fresh, and the patterns say what the code says.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { amountsSetting } from '../../src/rules/amounts.ts';
import { durationSetting, quantitySetting } from '../../src/rules/settings.ts';
import { AMOUNT, DURATION, QUANTITY, TIME } from '../../tools/schema/forms.ts';
import { generated } from '../../tools/schema/generated.ts';

const root = join(import.meta.dirname, '../..');

describe('what is made from the schemas', () => {
  for (const [file, text] of generated()) {
    it(`is in ${file} as it is now; npm run generate writes it`, () => {
      assert.ok(existsSync(join(root, file)), `${file} is missing`);
      assert.equal(readFileSync(join(root, file), 'utf8'), text);
    });
  }

  it('has CRDs that one kubectl apply can hold, which keeps a copy in an annotation of at most 256 KiB', () => {
    for (const [file, text] of generated()) {
      if (!file.startsWith('manifests/')) continue;
      assert.ok(JSON.stringify(parse(text)).length < 256 * 1024, file);
    }
  });
});

const VECTORS = JSON.parse(readFileSync(join(root, 'test/conformance/quantity-vectors.json'), 'utf8')) as readonly {
  readonly input: unknown;
}[];

/** Texts that are, or nearly are, quantities. */
const anyQuantity = fc
  .tuple(
    fc.constantFrom('', '+', '-'),
    fc.stringMatching(/^\d{0,4}$/),
    fc.stringMatching(/^(\.\d{0,5})?$/),
    fc.constantFrom(
      '',
      'n',
      'u',
      'm',
      'k',
      'K',
      'Ki',
      'M',
      'Mi',
      'G',
      'Gi',
      'T',
      'Pi',
      'E',
      'Ei',
      'e3',
      'E-2',
      'e',
      'MB',
      ' ',
    ),
  )
  .map((parts) => parts.join(''));

describe('a pattern', () => {
  const isQuantity = (text: string): boolean => quantitySetting.safeParse(text).success;

  it('of a quantity fits what the reader takes for one, for every text that Kubernetes was asked about', () => {
    const inputs = VECTORS.map(({ input }) => input).filter((input) => typeof input === 'string');
    assert.ok(inputs.length > 100);
    const differing = inputs.filter(
      (input) => input.length <= 64 && new RegExp(QUANTITY).test(input) !== isQuantity(input),
    );
    assert.deepEqual(differing, []);
  });

  it('of a quantity fits what the reader takes for one', () => {
    fc.assert(
      fc.property(anyQuantity, (text) => {
        assert.equal(new RegExp(QUANTITY).test(text), isQuantity(text), JSON.stringify(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('of an amount fits all that the reader takes, and refuses what is too fine where it has no unit or exponent', () => {
    const isAmount = (text: string): boolean => amountsSetting.safeParse({ cpu: text }).success;
    fc.assert(
      fc.property(anyQuantity, (text) => {
        const fits = new RegExp(AMOUNT).test(text);
        if (isAmount(text)) assert.ok(fits, text);
        else if (!/[kKMGTPEe]/.test(text)) assert.ok(!fits, text);
      }),
      { numRuns: 3000 },
    );
  });

  it('of a duration fits what the reader takes for one', () => {
    const part = (unit: string) => fc.stringMatching(/^\d{0,7}$/).map((digits) => (digits === '' ? '' : digits + unit));
    const anyDuration = fc
      .tuple(part('h'), part('m'), part('s'), fc.constantFrom('', ' ', 'ms'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(anyDuration, (text) => {
        const fits = new RegExp(DURATION).test(text) && /[1-9]/.test(text);
        assert.equal(fits, durationSetting.safeParse(text).success, text);
      }),
      { numRuns: 2000 },
    );
  });

  it('of a time fits RFC 3339 with its zone', () => {
    const fits = (text: string): boolean => new RegExp(TIME).test(text);
    assert.deepEqual(
      [
        '2027-01-31T00:00:00Z',
        '2027-01-31T00:00:00.5+02:00',
        '2027-01-31',
        '2027-01-31T00:00Z',
        '2027-01-31 00:00:00Z',
      ].map(fits),
      [true, true, false, false, false],
    );
  });
});
