// Laws of quantities, against a model of fractions that shares nothing with the code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  add,
  compare,
  parseQuantity,
  parseQuantityToken,
  type Quantity,
  quantityOf,
  roundUpToMilli,
  subtract,
  toCanonical,
  toText,
  unrounded,
} from '../../src/model/quantity.ts';

/** A fraction: `top` / `bottom` units, `bottom` above zero. */
interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

interface Sample {
  readonly text: string;
  readonly value: Rational;
}

const FACTORS: Readonly<Record<string, Rational>> = {
  n: { top: 1n, bottom: 1_000_000_000n },
  u: { top: 1n, bottom: 1_000_000n },
  m: { top: 1n, bottom: 1000n },
  '': { top: 1n, bottom: 1n },
  k: { top: 1000n, bottom: 1n },
  M: { top: 1_000_000n, bottom: 1n },
  G: { top: 1_000_000_000n, bottom: 1n },
  T: { top: 1_000_000_000_000n, bottom: 1n },
  P: { top: 1_000_000_000_000_000n, bottom: 1n },
  E: { top: 1_000_000_000_000_000_000n, bottom: 1n },
  Ki: { top: 1024n, bottom: 1n },
  Mi: { top: 1_048_576n, bottom: 1n },
  Gi: { top: 1_073_741_824n, bottom: 1n },
  Ti: { top: 1_099_511_627_776n, bottom: 1n },
  Pi: { top: 1_125_899_906_842_624n, bottom: 1n },
  Ei: { top: 1_152_921_504_606_846_976n, bottom: 1n },
  'e-12': { top: 1n, bottom: 1_000_000_000_000n },
  'e-3': { top: 1n, bottom: 1000n },
  E2: { top: 100n, bottom: 1n },
  'e+21': { top: 1_000_000_000_000_000_000_000n, bottom: 1n },
};

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength, maxLength });

const samples: fc.Arbitrary<Sample> = fc
  .record({
    sign: fc.constantFrom('', '', '+', '-'),
    whole: digits(1, 20),
    fraction: fc.oneof(fc.constant(undefined), digits(0, 12)),
    suffix: fc.constantFrom(...Object.keys(FACTORS)),
  })
  .map(({ sign, whole, fraction, suffix }) => ({
    text: `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${suffix}`,
    value: modelOf(sign === '-', whole, fraction ?? '', suffix),
  }));

const quantities: fc.Arbitrary<Quantity> = fc.oneof(
  samples.map(({ text }) => parseQuantity(text)),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.constantFrom('binary', 'decimal', 'exponent'))
    .map(([nanos, format]) => quantityOf(nanos, format)),
);

function modelOf(negative: boolean, whole: string, fraction: string, suffix: string): Rational {
  const factor = FACTORS[suffix] ?? { top: 0n, bottom: 1n };
  const top = BigInt(whole + fraction) * factor.top;
  const bottom = BigInt(`1${'0'.repeat(fraction.length)}`) * factor.bottom;
  const rounded = { top: (top * 1_000_000_000n + bottom - 1n) / bottom, bottom: 1_000_000_000n };
  const largest = { top: 9_223_372_036_854_775_807n, bottom: 1n };
  const capped = suffix.endsWith('i') && orderOf(rounded, largest) > 0 ? largest : rounded;
  return negative ? { top: -capped.top, bottom: capped.bottom } : capped;
}

function orderOf(a: Rational, b: Rational): number {
  const left = a.top * b.bottom;
  const right = b.top * a.bottom;
  return left === right ? 0 : left < right ? -1 : 1;
}

function plus(a: Rational, b: Rational): Rational {
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom };
}

function assertValue(quantity: Quantity, value: Rational): void {
  assert.equal(quantity.problem, undefined);
  assert.equal(orderOf({ top: quantity.nanos, bottom: 1_000_000_000n }, value), 0);
}

function magnitude(quantity: Quantity): bigint {
  return quantity.nanos < 0n ? -quantity.nanos : quantity.nanos;
}

test('the value of a text is the fraction it spells, rounded away from zero to nanos', () => {
  fc.assert(fc.property(samples, ({ text, value }) => assertValue(parseQuantity(text), value)));
});

test('the order of two quantities is the order of their fractions', () => {
  fc.assert(
    fc.property(samples, samples, (a, b) => {
      assert.equal(compare(parseQuantity(a.text), parseQuantity(b.text)), orderOf(a.value, b.value));
    }),
  );
});

test('a sum is the sum of the fractions, and a difference gives the first back', () => {
  fc.assert(
    fc.property(samples, samples, (a, b) => {
      const sum = add(parseQuantity(a.text), parseQuantity(b.text));
      assertValue(sum, plus(a.value, b.value));
      assertValue(subtract(sum, parseQuantity(b.text)), a.value);
    }),
  );
});

test('a sum does not depend on order or grouping', () => {
  fc.assert(
    fc.property(quantities, quantities, quantities, (a, b, c) => {
      assert.equal(add(a, b).nanos, add(b, a).nanos);
      assert.equal(add(add(a, b), c).nanos, add(a, add(b, c)).nanos);
    }),
  );
});

test('printing and parsing again keeps the value, below the 10²¹ where Kubernetes loses it', () => {
  fc.assert(
    fc.property(quantities, (quantity) => {
      fc.pre(quantity.format === 'exponent' || magnitude(quantity) < 10n ** 30n);
      assert.equal(parseQuantity(toCanonical(quantity)).nanos, quantity.nanos);
    }),
  );
});

test('what a message says means the same, however large it is', () => {
  const large = fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n });
  fc.assert(
    fc.property(large, fc.constantFrom('decimal', 'exponent'), (nanos, format) => {
      assert.equal(parseQuantity(toText(quantityOf(nanos, format))).nanos, nanos);
    }),
  );
});

test('printing is idempotent; a binary quantity without a binary suffix is decimal the second time', () => {
  const print = (text: string) => toCanonical(parseQuantity(text));
  fc.assert(
    fc.property(quantities, (quantity) => {
      const printed = toCanonical(quantity);
      const settled = quantity.format === 'binary' ? print(printed) : printed;
      assert.equal(print(settled), settled);
    }),
  );
});

test('rounding up to milli-units is idempotent, never lowers a magnitude, and adds less than one milli-unit', () => {
  fc.assert(
    fc.property(quantities, (quantity) => {
      const rounded = roundUpToMilli(quantity);
      const grown = magnitude(rounded) - magnitude(quantity);
      assert.equal(roundUpToMilli(rounded), rounded);
      assert.equal(rounded.nanos % 1_000_000n, 0n);
      assert.ok(grown >= 0n && grown < 1_000_000n);
      assert.equal(rounded.subMilli, grown > 0n);
      assert.equal(rounded.written, quantity.written);
      if (quantity.written !== undefined) assert.equal(unrounded(rounded).nanos, quantity.nanos);
    }),
  );
});

test('no text makes parsing or printing throw', () => {
  const near = fc.string({ unit: fc.constantFrom(...'0123456789+-.eEinumkKMGTP "'.split('')), maxLength: 14 });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (text) => {
      for (const quantity of [parseQuantity(text), parseQuantityToken(text)]) {
        assert.equal(typeof toCanonical(roundUpToMilli(quantity)), 'string');
        assert.ok(toText(quantity).length <= 40);
      }
    }),
    { numRuns: 1000 },
  );
});
