// The JSON Schema of guardrail files, for editors with a YAML language server.
import { exceptionSchema } from '../../src/guardrails/exception.ts';
import { guardrailSchema } from '../../src/guardrails/guardrail.ts';
import type { Schema } from './forms.ts';
import { isSchema, toSchema } from './from-zod.ts';

export function editorSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Guardrails and exceptions of podrail',
    oneOf: [guardrailSchema, exceptionSchema].map((schema) => withoutCel(toSchema(schema, 'editor'))),
  };
}

function withoutCel(value: Schema): Schema {
  const kept = Object.entries(value).filter(([key]) => key !== 'x-kubernetes-validations');
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutCelIn(one)]));
}

function withoutCelIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCelIn);
  return isSchema(value) ? withoutCel(value) : value;
}
