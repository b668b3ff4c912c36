// The pieces that rules' settings are made of. A setting is data, never an expression.
import { z } from 'zod';
import { parseQuantity } from '../model/quantity.ts';

/** For a rule that has nothing to set: any setting is a mistake. */
export const noSettings = z.strictObject({});

/** A quantity as in a manifest, `1Mi` or `1024`; read once, when the guardrail is read. */
export const quantitySetting = z
  .union([z.string(), z.number()])
  .transform((written) => parseQuantity(String(written)))
  .refine((quantity) => quantity.problem === undefined && quantity.nanos >= 0n, {
    error: 'must be a quantity such as 500m or 2Gi',
  });
