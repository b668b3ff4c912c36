// Quantities: texts beyond the conformance vectors, rounding, counting, arithmetic, and how a quantity is said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  add,
  compare,
  INT64_MAX,
  isCountable,
  MILLI,
  parsePaddedQuantity,
  parseQuantity,
  parseQuantityToken,
  type QuantityFormat,
  quantityOf,
  roundUpToMilli,
  subtract,
  toCanonical,
  toMillis,
  toText,
  toUnits,
  UNIT,
} from '../../src/model/quantity.ts';

test('a parsed quantity keeps its text and cannot be changed', () => {
  const quantity = parseQuantity('1.5Gi');
  assert.deepEqual(quantity, {
    nanos: 1_610_612_736n * UNIT,
    format: 'binary',
    written: '1.5Gi',
    problem: undefined,
    subMilli: false,
  });
  assert.ok(Object.isFrozen(quantity));
});

test('a text that is no quantity is zero with a problem, and keeps its text', () => {
  assert.deepEqual(parseQuantity('2 cores'), {
    nanos: 0n,
    format: 'decimal',
    written: '2 cores',
    problem: 'format',
    subMilli: false,
  });
});

test('the same text gives the same object, also after thousands of others', () => {
  const first = parseQuantity('123456m');
  assert.equal(parseQuantity('123456m'), first);
  for (let millis = 0; millis < 5000; millis += 1) parseQuantity(`${millis}m`);
  assert.deepEqual(parseQuantity('123456m'), first);
});

test('a text is a quantity of Kubernetes, or has a problem', async (t) => {
  const nines = '9'.repeat(400);
  const cases: readonly (readonly [text: string, expected: bigint | string])[] = [
    ['1e400', 10n ** 409n],
    ['1e401', 'unbounded'],
    ['-1e401', 'unbounded'],
    ['1e999999999', 'unbounded'],
    ['1e2147483647', 'unbounded'],
    ['1.5e-2147483648', 'unbounded'], // wraps around to 10²¹⁴⁷⁴⁸³⁶⁴⁷ in Kubernetes as well
    [nines, BigInt(nines) * UNIT],
    [`${nines}9`, 'unbounded'],
    [`0.${nines}9`, 'unbounded'],
    [`${nines}9x`, 'format'],
    ['0e999999999', 0n],
    ['0.000e2147483647', 0n],
    ['1e-999999999', 1n],
    ['-1e-999999999', -1n],
    [`0.${'0'.repeat(1000)}1`, 1n],
    [`${'0'.repeat(1000)}1`, UNIT],
    [`${nines}e-405`, 10_000n],
    ['1e-28', 1n],
    ['123456789e-20', 1n],
    ['0.0000000000000000001Ei', 115292151n],
    ['1e00000000000000000000000000003', 1000n * UNIT],
    ['1e9223372036854775807', UNIT / 10n], // the low 32 bits are −1
    ['1e9223372036854775808', 'suffix'],
    ['1e-9223372036854775808', UNIT],
    ['1e-9223372036854775809', 'suffix'],
    ['1e99999999999999999999', 'suffix'],
    ['1e+', 'suffix'],
    ['1m5', 'suffix'],
    ['1+5', 'suffix'],
    ['1kk', 'suffix'],
    ['.Ei', 'numeric'],
    ['+.e-12', 'numeric'],
    ['0Ei', 0n],
    ['-0', 0n],
    ['１', 'format'],
    ['1\n', 'format'],
    ['\ud800', 'format'],
  ];
  for (const [text, expected] of cases) {
    const shown = text.length > 40 ? `${text.slice(0, 20)}… (${text.length} characters)` : JSON.stringify(text);
    await t.test(`${shown} ${typeof expected === 'bigint' ? 'is a quantity' : `has the problem ${expected}`}`, () => {
      const { problem, nanos } = parseQuantity(text);
      assert.equal(problem ?? nanos, expected);
    });
  }
});

test('the exponent of a text is cut to 32 bits, as in Kubernetes', () => {
  assert.equal(parseQuantity('1e4294967299').nanos, 1000n * UNIT);
  assert.equal(parseQuantity('5e-4294967299').nanos, 5_000_000n);
});

