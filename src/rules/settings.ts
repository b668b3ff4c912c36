// The pieces that rules' settings are made of. A setting is data, never an expression.
//
// From these schemas also come the CRDs, an editor's schema and the tables of the pages (tools/schema). So what only code can say
// is said twice, side by side: as a zod check, and in `meta` as what Kubernetes has for it: `x-podrail` names a form of text or number
// that tools/schema writes out, `x-kubernetes-validations` are CEL.
import { z } from 'zod';
import { createGlobs } from '../model/glob.ts';
import { parseQuantity, UNIT } from '../model/quantity.ts';

/** For a rule that has nothing to set: any setting is a mistake. */
export const noSettings = z.strictObject({});

const NO_QUANTITY = 'must be a quantity such as 500m or 2Gi';

/** A quantity as in a manifest, `1Mi` or `1024`; read once, when the guardrail is read. A custom resource can hold no other number than a whole one. */
export const quantitySetting = z
  .union([z.string(), z.number()])
  .refine((written) => typeof written === 'string' || Number.isSafeInteger(written), {
    error: 'must be in quotes where it is no whole number, such as "0.5"',
    abort: true,
  })
  .refine((written) => String(written).length <= 64, { error: 'must have at most 64 characters', abort: true })
  // Kubernetes reads `M` and `-0` as 0; nobody means them here.
  .refine((written) => /^\+?\.?\d/.test(String(written)), { error: NO_QUANTITY, abort: true })
  .transform((written) => parseQuantity(String(written)))
  .refine((quantity) => quantity.problem === undefined, { error: NO_QUANTITY })
  .meta({ 'x-podrail': 'quantity' });

/** More than anybody lists by hand, and few enough for the API server to bound what checking them costs. */
export const MOST_ITEMS = 256;

/** Names and globs (`team-*`), prepared once, when the guardrail is read. */
export const globsSetting = z
  .array(z.string().min(1).max(253))
  .max(MOST_ITEMS)
  .transform(createGlobs)
  .meta({ 'x-podrail': 'globs' });

const DURATION = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;

/** Time as people and Go write it, `10m`, `90s`, `1h30m`, in milliseconds; more than none. */
export const durationSetting = z
  .union([z.string(), z.number()])
  .transform((written) => parseDuration(String(written)))
  .refine((milliseconds) => milliseconds > 0, { error: 'must be a duration such as 90s, 10m or 1h30m' })
  .meta({ 'x-podrail': 'duration' });

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
  })
  .meta({ 'x-podrail': 'resource' });

/** Resources, each at most once in anybody's mind. */
export const resourcesSetting = z.array(resourceSetting).max(MOST_ITEMS);

/** How many times as much, exact: `2`, `1.5`; at least 1. */
export const factorSetting = z
  .number({ error: 'must be a number of at least 1, such as 2 or 1.5' })
  .transform((written) => parseQuantity(String(written)))
  .refine((factor) => factor.problem === undefined && factor.nanos >= UNIT, {
    error: 'must be a number of at least 1, such as 2 or 1.5',
  })
  .meta({ 'x-podrail': 'factor' });
