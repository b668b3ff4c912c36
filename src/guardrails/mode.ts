// How much the findings of a rule weigh.
import { z } from 'zod';

/**
 * `enforce` refuses; `fix` repairs what it can in the mutating phase and refuses the rest; `warn` tells the client;
 * `audit` only records; `off` does not ask the rule.
 */
export const MODES = ['enforce', 'fix', 'warn', 'audit', 'off'] as const;

export type Mode = (typeof MODES)[number];

// YAML as Kubernetes reads it takes `off` without quotes for false.
export const modeSchema = z
  .preprocess((mode) => (mode === false ? 'off' : mode), z.enum(MODES))
  .meta({ 'x-podrail': 'mode' });