test('a padded quantity loses the white space that Go knows, whatever its length', async (t) => {
  const cases: readonly (readonly [text: string, written: string])[] = [
    [' 1Gi ', '1Gi'],
    ['\t\n\v\f\r 1Gi', '1Gi'],
    ['1Gi\u00a0\u0085\u2003\u3000', '1Gi'],
    [`${' '.repeat(100)}1Gi${' '.repeat(100)}`, '1Gi'],
    ['\ufeff1Gi', '\ufeff1Gi'],
    ['1 Gi', '1 Gi'],
    ['   ', ''],
  ];
  for (const [text, written] of cases) {
    await t.test(JSON.stringify(text), () => assert.deepEqual(parsePaddedQuantity(text), parseQuantity(written)));
  }
});

test('a JSON token loses one pair of quotes', () => {
  assert.equal(parseQuantityToken('"').problem, 'format');
  assert.equal(parseQuantityToken('""1""').problem, 'format');
  assert.deepEqual(parseQuantityToken('" 250m "'), parseQuantity('250m'));
  assert.deepEqual(parseQuantityToken('null'), quantityOf(0n, 'decimal'));
});

test('a quantity that a pod stores has whole milli-units', async (t) => {
  const cases: readonly (readonly [text: string, millis: bigint, canonical: string])[] = [
    ['0.5m', 1n, '1m'],
    ['-0.5m', -1n, '-1m'],
    ['1.2345', 1235n, '1235m'],
    ['1000001u', 1001n, '1001m'],
    ['1.0000001Ki', 1024001n, '1024001m'],
    ['1.1E-9', 1n, '1e-3'],
  ];
  for (const [text, millis, canonical] of cases) {
    await t.test(`${text} is stored as ${canonical}, and remembers what was written`, () => {
      const parsed = parseQuantity(text);
      const rounded = roundUpToMilli(parsed);
      assert.deepEqual(rounded, { ...parsed, nanos: millis * MILLI, subMilli: true });
      assert.equal(toCanonical(rounded), canonical);
      assert.equal(toText(rounded), text);
      assert.equal(roundUpToMilli(rounded), rounded);
    });
  }
  await t.test('the same object is given when nothing changes', () => {
    for (const text of ['1.500', '100m', '0', 'nonsense', '1e100']) {
      assert.equal(roundUpToMilli(parseQuantity(text)), parseQuantity(text));
    }
  });
});

test('a computed quantity has no text, and knows whether it has whole milli-units', () => {
  const whole = { nanos: 5n * MILLI, format: 'decimal', written: undefined, problem: undefined, subMilli: false };
  assert.deepEqual(quantityOf(5n * MILLI, 'decimal'), whole);
  assert.deepEqual(quantityOf(5n * MILLI + 1n, 'decimal'), { ...whole, nanos: 5n * MILLI + 1n, subMilli: true });
  assert.deepEqual(add(parseQuantity('4.5m'), parseQuantity('0.5m')), whole);
  assert.deepEqual(subtract(roundUpToMilli(parseQuantity('5.5m')), parseQuantity('1m')), whole);
  assert.equal(add(parseQuantity('1m'), parseQuantity('1u')).subMilli, true);
});

test('a sum or difference has the format of the first operand, unless that is zero', async (t) => {
  const cases: readonly (readonly [a: string, b: string, sum: string, difference: string])[] = [
    ['1Gi', '1G', '2073741824', '73741824'],
    ['1G', '1Gi', '2073741824', '-73741824'],
    ['0', '1Gi', '1Gi', '-1Gi'],
    ['0Ki', '2k', '2k', '-2k'],
    ['1e3', '1Ki', '2024', '-24'],
    ['1k', '1e3', '2k', '0'],
    ['1024', '0Ki', '1024', '1024'],
    ['nonsense', '1Ki', '1Ki', '-1Ki'],
  ];
  for (const [a, b, sum, difference] of cases) {
    await t.test(`${a} and ${b}`, () => {
      assert.equal(toCanonical(add(parseQuantity(a), parseQuantity(b))), sum);
      assert.equal(toCanonical(subtract(parseQuantity(a), parseQuantity(b))), difference);
    });
  }
});

test('quantities compare by value, whatever their spelling', () => {
  assert.equal(compare(parseQuantity('1000m'), parseQuantity('1e0')), 0);
  assert.equal(compare(parseQuantity('1Gi'), parseQuantity('1G')), 1);
  assert.equal(compare(parseQuantity('-1'), parseQuantity('0')), -1);
});

