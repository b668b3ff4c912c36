// The pieces that rules' settings are made of. A setting is data, never an expression.
//
// From these schemas also come the CRDs, an editor's schema and the tables of the pages (tools/schema). So what only code can say
// is said twice, side by side: as a zod check, and in `meta` as what Kubernetes has for it: `x-podrail` names a form of text or number
// that tools/schema writes out, `x-kubernetes-validations` are CEL.
import { z } from 'zod';
import { createGlobs } from '../model/glob.ts';
import { isMap } from '../model/json-fields.ts';
import { parseQuantity, type Quantity, UNIT } from '../model/quantity.ts';

type Payload = Parameters<NonNullable<z.core.$ZodSuperRefineParams['when']>>[0];

/**
 * For a check of several settings: it is made also where some of them are wrong by themselves. It is then given them as they are
 * written, whatever its types say.
 */
export const BESIDE_MISTAKES = { when: ({ value }: Payload): boolean => isMap(value) };

/** The same for a check that something is there: not beside an unknown setting, which may be it, misspelt. */
export const BESIDE_OTHER_MISTAKES = {
  when: ({ value, issues }: Payload): boolean =>
    isMap(value) && !issues.some(({ code, path = [] }) => code === 'unrecognized_keys' && path.length === 0),
};

/** For a check that something is there at all: any other mistake is in something that is. */
export const WITHOUT_MISTAKES = { when: ({ issues }: Payload): boolean => issues.length === 0 };

/** Settings of which at least one must be there: an empty map would say nothing. */
export function needed<Shape extends z.core.$ZodLooseShape>(schema: z.ZodObject<Shape, z.core.$strict>, error: string) {
  return schema
    .refine((settings) => Object.keys(settings).length > 0, { error, ...WITHOUT_MISTAKES })
    .meta({ minProperties: 1 });
}

/** For a rule that has nothing to set: any setting is a mistake. */
export const noSettings = z.strictObject({});

const NO_QUANTITY = 'must be a quantity such as 500m or 2Gi';

/** A quantity as in a manifest, `1Mi` or `1024`; read once, when the guardrail is read. A custom resource can hold no other number than a whole one. */
export const quantitySetting = z
  .union([z.string(), z.number()], { error: NO_QUANTITY })
  .transform((written, context): Quantity => {
    const quantity = readQuantity(written);
    if (typeof quantity !== 'string') return quantity;
    context.addIssue({ code: 'custom', message: quantity });
    return z.NEVER;
  })
  .meta({ 'x-podrail': 'quantity' });

/** The quantity, or what is wrong with it. */
function readQuantity(written: string | number): Quantity | string {
  if (typeof written === 'number' && !Number.isSafeInteger(written))
    return 'must be in quotes where it is no whole number, such as "0.5"';
  const text = String(written);
  if (text.length > 64) return 'must have at most 64 characters';
  // Kubernetes reads `M` and `-0` as 0; nobody means them here.
  if (!/^\+?\.?\d/.test(text)) return NO_QUANTITY;
  const quantity = parseQuantity(text);
  return quantity.problem === undefined ? quantity : NO_QUANTITY;
}

/** More than anybody lists by hand, and few enough for the API server to bound what checking them costs. */
export const MOST_ITEMS = 256;

/** Characters of a name or glob: as many as the longest name that Kubernetes takes, for the same reason. */
export const LONGEST_GLOB = 253;

/** Names and globs (`team-*`), prepared once, when the guardrail is read. */
export const globsSetting = z
  .array(z.string().min(1).max(LONGEST_GLOB))
  .max(MOST_ITEMS)
  .transform(createGlobs)
  .meta({ 'x-podrail': 'globs' });

/** The same where a list of nobody would leave the rule nothing to find. */
export const someGlobsSetting = globsSetting
  .refine(({ globs }) => globs.length > 0, { error: 'must name at least one; without it there is nothing to find' })
  .meta({ minItems: 1 });

const DURATION = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;

const NO_DURATION = 'must be a duration such as 90s, 10m or 1h30m';

/** Time as people and Go write it, `10m`, `90s`, `1h30m`, in milliseconds; more than none. */
export const durationSetting = z
  .union([z.string(), z.number()], { error: NO_DURATION })
  .transform((written) => parseDuration(String(written)))
  .refine((milliseconds) => milliseconds > 0, { error: NO_DURATION })
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

const NO_FACTOR = 'must be a number of at least 1, such as 2 or 1.5';

/** How many times as much, exact: `2`, `1.5`; at least 1. */
export const factorSetting = z
  .number({ error: NO_FACTOR })
  .transform((written) => parseQuantity(String(written)))
  .refine((factor) => factor.problem === undefined && factor.nanos >= UNIT, {
    error: NO_FACTOR,
  })
  .meta({ 'x-podrail': 'factor' });
