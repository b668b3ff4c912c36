// A Kubernetes quantity, exact: what a text means, arithmetic, and how it is said.
import { divideAwayFromZero, INT64_MAX, MILLI, magnitudeOf, UNIT } from './quantity-magnitude.ts';
import { isKeptAsWritten, type QuantityFormat, type QuantityProblem, scanQuantity } from './quantity-scan.ts';
import { toQuantityText } from './quantity-text.ts';
import { trimSpace } from './white-space.ts';

export { INT64_MAX, MILLI, UNIT } from './quantity-magnitude.ts';
export type { QuantityFormat, QuantityProblem } from './quantity-scan.ts';

export interface Quantity {
  /** The value in units of 10⁻⁹: for cpu nano-cores, for memory nano-bytes. 0 when `problem` is set. */
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** The text it was read from; undefined for a computed quantity. */
  readonly written: string | undefined;
  /** Set when the text is no quantity: then only the rule `quantity-valid` has something to say about it. */
  readonly problem: QuantityProblem | undefined;
  /** Whether the API server rounds it up to whole milli-units when it stores a pod (SetDefaults_ResourceList). */
  readonly subMilli: boolean;
}

const MOST_MILLIS = quantityOf(INT64_MAX * MILLI, 'decimal');
const MOST_UNITS = quantityOf(INT64_MAX * UNIT, 'decimal');

/** Longer texts are cut in messages. */
const MAX_TEXT = 40;

/**
 * What texts mean. The same few texts come with every pod, so this saves most of the work of reading one. Bounded in
 * both directions, since tenants choose the texts, and dropped whole when full.
 */
const MEMO_ENTRIES = 4096;
// A longer piece of a body would hold on to the whole body in memory (V8 slices from 13 characters on).
const MEMO_TEXT = 12;
const memo = new Map<string, Quantity>();

/**
 * The value of a text, as ParseQuantity: rounded away from zero to whole nanos, binary formats capped at 2⁶³−1.
 * Never throws: a text that is no quantity has a `problem`. The same object may be given for the same text.
 */
export function parseQuantity(text: string): Quantity {
  if (text.length > MEMO_TEXT) return readText(text);
  const known = memo.get(text);
  if (known !== undefined) return known;
  const quantity = readText(text);
  if (memo.size >= MEMO_ENTRIES) memo.clear();
  memo.set(text, quantity);
  return quantity;
}

/**
 * The value of a raw JSON token (`"1Gi"`, `1.5`, `null`), as Quantity.UnmarshalJSON: `null` is zero, blanks inside
 * the quotes are trimmed, escapes are not decoded.
 */
export function parseQuantityToken(token: string): Quantity {
  if (token === 'null') return quantityOf(0n, 'decimal');
  const isQuoted = token.length >= 2 && token.startsWith('"') && token.endsWith('"');
  return readText(trimSpace(isQuoted ? token.slice(1, -1) : token));
}

/** As parseQuantity, after cutting white space at both ends, which Kubernetes allows in JSON only. */
export function parsePaddedQuantity(text: string): Quantity {
  return text.length > MEMO_TEXT ? readText(trimSpace(text)) : parseQuantity(trimSpace(text));
}

/**
 * Kubernetes' String(): the text as written where Kubernetes would keep it, otherwise canonical form. Decimals from
 * 10²¹ on lose their magnitude, as there. What is no quantity is given as it was written.
 */
export function toCanonical(quantity: Quantity): string {
  const { nanos, format, written, problem } = quantity;
  if (written === undefined) return toQuantityText(nanos, format, 'lose');
  const isKept = problem !== undefined || (!isRounded(quantity) && isKeptAsWritten(written));
  return isKept ? written : toQuantityText(nanos, format, 'lose');
}

/** What a person wrote, else canonical form that keeps every magnitude; for messages, so one line and cut when long. */
export function toText(quantity: Quantity): string {
  const { nanos, format, written, problem } = quantity;
  const text = written ?? toQuantityText(nanos, format, 'keep');
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
  return problem === undefined ? short : short.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}

