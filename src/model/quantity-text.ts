// The canonical text of a value, as Kubernetes prints it (Quantity.CanonicalizeBytes).
import { UNIT } from './quantity-magnitude.ts';
import type { QuantityFormat } from './quantity-scan.ts';

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

const KIBI = 1024n * UNIT;

/** Whether a value above the largest suffix is printed without one, as Kubernetes does: 10²¹ as `1`. */
export type BeyondSuffixes = 'lose' | 'keep';

/**
 * The text without fraction digits and with the largest suffix that leaves a whole number. A binary value below 1Ki
 * or with a fraction is printed as decimal. `nanos` is in units of 10⁻⁹.
 */
export function toQuantityText(nanos: bigint, format: QuantityFormat, beyond: BeyondSuffixes): string {
  if (nanos === 0n) return '0';
  if (format === 'binary' && nanos % UNIT === 0n && (nanos >= KIBI || nanos <= -KIBI)) {
    return withSuffix(nanos / UNIT, 1024n, BINARY_SUFFIXES, beyond);
  }
  return format === 'exponent' ? withExponent(nanos) : withSuffix(nanos, 1000n, DECIMAL_SUFFIXES, beyond);
}

function withSuffix(value: bigint, base: bigint, suffixes: readonly string[], beyond: BeyondSuffixes): string {
  const [mantissa, steps] = divideOut(value, base, beyond === 'keep' ? suffixes.length - 1 : Infinity);
  return `${mantissa}${suffixes[steps] ?? ''}`;
}

function withExponent(nanos: bigint): string {
  const [mantissa, steps] = divideOut(nanos, 1000n, Infinity);
  return steps === 3 ? `${mantissa}` : `${mantissa}e${3 * steps - 9}`;
}

/** Divides by `base` as often as nothing is left over; gives what remains and how often. */
function divideOut(value: bigint, base: bigint, maxSteps: number): readonly [mantissa: bigint, steps: number] {
  let mantissa = value;
  let steps = 0;
  while (steps < maxSteps && mantissa % base === 0n) {
    mantissa /= base;
    steps += 1;
  }
  return [mantissa, steps];
}
