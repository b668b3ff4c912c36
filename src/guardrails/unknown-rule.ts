// What to say of the id of a rule that there is not.
import { RULES } from '../rules/index.ts';
import { nearest, shortened, suggestion } from './mistake.ts';

const KNOWN = RULES.map(({ id }) => id);

/** `unknown rule resize-stop; did you mean resize-step?`, or where to find them all. */
export function unknownRule(id: string): string {
  const instead = nearest(id, KNOWN) === undefined ? '; podrail rules lists those there are' : suggestion(id, KNOWN);
  return `unknown rule ${shortened(id) || '""'}${instead}`;
}
