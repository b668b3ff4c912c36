// zod → JSON Schema, with the named forms written out and the rules of a guardrail put in by their ids.
import { z } from 'zod';
import { modeSchema } from '../../src/guardrails/mode.ts';
import { RULES } from '../../src/rules/index.ts';
import { FORMS, type Schema } from './forms.ts';

/** What a schema is made for: an editor, or a CRD. */
export type Audience = 'editor' | 'crd';

/** The JSON Schema of what may be written, before any default is put in. */
export function toSchema(schema: z.ZodType, audience: Audience): Schema {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' }) as Schema;
  const { $schema: _, ...rest } = json;
  return withForms(rest, audience);
}

/** As zod gives it: what a table of settings is made of. */
export function toPlainSchema(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' }) as Schema;
}

function withForms(schema: Schema, audience: Audience): Schema {
  const name = schema['x-podrail'];
  if (name === 'rules') return { ...described(schema), ...rulesSchema(audience) };
  const form = typeof name === 'string' ? FORMS[name] : undefined;
  if (form !== undefined) return { ...described(schema), ...form[audience] };
  const { 'x-podrail': _, ...rest } = schema;
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withFormsIn(key, value, audience)]));
}

function withFormsIn(key: string, value: unknown, audience: Audience): unknown {
  if (!isSchema(value)) return value;
  if (key !== 'properties') return withForms(value, audience);
  const entries = Object.entries(value).map(([name, one]) => [name, isSchema(one) ? withForms(one, audience) : one]);
  return Object.fromEntries(entries) as Schema;
}

function described({ description, default: own }: Schema): Schema {
  return { ...(description === undefined ? {} : { description }), ...(own === undefined ? {} : { default: own }) };
}

// Each rule has its settings and its own mode, and says what it is for where an editor shows it.
function rulesSchema(audience: Audience): Schema {
  const mode = toSchema(modeSchema.describe("In the place of the guardrail's own mode."), audience);
  const rules = RULES.map(({ id, summary, settings, needs }) => {
    const own = toSchema(settings, audience);
    const properties = { mode, ...(own['properties'] as Schema) };
    return [id, { description: summary, ...own, properties, ...(needs === undefined ? {} : oneOfNeeded(needs)) }];
  });
  return { type: 'object', properties: Object.fromEntries(rules) as Schema, additionalProperties: false };
}

// Any of what the rule needs, or that it is off.
function oneOfNeeded(needs: readonly string[]): Schema {
  const isOff = { required: ['mode'], properties: { mode: { enum: ['off', false] } } };
  return { anyOf: [...needs.map((name) => ({ required: [name] })), isOff] };
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
