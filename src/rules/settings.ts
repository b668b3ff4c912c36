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

const labelRequirement = z
  .strictObject({
    key: z.string().min(1),
    operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
    values: z.array(z.string()).optional(),
  })
  .refine(({ operator, values = [] }) => (operator === 'In' || operator === 'NotIn') === values.length > 0, {
    path: ['values'],
    error: 'In and NotIn need at least one value, Exists and DoesNotExist take none',
  });

/** A Kubernetes label selector; {} selects everything. */
export const labelSelectorSetting = z.strictObject({
  matchLabels: z.record(z.string(), z.string()).optional(),
  matchExpressions: z.array(labelRequirement).optional(),
});
