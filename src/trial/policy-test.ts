// PolicyTest: an operator's own tests of guardrails, as a document; read with every mistake in it at its place.
import { z } from 'zod';
import { readDocuments, type SourceDocument } from '../guardrails/documents.ts';
import { API_VERSION } from '../guardrails/resource.ts';
import { toMistakes } from '../guardrails/issues.ts';
import type { Mistake } from '../guardrails/mistake.ts';
import { isMap } from '../model/json-fields.ts';
import { circumstances, type ReadCase, readPolicyCase, source, text } from './policy-case.ts';

const sources = z.array(source);

const schema = z.strictObject({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal('PolicyTest'),
  metadata: z.object({ name: text.meta({ examples: ['small-containers'] }) }),
  spec: z.strictObject({
    guardrails: sources.min(1, 'must name a guardrail'),
    baseline: z
      .preprocess((mode) => (mode === false ? 'off' : mode), z.enum(['enforce', 'warn', 'audit', 'off']))
      .default('enforce'),
    cluster: sources.default([]),
    ...circumstances,
    // Each is read by itself, so that a mistake in one leaves the others.
    cases: z.array(z.unknown()).min(1, 'must have a case'),
  }),
});

/** What all cases of a test share. */
export type PolicyTestSpec = Omit<z.output<typeof schema>['spec'], 'cases'>;

export interface PolicyTest {
  readonly name: string;
  /** With a mistake in it, what can be read of it: what it names may hold more of them. */
  readonly spec: PolicyTestSpec;
  readonly cases: readonly ReadCase[];
  readonly document: SourceDocument;
  /** Of the test itself; each case has its own. */
  readonly mistakes: readonly Mistake[];
}

export interface PolicyTests {
  readonly tests: readonly PolicyTest[];
  /** Of the file: what is no document. */
  readonly mistakes: readonly Mistake[];
}

/** The PolicyTests in a file; documents of another kind beside them are left aside, as what they may name. */
export function readPolicyTests(content: string, file: string): PolicyTests {
  const { documents, mistakes } = readDocuments(content, file);
  const own = documents.filter(({ value }) => isMap(value) && value['kind'] === 'PolicyTest');
  return { tests: own.map(readPolicyTest), mistakes };
}

function readPolicyTest(document: SourceDocument): PolicyTest {
  const { metadata, spec } = document.value as { readonly metadata: unknown; readonly spec: unknown };
  const parsed = schema.safeParse(document.value);
  const listed: unknown = isMap(spec) ? spec['cases'] : undefined;
  const name = isMap(metadata) ? metadata['name'] : undefined;
  return {
    name: typeof name === 'string' ? name : '',
    spec: parsed.data?.spec ?? readable(spec),
    cases: Array.isArray(listed) ? listed.map((one, index) => readPolicyCase(one, index, document)) : [],
    document,
    mistakes: parsed.success ? [] : toMistakes(parsed.error, schema, document),
  };
}

function readable(spec: unknown): PolicyTestSpec {
  const sourcesIn = (name: string): PolicyTestSpec['cluster'] =>
    sources.safeParse(isMap(spec) ? spec[name] : undefined).data ?? [];
  return { guardrails: sourcesIn('guardrails'), baseline: 'enforce', cluster: sourcesIn('cluster') };
}