/** A computed quantity. */
export function quantityOf(nanos: bigint, format: QuantityFormat): Quantity {
  return createQuantity(nanos, format, undefined, undefined, nanos % MILLI !== 0n);
}

/**
 * Rounded away from zero to whole milli-units, as the API server does when it stores a pod
 * (SetDefaults_ResourceList). Keeps `written`, and `subMilli` as a sign that it was rounded. The same object when
 * nothing changes.
 */
export function roundUpToMilli(quantity: Quantity): Quantity {
  if (!quantity.subMilli || isRounded(quantity)) return quantity;
  const nanos = divideAwayFromZero(quantity.nanos, MILLI) * MILLI;
  return createQuantity(nanos, quantity.format, quantity.written, undefined, true);
}

/** What it was before roundUpToMilli. The same object when nothing was rounded. */
export function unrounded(quantity: Quantity): Quantity {
  return isRounded(quantity) && quantity.written !== undefined ? parsePaddedQuantity(quantity.written) : quantity;
}

/** By value: `1000m` equals `1`. */
export function compare(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/** a + b, in the format of `a` unless that is zero, as Quantity.Add. */
export function add(a: Quantity, b: Quantity): Quantity {
  return computed(a, b, a.nanos + b.nanos);
}

/** a − b, in the format of `a` unless that is zero, as Quantity.Sub. May be negative. */
export function subtract(a: Quantity, b: Quantity): Quantity {
  return computed(a, b, a.nanos - b.nanos);
}

/** Whole units (cores, bytes), rounded away from zero: Value() without its overflow. */
export function toUnits(quantity: Quantity): bigint {
  return divideAwayFromZero(quantity.nanos, UNIT);
}

/** Milli-units (millicores), rounded away from zero: MilliValue() without its overflow. */
export function toMillis(quantity: Quantity): bigint {
  return divideAwayFromZero(quantity.nanos, MILLI);
}

/**
 * The most that Kubernetes can count: int64 of millicores, of thousandths of extended resources, which it asks whether they are
 * whole, and of units of everything else.
 */
export function mostCountable(resource: string): Quantity {
  return resource === 'cpu' || resource.includes('/') ? MOST_MILLIS : MOST_UNITS;
}

/** Whether Kubernetes can count it. */
export function isCountable(resource: string, quantity: Quantity): boolean {
  const most = mostCountable(resource).nanos;
  return quantity.nanos < 0n ? -quantity.nanos <= most : quantity.nanos <= most;
}

/** The only place that makes a Quantity: the same fields in the same order keep every access to them fast. */
function createQuantity(
  nanos: bigint,
  format: QuantityFormat,
  written: string | undefined,
  problem: QuantityProblem | undefined,
  subMilli: boolean,
): Quantity {
  return Object.freeze({ nanos, format, written, problem, subMilli });
}

function computed(a: Quantity, b: Quantity, nanos: bigint): Quantity {
  const subMilli = (a.subMilli || b.subMilli) && nanos % MILLI !== 0n;
  return createQuantity(nanos, a.nanos === 0n ? b.format : a.format, undefined, undefined, subMilli);
}

function isRounded(quantity: Quantity): boolean {
  return quantity.subMilli && quantity.nanos % MILLI === 0n;
}

function readText(text: string): Quantity {
  const scanned = scanQuantity(text);
  if (typeof scanned === 'string') return createQuantity(0n, 'decimal', text, scanned, false);
  const magnitude = magnitudeOf(scanned);
  if (magnitude === undefined) return createQuantity(0n, 'decimal', text, 'unbounded', false);
  const isTiny = scanned.format === 'binary' && magnitude > 0n && magnitude < UNIT;
  const nanos = scanned.negative ? -magnitude : magnitude;
  return createQuantity(nanos, isTiny ? 'decimal' : scanned.format, text, undefined, magnitude % MILLI !== 0n);
}
