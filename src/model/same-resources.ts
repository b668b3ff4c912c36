// Whether quantities are the same: by value, not by spelling.
import { compare, type Quantity } from './quantity.ts';
import type { Resources } from './resources.ts';

/** By value (`1000m` is `1`); what has no value, a text that is no quantity, by its text. */
export function isSameQuantity(a: Quantity, b: Quantity): boolean {
  if (a.problem !== undefined || b.problem !== undefined) return a.written === b.written;
  return compare(a, b) === 0;
}

/** The same names with the same quantities. Absent is not zero. */
export function hasSameResources(a: Resources, b: Resources): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [name, quantity] of a) {
    const other = b.get(name);
    if (other === undefined || !isSameQuantity(quantity, other)) return false;
  }
  return true;
}
