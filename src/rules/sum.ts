// How a rule comes to its bound, as one would write it on paper: what goes in, what comes of it, and what is compared.
import { compare, type Quantity, quantityOf, toText } from '../model/quantity.ts';

/** All but ` ` count into the next `=`; a row without sign begins a sum. */
export type Sign = ' ' | '+' | '-' | '×' | '÷' | '=';

export interface SumRow {
  readonly sign: Sign;
  readonly label: string;
  /** A text where it is a time; undefined where nothing sets it. */
  readonly amount: Quantity | string | undefined;
  readonly note?: string;
  /** It is what all other pods of the namespace hold, whom somebody may be able to name. */
  readonly isOfOthers?: true;
}

/** One number that a rule compares with a bound. */
export interface Sum {
  /** The field it is about, as in a finding. */
  readonly path: string;
  /** What is compared: `cpu requests of container "app"`. */
  readonly title: string;
  readonly rows: readonly SumRow[];
  /** What comes of it. */
  readonly conclusion: string;
  /** Where a row is a sum of the pod's containers, which is worth a sheet of its own. */
  readonly ofPod?: { readonly list: 'requests' | 'limits'; readonly resource: string };
}

export const NO_SUMS: readonly Sum[] = [];

/** As computed, so that what is printed adds up: `0.1` and `100m` are both `100m`. */
export function amountText(amount: SumRow['amount']): string {
  if (amount === undefined || typeof amount === 'string') return amount ?? 'none';
  return toText(quantityOf(amount.nanos, amount.format));
}

/** The value that is asked for, and what is stored where that is another. */
export function askedRow(label: string, asked: Quantity, stored: Quantity | undefined): SumRow {
  const isMoved = stored !== undefined && compare(stored, asked) !== 0;
  return { sign: ' ', label, amount: asked, ...(isMoved ? { note: `was ${amountText(stored)}` } : {}) };
}

/** One row where there is a bound. */
export function boundRows(label: string, bound: Quantity | undefined): readonly SumRow[] {
  return bound === undefined ? [] : [{ sign: ' ', label, amount: bound }];
}

/** What the guardrail says, and what may be instead of that where it is another bound. */
export function boundAndOtherRows(
  side: 'most' | 'least',
  own: Quantity | undefined,
  other: string,
  bound: Quantity,
): readonly SumRow[] {
  const isOwn = own !== undefined && compare(own, bound) === 0;
  return [...boundRows(`at ${side}`, own), ...(isOwn ? [] : boundRows(other, bound))];
}

/** `3 is more than 2`, `3 is within 4`, `1 is less than 2`. */
export function comparedText(value: Quantity, side: 'most' | 'least', bound: Quantity): string {
  const way = compare(value, bound);
  const isWithin = side === 'most' ? way <= 0 : way >= 0;
  if (isWithin) return `${amountText(value)} ${side === 'most' ? 'is within' : 'reaches'} ${amountText(bound)}`;
  return `${amountText(value)} is ${side === 'most' ? 'more' : 'less'} than ${amountText(bound)}`;
}
