// The value of a scanned quantity in nanos, and the numbers that bound it.
import type { ScannedQuantity } from './quantity-scan.ts';

/** Nanos in a milli-unit: a millicore. */
export const MILLI = 1_000_000n;
/** Nanos in a unit: a core, a byte. */
export const UNIT = 1_000_000_000n;
/** The largest number that Kubernetes can count. */
export const INT64_MAX = 2n ** 63n - 1n;

/** Beyond these many digits or zeros a value is not expanded: a text of ten characters could ask for gigabytes. */
const MAX_DIGITS = 400;
/** 2⁶⁰, the largest suffix, adds no more digits than these. */
const MAX_SHIFT_DIGITS = 19;
const LARGEST_BINARY = INT64_MAX * UNIT;
const POWERS_OF_TEN: readonly bigint[] = Array.from({ length: 40 }, (_, power) => 10n ** BigInt(power));

/**
 * The absolute value in nanos, rounded up; a binary one at most 2⁶³−1 units, as in Kubernetes. undefined when it is
 * too large to expand: no big integer is ever made from such a text.
 */
export function magnitudeOf(scanned: ScannedQuantity): bigint | undefined {
  const { digits, power, format } = scanned;
  if (digits === '') return 0n;
  if (digits.length > MAX_DIGITS || power > MAX_DIGITS) return undefined;
  if (digits.length + MAX_SHIFT_DIGITS + power < -9) return 1n;
  const magnitude = expand(scanned);
  return format === 'binary' && magnitude > LARGEST_BINARY ? LARGEST_BINARY : magnitude;
}

/** The quotient, rounded away from zero. */
export function divideAwayFromZero(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

function expand({ digits, shift, power }: ScannedQuantity): bigint {
  const mantissa = shift === 0 ? BigInt(digits) : BigInt(digits) << BigInt(shift);
  return power >= -9 ? mantissa * powerOfTen(power + 9) : divideAwayFromZero(mantissa, powerOfTen(-9 - power));
}

function powerOfTen(power: number): bigint {
  return POWERS_OF_TEN[power] ?? 10n ** BigInt(power);
}
