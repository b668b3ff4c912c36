// The text of a quantity taken apart, as Kubernetes does it (apimachinery/pkg/api/resource/{quantity,suffix}.go).

export type QuantityFormat = 'binary' | 'decimal' | 'exponent';

/** Why a text is no quantity: Kubernetes' three errors, and what podrail refuses to expand (`1e999999999`). */
export type QuantityProblem = 'format' | 'suffix' | 'numeric' | 'unbounded';

/** The value is ± `digits` × 2^`shift` × 10^`power`. */
export interface ScannedQuantity {
  readonly negative: boolean;
  /** Without leading zeros; empty for zero. */
  readonly digits: string;
  readonly shift: number;
  readonly power: number;
  readonly format: QuantityFormat;
  /** Whether Kubernetes prints the text itself instead of the canonical form. */
  readonly keepsText: boolean;
}

interface Suffix {
  readonly format: QuantityFormat;
  readonly exponent: number;
}

const SUFFIXES: ReadonlyMap<string, Suffix> = new Map<string, Suffix>([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((text, index): [string, Suffix] => [
    text,
    { format: 'decimal', exponent: 3 * index - 9 },
  ]),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((text, index): [string, Suffix] => [
    text,
    { format: 'binary', exponent: 10 * index + 10 },
  ]),
]);

/** Any of these may stand in a suffix; whether they form one is asked afterwards, with another error. */
const SUFFIX_LETTERS = 'eEinumkKMGTP';

/** A quantity within these is an int64 in Kubernetes; only then it may keep its text, or have no digit at all. */
const SMALL_DECIMAL_DIGITS = 18;
const SMALL_BINARY_DIGITS = 14;
const SMALL_POWER = -9;

/** Takes a text apart; gives the problem when Kubernetes' parser would refuse it. */
export function scanQuantity(text: string): ScannedQuantity | QuantityProblem {
  if (text === '') return 'format';
  const wholeStart = isSign(text, 0) ? 1 : 0;
  const wholeEnd = skipDigits(text, wholeStart);
  const fractionStart = text[wholeEnd] === '.' ? wholeEnd + 1 : wholeEnd;
  const fractionEnd = skipDigits(text, fractionStart);
  if (skipSuffix(text, fractionEnd) < text.length) return 'format';
  const suffix = interpretSuffix(text.slice(fractionEnd));
  if (suffix === undefined) return 'suffix';

  const whole = text.slice(skipZeros(text, wholeStart), wholeEnd);
  const fraction = text.slice(fractionStart, fractionEnd);
  const isSmall = isSmallForm(suffix, whole, fraction);
  const hasDigits = wholeEnd > wholeStart || fraction !== '';
  return hasDigits || isSmall ? toScanned(text, suffix, whole, fraction, isSmall) : 'numeric';
}

function toScanned(text: string, suffix: Suffix, whole: string, fraction: string, isSmall: boolean): ScannedQuantity {
  return {
    negative: text[0] === '-',
    digits: whole === '' ? fraction.slice(skipZeros(fraction, 0)) : whole + fraction,
    shift: suffix.format === 'binary' ? suffix.exponent : 0,
    power: powerOf(suffix, fraction),
    format: suffix.format,
    keepsText: isSmall && keepsText(suffix, whole, fraction),
  };
}

/** Whether Kubernetes' String() gives this text itself, and not its canonical form. */
export function isKeptAsWritten(text: string): boolean {
  const scanned = scanQuantity(text);
  return typeof scanned === 'object' && scanned.keepsText;
}

/** The power of ten of the last digit; a 32-bit integer that may wrap, as in Kubernetes. */
function powerOf(suffix: Suffix, fraction: string): number {
  return ((suffix.format === 'binary' ? 0 : suffix.exponent) - fraction.length) | 0;
}

function isSmallForm(suffix: Suffix, whole: string, fraction: string): boolean {
  const digits = Math.max(1, whole.length) + fraction.length;
  if (suffix.format !== 'binary') return digits <= SMALL_DECIMAL_DIGITS && powerOf(suffix, fraction) >= SMALL_POWER;
  return fraction === '' && digits <= SMALL_BINARY_DIGITS - (suffix.exponent * 3) / 10;
}

/** Kubernetes' guess that a text is canonical already. It is wrong for `1.500`, `+5Ki` and `007`, which so survive. */
function keepsText(suffix: Suffix, whole: string, fraction: string): boolean {
  if (suffix.format === 'binary') return Number(whole) % 8 !== 0;
  return whole !== '' && powerOf(suffix, fraction) % 3 === 0 && !(whole + fraction).endsWith('000');
}

function interpretSuffix(text: string): Suffix | undefined {
  const known = SUFFIXES.get(text);
  if (known !== undefined) return known;
  if (text[0] !== 'e' && text[0] !== 'E') return undefined;
  const digitsStart = isSign(text, 1) ? 2 : 1;
  if (digitsStart === text.length || skipDigits(text, digitsStart) < text.length) return undefined;
  const exponent = toInt32Exponent(text.slice(skipZeros(text, digitsStart)), text[1] === '-');
  return exponent === undefined ? undefined : { format: 'exponent', exponent };
}

/** Kubernetes reads 64 bits and keeps the low 32: `1e4294967299` is `1e3`. No more than 19 digits make 64 bits. */
function toInt32Exponent(digits: string, negative: boolean): number | undefined {
  if (digits.length > 19) return undefined;
  const exponent = negative ? -BigInt(digits) : BigInt(digits);
  return exponent === BigInt.asIntN(64, exponent) ? Number(BigInt.asIntN(32, exponent)) : undefined;
}

function isSign(text: string, at: number): boolean {
  return text[at] === '+' || text[at] === '-';
}

function skipZeros(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 0x30) at += 1;
  return at;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** Letters, then perhaps a sign, then perhaps digits. */
function skipSuffix(text: string, from: number): number {
  let at = from;
  while (at < text.length && SUFFIX_LETTERS.includes(text.charAt(at))) at += 1;
  return skipDigits(text, isSign(text, at) ? at + 1 : at);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
