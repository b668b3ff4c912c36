// What a text amounts to, worked out apart from podrail's own reader: whoever judges podrail's findings must not ask podrail.

/** A fraction, exact; `under` is above zero. */
export interface Amount {
  readonly over: bigint;
  readonly under: bigint;
  readonly isBinary: boolean;
}

const TENS: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const TEXT = /^([+-]?)(\d*)\.?(\d*)(?:([KMGTPE]i)|[eE]([+-]?\d+)|([numkMGTPE]?))$/;
/** More than podrail expands. */
const MOST_ZEROS = 1000;
const INT64_MAX = 2n ** 63n - 1n;

/** undefined for what is no quantity, or has more zeros than anybody expands. */
export function amountOf(text: string): Amount | undefined {
  const [whole, sign, units = '', fraction = '', binary, exponent, suffix = ''] = TEXT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const asked = (exponent === undefined ? TENS[suffix] : toInt32(exponent)) ?? 0;
  // What is so little is more than nothing, and that is all that matters.
  const power = Math.max(asked - fraction.length, -MOST_ZEROS);
  if (power > MOST_ZEROS) return undefined;
  const factor = binary === undefined ? 1n : 1024n ** BigInt(BINARY.indexOf(binary) + 1);
  const digits = BigInt(`${units}${fraction}` || '0') * factor * (sign === '-' ? -1n : 1n);
  const zeros = 10n ** BigInt(Math.abs(power));
  return capped(power < 0 ? [digits, zeros] : [digits * zeros, 1n], binary !== undefined);
}

/** ParseQuantity keeps no more of an exponent. */
function toInt32(exponent: string): number {
  return Number(BigInt.asIntN(32, BigInt(exponent)));
}

/** A binary one is never more than an int64 of units (ParseQuantity). */
function capped([over, under]: readonly [bigint, bigint], isBinary: boolean): Amount {
  return isBinary && over > INT64_MAX * under ? { over: INT64_MAX, under: 1n, isBinary } : { over, under, isBinary };
}

/** More than a whole number of units. */
export function isMore({ over, under }: Amount, units: bigint): boolean {
  return over > units * under;
}

/**
 * Whether Kubernetes counts another amount. It counts in int64: cpu, and what it asks whether it is whole (extended resources), in
 * thousandths by MilliValue(), everything else in units by Value(); the suite of quantities compares where these end.
 */
export function isUncountable(resource: string, { over, under }: Amount): boolean {
  return over * (isInThousandths(resource) ? 1000n : 1n) > INT64_MAX * under;
}

/** As above, of a sum: nobody asks whether a sum is whole, so that only cpu is counted in thousandths. */
export function isUncountableSum(resource: string, amount: Amount): boolean {
  return isUncountable(resource === 'cpu' ? 'cpu' : '', amount);
}

/** The most that Kubernetes counts, as a finding names it. */
export function mostOf(resource: string): string {
  return `${INT64_MAX}${isInThousandths(resource) ? 'm' : ''}`;
}

function isInThousandths(resource: string): boolean {
  return resource === 'cpu' || resource.includes('/');
}

/** Whether nobody should expand a text: it has more than 400 digits, or asks for as many zeros. */
export function isUnbounded(text: string): boolean {
  return text.length > 400 || toInt32(/[eE]\+?(\d+)$/.exec(text)?.[1] ?? '0') > 400;
}
