// The pieces that rules' settings are made of. A setting is data, never an expression.
import { z } from 'zod';
import { createGlobs } from '../model/glob.ts';
import { parseQuantity, UNIT } from '../model/quantity.ts';

/** For a rule that has nothing to set: any setting is a mistake. */
export const noSettings = z.strictObject({});

/** A quantity as in a manifest, `1Mi` or `1024`; read once, when the guardrail is read. */
export const quantitySetting = z
  .union([z.string(), z.number()])
  .transform((written) => parseQuantity(String(written)))
  .refine((quantity) => quantity.problem === undefined && quantity.nanos >= 0n, {
    error: 'must be a quantity such as 500m or 2Gi',
  });

/** Names and globs (`team-*`), prepared once, when the guardrail is read. */
export const globsSetting = z.array(z.string().min(1)).transform(createGlobs);

const DURATION = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;

/** Time as people and Go write it, `10m`, `90s`, `1h30m`, in milliseconds; more than none. */
export const durationSetting = z
  .union([z.string(), z.number()])
  .transform((written) => parseDuration(String(written)))
  .refine((milliseconds) => milliseconds > 0, { error: 'must be a duration such as 90s, 10m or 1h30m' });

function parseDuration(text: string): number {
  const [, hours = '0', minutes = '0', seconds = '0'] = DURATION.exec(text) ?? [];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

const NATIVE: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** A resource as Kubernetes names them; a slip such as `memroy` would find fault with every pod. */
export const resourceSetting = z
  .string()
  .refine((name) => NATIVE.has(name) || name.startsWith('hugepages-') || name.includes('/'), {
    error: 'must be cpu, memory, ephemeral-storage, hugepages-… or a resource such as nvidia.com/gpu',
  });

/** How many times as much, exact: `2`, `1.5`; at least 1. */
export const factorSetting = z
  .union([z.string(), z.number()])
  .transform((written) => parseQuantity(String(written)))
  .refine((factor) => factor.problem === undefined && factor.nanos >= UNIT, {
    error: 'must be a number of at least 1, such as 2 or 1.5',
  });
