// Amounts of resources as guardrails set them, `{ cpu: "2", memory: 4Gi }`, and what follows from two of them.
import { z } from 'zod';
import { isMap } from '../model/json-fields.ts';
import { compare, MILLI, type Quantity, UNIT } from '../model/quantity.ts';
import { quantitySetting, resourceSetting } from './settings.ts';

/** What the API server can store: it rounds anything finer up, and past its bound. */
const storable = quantitySetting
  .refine(({ subMilli, written = '' }) => !subMilli && !/[nu]$/.test(written), { error: 'must be no finer than 1m' })
  .meta({ 'x-podrail': 'amount' });

/** More resources than any node has. */
const MOST_NAMES = 32;

/** By resource name; a resource that is not named has no bound. */
export const amountsSetting = z
  .record(resourceSetting, storable)
  .refine((amounts) => Object.keys(amounts).length <= MOST_NAMES, {
    error: `must name at most ${MOST_NAMES} resources`,
  })
  .refine((amounts) => Object.keys(amounts).length > 0, { error: 'must name a resource, such as { cpu: "2" }' })
  .meta({
    examples: ['{ cpu: "2", memory: 4Gi }'],
    minProperties: 1,
    maxProperties: MOST_NAMES,
    'x-kubernetes-validations': [
      {
        rule: "self.all(name, name in ['cpu', 'memory', 'ephemeral-storage'] || name.startsWith('hugepages-') || name.contains('/'))",
        message: 'must name cpu, memory, ephemeral-storage, hugepages-… or resources such as nvidia.com/gpu',
      },
    ],
  });

export type Amounts = z.output<typeof amountsSetting>;

/** Of amounts that may hold mistakes those that are quantities. */
export function readableAmounts(amounts: unknown): Amounts {
  if (!isMap(amounts)) return {};
  return Object.fromEntries(Object.entries(amounts).filter((entry): entry is [string, Quantity] => isRead(entry[1])));
}

function isRead(amount: unknown): boolean {
  return isMap(amount) && typeof amount['nanos'] === 'bigint';
}

/** The amount of one resource. Tenants choose the names that are asked for, so inherited properties must not answer. */
export function amountOf(amounts: Amounts | undefined, resource: string): Quantity | undefined {
  return amounts !== undefined && Object.hasOwn(amounts, resource) ? amounts[resource] : undefined;
}

/** The smaller of two, or the one that is there. */
export function smaller(a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compare(b, a) < 0 ? b : a;
}

/** The larger of two, or the one that is there. */
export function larger(a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compare(b, a) > 0 ? b : a;
}

/** The smallest part of a resource that anybody counts, in nanos: a millicore, a byte. */
export function gradeOf(resource: string): bigint {
  return resource === 'cpu' ? MILLI : UNIT;
}

/** nanos × numerator ÷ denominator, rounded down to a whole millicore or byte. None of them is negative. */
export function scaledDown(nanos: bigint, numerator: bigint, denominator: bigint, resource: string): bigint {
  const grade = gradeOf(resource);
  return ((nanos * numerator) / (denominator * grade)) * grade;
}

/** As scaledDown, rounded up. */
export function scaledUp(nanos: bigint, numerator: bigint, denominator: bigint, resource: string): bigint {
  const whole = denominator * gradeOf(resource);
  return ((nanos * numerator + whole - 1n) / whole) * gradeOf(resource);
}
