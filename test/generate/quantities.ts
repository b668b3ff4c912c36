// Texts of quantities for generated tests: one value in many notations, values at the very bounds, and texts that are none.
import fc from 'fast-check';

const NANO_DIGITS = 9;
const UNIT = 10n ** 9n;

/** How often values at the bounds of what Kubernetes can count, and texts that are no quantity, come up. */
export type Wildness = 'calm' | 'edges' | 'broken';

const DECIMAL_POWERS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
  'e-9': -9,
  'e-3': -3,
  'E-1': -1,
  e0: 0,
  'e+1': 1,
  E2: 2,
  e3: 3,
  'E+6': 6,
  e7: 7,
  e18: 18,
  e21: 21,
};
const BINARY_POWERS: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** A value in one notation, exactly: `writtenAs(10n ** 8n, 'm')` is `100m`. Suffixes are those of Kubernetes, or exponents. */
export function writtenAs(nanos: bigint, suffix: string): string {
  const binary = BINARY_POWERS[suffix];
  const magnitude = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  // A number over a power of two is one over that power of ten, with as many fives.
  if (binary !== undefined) {
    const digits = magnitude * 5n ** BigInt(binary);
    return `${sign}${pointAt(digits, NANO_DIGITS + binary)}${suffix}`;
  }
  return `${sign}${pointAt(magnitude, NANO_DIGITS + (DECIMAL_POWERS[suffix] ?? 0))}${suffix}`;
}

/** `digits` with so many of them behind the point, and no more zeros there than needed. */
function pointAt(digits: bigint, places: number): string {
  const text = digits.toString().padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  const fraction = text.slice(text.length - places).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

const PLAIN_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G'];
const suffix = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PLAIN_SUFFIXES) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(BINARY_POWERS)) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(DECIMAL_POWERS)) },
);
/** Zeros and signs that change nothing. */
const dress = fc.oneof(
  { weight: 12, arbitrary: fc.constant((text: string) => text) },
  { weight: 1, arbitrary: fc.constant((text: string) => (text.startsWith('-') ? text : `+${text}`)) },
  { weight: 1, arbitrary: fc.constant((text: string) => text.replace(/^([+-]?)/, '$100')) },
  { weight: 1, arbitrary: fc.constant((text: string) => text.replace(/^([+-]?\d+)(?![\d.])/, '$1.000')) },
  { weight: 1, arbitrary: fc.constant((text: string) => text.replace(/^([+-]?\d+)(?![\d.])/, '$1.')) },
  { weight: 1, arbitrary: fc.constant((text: string) => text.replace(/^([+-]?)0(?=\.)/, '$1')) },
);

/** One value in any notation. */
export function textOfValue(nanos: bigint): fc.Arbitrary<string> {
  return fc.tuple(suffix, dress).map(([unit, dressed]) => dressed(writtenAs(nanos, unit)));
}

const INT64_MAX = 2n ** 63n - 1n;
/** What is counted as int64: nanos, micros, millis and units of it, halves, and 18, 19 and 21 digits. */
const BOUNDS: readonly bigint[] = [
  INT64_MAX,
  INT64_MAX * 10n ** 3n,
  INT64_MAX * 10n ** 6n,
  INT64_MAX * UNIT,
  (INT64_MAX / 1000n) * UNIT,
  (INT64_MAX / 2n) * UNIT,
  (INT64_MAX / 1024n) * UNIT,
  10n ** 18n,
  10n ** 27n,
  10n ** 28n,
  10n ** 30n,
  2n ** 53n * UNIT,
  5n * 10n ** 27n,
];
/** A nano, a micro, a milli and a whole unit to either side. */
const STEPS: readonly bigint[] = [0n, 0n, 0n, 1n, -1n, 10n ** 3n, -(10n ** 3n), 10n ** 6n, -(10n ** 6n), UNIT, -UNIT];

/** A step to either side of a value, or none. */
export const step: fc.Arbitrary<bigint> = fc.constantFrom(...STEPS);

/** Values around the numbers at which Kubernetes' own counting ends, in nanos. */
export const boundValue: fc.Arbitrary<bigint> = fc
  .tuple(fc.constantFrom(...BOUNDS), step, fc.constantFrom(1n, 1n, 1n, 1n, -1n))
  .map(([bound, by, sign]) => (bound + by) * sign);

const ordinaryValue = fc.oneof(
  fc.integer({ min: 0, max: 4096 }).map((count) => BigInt(count) * 10n ** 6n),
  fc.integer({ min: 0, max: 4096 }).map((count) => BigInt(count) * UNIT),
  fc.integer({ min: 0, max: 4096 }).map((count) => BigInt(count) * 2n ** 20n * UNIT),
  fc.bigInt({ min: 0n, max: 10n ** 12n }),
);

/** Numbers that are cut off, rounded, or kept as they are written, by digits, point and suffix. */
const spelled = fc
  .record({
    sign: fc.constantFrom('', '', '', '+', '-'),
    whole: digits(0, 20),
    fraction: fc.oneof(fc.constant(undefined), fc.constant(undefined), digits(0, 14)),
    unit: fc.oneof(
      fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'),
      exponent(),
    ),
  })
  .map(({ sign, whole, fraction, unit }) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${unit}`);

function digits(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const any = fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength, maxLength });
  const zeros = fc
    .tuple(fc.integer({ min: minLength, max: maxLength }), fc.constantFrom('0', '1', '9'))
    .map(([length, first]) => first.padEnd(length, '0').slice(0, length));
  return fc.oneof({ weight: 3, arbitrary: any }, { weight: 1, arbitrary: zeros });
}

// No further than Kubernetes can expand without minutes of work.
function exponent(): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom('e', 'E'),
      fc.constantFrom('', '+', '-'),
      fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 0, max: 40 }).map(String) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 380 }).map(String) },
        { weight: 1, arbitrary: fc.constantFrom('', '00', '003', '4294967296', '4294967299', '18446744073709551619') },
      ),
    )
    .map((parts) => parts.join(''));
}

/** Texts made of the letters of quantities, and any text at all. */
const noise = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.string({ unit: fc.constantFrom(...'0123456789+-.eEinumkKMGTP'.split('')), maxLength: 8 }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', '.', '-', 'Ki', 'Ei', 'm', '1 Gi', '1gb', '0x10', '1_000', '1,5', 'NaN', '64mi'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);

/** Any text that may stand where a quantity is meant: most are one. */
export const quantityText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: spelled },
  { weight: 2, arbitrary: ordinaryValue.chain(textOfValue) },
  { weight: 2, arbitrary: fc.tuple(ordinaryValue, step).chain(([value, by]) => textOfValue(value + by)) },
  { weight: 2, arbitrary: boundValue.chain(textOfValue) },
  { weight: 1, arbitrary: noise },
);

/** Texts that are no quantity, negative, without a digit, or beyond what Kubernetes can count. */
export const brokenText: fc.Arbitrary<string> = fc.oneof(
  noise,
  spelled,
  fc.constantFrom('1e100', '-1', '-1n', '9Ei', '5E', '16E', '1000E', '0.5n', '1e-20', '.', 'Mi', '-0'),
);
