// Named quantities: what a container requests, what a node has.
import { InvalidObject } from './invalid-object.ts';
import { isMap, typeOf } from './json-fields.ts';
import {
  add,
  compare,
  parsePaddedQuantity,
  parseQuantity,
  type Quantity,
  quantityOf,
  roundUpToMilli,
  subtract,
} from './quantity.ts';

/** Quantities by resource name (`cpu`, `memory`, `ephemeral-storage`, `nvidia.com/gpu`). Absent is not zero. */
export type Resources = ReadonlyMap<string, Quantity>;

export const NO_RESOURCES: Resources = new Map();

/** One resource of which more is wanted than there is. */
export interface Excess {
  readonly resource: string;
  readonly wanted: Quantity;
  readonly available: Quantity;
}

const NO_EXCESS: readonly Excess[] = [];
const ZERO = quantityOf(0n, 'decimal');

/** Per-name sum over the union of names. A name that only one of them has keeps its quantity as it is. */
export function sum(a: Resources, b: Resources): Resources {
  return merge(a, b, add);
}

/** Per-name maximum over the union of names; the first where both are equal. */
export function max(a: Resources, b: Resources): Resources {
  return merge(a, b, larger);
}

/** total − held, per name of `total`; may be negative. */
export function remaining(total: Resources, held: Resources): Resources {
  if (held.size === 0) return total;
  const left = new Map<string, Quantity>();
  for (const [name, quantity] of total) {
    const taken = held.get(name);
    left.set(name, taken === undefined ? quantity : subtract(quantity, taken));
  }
  return left;
}

/** The names of `available` of which more is wanted than available, in the order of compareNames. */
export function excess(wanted: Resources, available: Resources): readonly Excess[] {
  let found: Excess[] | undefined;
  for (const [resource, limit] of available) {
    const asked = wanted.get(resource);
    if (asked === undefined || compare(asked, limit) <= 0) continue;
    found ??= [];
    found.push({ resource, wanted: asked, available: limit });
  }
  return found?.sort((a, b) => compareNames(a.resource, b.resource)) ?? NO_EXCESS;
}

/** The order in which resources are named: cpu, memory, then by name. For sort. */
export function compareNames(a: string, b: string): number {
  const byRank = rank(a) - rank(b);
  if (byRank !== 0 || a === b) return byRank;
  return a < b ? -1 : 1;
}

/** No container and no node has more: cpu, memory, a few sizes of huge pages, a few kinds of devices. */
const MOST_NAMES = 100;

/**
 * Reads a JSON map of quantities, with values as text or number, and null for zero, as Kubernetes does; rounded up
 * to whole milli-units. null or absent is empty. A text that is no quantity becomes one with a `problem`. Throws
 * InvalidObject when `json` is no map, has an absurd number of names, or a value is neither text nor number.
 */
export function readResources(json: unknown, path: string): Resources {
  if (json === undefined || json === null) return NO_RESOURCES;
  if (!isMap(json)) throw new InvalidObject(path, `must be a map of quantities, not ${typeOf(json)}`);
  const names = Object.keys(json);
  if (names.length === 0) return NO_RESOURCES;
  if (names.length > MOST_NAMES) {
    throw new InvalidObject(path, `must have at most ${MOST_NAMES} resources; it has ${names.length}`);
  }
  const resources = new Map<string, Quantity>();
  for (const name of names) resources.set(name, readQuantity(json[name], path, name));
  return resources;
}

function readQuantity(json: unknown, path: string, name: string): Quantity {
  if (typeof json === 'string') return roundUpToMilli(parsePaddedQuantity(json));
  if (typeof json === 'number') return roundUpToMilli(parseQuantity(String(json)));
  if (json === null) return ZERO;
  throw new InvalidObject(`${path}.${name}`, `must be a quantity, not ${typeOf(json)}`);
}

function merge(a: Resources, b: Resources, combine: (x: Quantity, y: Quantity) => Quantity): Resources {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  const merged = new Map(a);
  for (const [name, quantity] of b) {
    const other = merged.get(name);
    merged.set(name, other === undefined ? quantity : combine(other, quantity));
  }
  return merged;
}

function larger(a: Quantity, b: Quantity): Quantity {
  return compare(a, b) < 0 ? b : a;
}

function rank(name: string): number {
  if (name === 'cpu') return 0;
  return name === 'memory' ? 1 : 2;
}
