// What a person probably meant by a quantity that Kubernetes reads quite differently, and how such values are said in plain numbers.
import { compare, parseQuantity, type Quantity, toCanonical, toUnits, UNIT } from '../model/quantity.ts';

// Leading zeros mean nothing, and Kubernetes keeps any number of them.
const CPU_WITH_BINARY_SUFFIX = /^\+?0*(\d+(?:\.\d+)?)(Ki|Mi|Gi)$/;
const MEMORY_WITHOUT_UNIT = /^\+?0*(\d+(?:\.\d+)?)m?$/;
// A bare number above this many was meant in bytes, not in Mi.
const MOST_MEBIBYTES = 65536;

const MEBI = 2n ** 20n * UNIT;
const GIBI = 2n ** 30n * UNIT;

/** `200Mi` → 200m (a suffix typed twice), `4Gi` → 4 (memory in the place of cpu), 2000 → 2000m; undefined when all are above `most`. */
export function cpuMeant(quantity: Quantity, most: Quantity): string | undefined {
  const [, number, suffix] = CPU_WITH_BINARY_SUFFIX.exec(quantity.written ?? toCanonical(quantity)) ?? [];
  const meant = number === undefined ? `${toUnits(quantity)}m` : `${number}${suffix === 'Gi' ? '' : 'm'}`;
  return isShort(meant) && compare(parseQuantity(meant), most) <= 0 ? meant : undefined;
}

/** `128m` → 128Mi, `512` → 512Mi; undefined when that is no likely size of a container. */
export function memoryMeant(quantity: Quantity, least: Quantity): string | undefined {
  const [, number] = MEMORY_WITHOUT_UNIT.exec(quantity.written ?? toCanonical(quantity)) ?? [];
  if (number === undefined || Number(number) > MOST_MEBIBYTES) return undefined;
  const meant = `${number}Mi`;
  return isShort(meant) && compare(parseQuantity(meant), least) >= 0 ? meant : undefined;
}

// Nobody meant a number that does not fit in a line.
function isShort(meant: string): boolean {
  return meant.length <= 20;
}

/** In units, without suffix or exponent: `128m` is 0.128. */
export function toPlainNumber({ nanos }: Quantity): string {
  const fraction = String(nanos % UNIT)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanos / UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** About how much it is, to one digit after the point: 1.6Gi. */
export function toRoundSize({ nanos }: Quantity): string {
  const [unit, suffix] = nanos >= GIBI ? [GIBI, 'Gi'] : [MEBI, 'Mi'];
  const tenths = (nanos * 10n + unit / 2n) / unit;
  return `${tenths / 10n}${tenths % 10n === 0n ? '' : `.${tenths % 10n}`}${suffix}`;
}

/** The next whole number of Mi that is not less. */
export function toMebibytes({ nanos }: Quantity): string {
  return `${(nanos + MEBI - 1n) / MEBI}Mi`;
}