test('units and milli-units are rounded away from zero and do not overflow', () => {
  const counts = (text: string) => [toUnits(parseQuantity(text)), toMillis(parseQuantity(text))];
  assert.deepEqual(counts('0.5'), [1n, 500n]);
  assert.deepEqual(counts('-0.5'), [-1n, -500n]);
  assert.deepEqual(counts('1n'), [1n, 1n]);
  assert.deepEqual(counts('2'), [2n, 2000n]);
  assert.deepEqual(counts('1e100'), [10n ** 100n, 10n ** 103n]);
});

test('Kubernetes counts cpu and devices in int64 thousandths, and everything else in int64 units', async (t) => {
  const cases: readonly (readonly [resource: string, text: string, countable: boolean])[] = [
    ['cpu', `${INT64_MAX}m`, true],
    ['cpu', `-${INT64_MAX}m`, true],
    ['cpu', `${INT64_MAX + 1n}m`, false],
    ['cpu', `${INT64_MAX}000001n`, false],
    ['cpu', '8Ei', false],
    ['cpu', '10P', false],
    ['memory', `${INT64_MAX}`, true],
    ['memory', `${INT64_MAX + 1n}`, false],
    ['memory', `-${INT64_MAX + 1n}`, false],
    ['memory', `${INT64_MAX}.1`, false],
    ['memory', '8Ei', true],
    ['memory', '9E', true],
    ['memory', '10E', false],
    ['nvidia.com/gpu', '1e100', false],
    ['nvidia.com/gpu', `${INT64_MAX}m`, true],
    ['nvidia.com/gpu', '1E', false],
  ];
  for (const [resource, text, countable] of cases) {
    await t.test(`${text} of ${resource} ${countable ? 'can' : 'cannot'} be counted`, () => {
      assert.equal(isCountable(resource, parseQuantity(text)), countable);
    });
  }
});

test('a computed quantity is printed in canonical form', async (t) => {
  const cases: readonly (readonly [nanos: bigint, format: QuantityFormat, canonical: string])[] = [
    [0n, 'exponent', '0'],
    [1n, 'decimal', '1n'],
    [-1500n * MILLI, 'decimal', '-1500m'],
    [10n ** 18n * UNIT, 'decimal', '1E'],
    [1023n * UNIT, 'binary', '1023'],
    [-1023n * UNIT, 'binary', '-1023'],
    [1024n * UNIT, 'binary', '1Ki'],
    [-1024n * UNIT, 'binary', '-1Ki'],
    [1025n * UNIT, 'binary', '1025'],
    [2048n * UNIT + 1n, 'binary', '2048000000001n'],
    [3n * 2n ** 60n * UNIT, 'binary', '3Ei'],
    [7n * UNIT, 'exponent', '7'],
    [70_000n * UNIT, 'exponent', '70e3'],
    [7n, 'exponent', '7e-9'],
  ];
  for (const [nanos, format, canonical] of cases) {
    await t.test(`${nanos} nanos, ${format}, are ${canonical}`, () => {
      assert.equal(toCanonical(quantityOf(nanos, format)), canonical);
      assert.equal(toText(quantityOf(nanos, format)), canonical);
    });
  }
});

test('above the largest suffix canonical form loses the magnitude, as in Kubernetes, and a message does not', () => {
  const zetta = quantityOf(10n ** 21n * UNIT, 'decimal');
  const zebi = quantityOf(2n ** 70n * UNIT, 'binary');
  assert.deepEqual([toCanonical(zetta), toText(zetta)], ['1', '1000E']);
  assert.deepEqual([toCanonical(zebi), toText(zebi)], ['1', '1024Ei']);
});

test('a message says a quantity as it was written, on one line of at most 40 characters', async (t) => {
  const cases: readonly (readonly [text: string, shown: string])[] = [
    ['0.50', '0.50'],
    ['1'.repeat(40), '1'.repeat(40)],
    ['1'.repeat(41), `${'1'.repeat(39)}…`],
    ['1\r\n2\u2028\u0000', '1  2  '],
    [`${'x'.repeat(38)}😀yz`, `${'x'.repeat(38)}\ufffd…`],
    ['', ''],
  ];
  for (const [text, shown] of cases) {
    await t.test(JSON.stringify(text), () => assert.equal(toText(parseQuantity(text)), shown));
  }
});

test('what is no quantity has no canonical form but its text', () => {
  assert.equal(toCanonical(parseQuantity('10 GB')), '10 GB');
  assert.equal(toCanonical(parseQuantity('1e999999999')), '1e999999999');
});
