// PolicyTest: an operator's own tests of guardrails, as a document; read with every mistake in it at its place.
import { z } from 'zod';
import { readDocuments, type SourceDocument } from '../guardrails/documents.ts';
import { API_VERSION } from '../guardrails/resource.ts';
import { mistakeAt, toMistakes } from '../guardrails/issues.ts';
import { inOrder, type Mistake, suggestion } from '../guardrails/mistake.ts';
import { isMap } from '../model/json-fields.ts';
import { parseKubernetesVersion } from '../model/kubernetes-version.ts';
import { RULES } from '../rules/index.ts';
import { PATCH_TYPES } from './apply-patch.ts';
import { isServiceAccount } from './requester.ts';

/** What a request comes to: `fix` is allowed with other values than asked for, `warn` allowed with a warning. */
export const VERDICTS = ['allow', 'deny', 'warn', 'fix'] as const;

export type VerdictName = (typeof VERDICTS)[number];

const text = z.string().min(1);
// A file beside the test, or the document itself.
const source = z.union([text, z.record(z.string(), z.unknown())], { error: 'must be a file or a map' });
const patch = z.union([text, z.record(z.string(), z.unknown()), z.array(z.unknown())], {
  error: 'must be a file, a map or a list',
});
const requester = z
  .strictObject({
    user: text.optional(),
    groups: z.array(text).optional(),
    serviceAccount: z.string().refine(isServiceAccount, { error: 'must be namespace/name' }).optional(),
  })
  .refine(({ user, serviceAccount }) => user === undefined || serviceAccount === undefined, {
    error: 'must have a user or a serviceAccount',
  });
// YAML reads 1.40 without quotes as the number 1.4, which is another version.
const version = z.string({ error: 'must be in quotes, such as "1.35"' }).transform((written, context) => {
  const value = parseKubernetesVersion(written);
  if (value === undefined) context.addIssue({ code: 'custom', message: 'must be a version from "1.33" on' });
  return value ?? z.NEVER;
});
const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-30T09:00:00Z' })
  .transform((written) => new Date(written));

const expected = z.strictObject({
  verdict: z.enum(VERDICTS),
  /** The rules that are named for it: exactly these. */
  rules: z.array(text).optional(),
  /** Each must be in what the person is told. */
  messages: z.union([text.transform((one) => [one]), z.array(text)], { error: 'must be a text or a list' }).optional(),
  /** Part of the pod as it would be stored. */
  pod: z.record(z.string(), z.unknown()).optional(),
});

const circumstances = { requester: requester.optional(), kubernetesVersion: version.optional(), now: time.optional() };

const policyCase = z
  .strictObject({
    name: text,
    pod: source,
    patch: patch.optional(),
    patchType: z.enum(PATCH_TYPES).optional(),
    resized: source.optional(),
    ...circumstances,
    expect: expected,
  })
  .refine((one) => one.patch === undefined || one.resized === undefined, {
    error: 'must not have both patch and resized',
  });

const schema = z.strictObject({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal('PolicyTest'),
  metadata: z.object({ name: text }),
  spec: z.strictObject({
    guardrails: z.array(source).min(1, 'must name a guardrail'),
    baseline: z
      .preprocess((mode) => (mode === false ? 'off' : mode), z.enum(['enforce', 'warn', 'audit', 'off']))
      .default('enforce'),
    cluster: z.array(source).default([]),
    ...circumstances,
    cases: z.array(policyCase).min(1, 'must have a case'),
  }),
});

export type PolicyTestSpec = z.output<typeof schema>['spec'];
export type PolicyCase = PolicyTestSpec['cases'][number];
export type ExpectedVerdict = PolicyCase['expect'];

export interface PolicyTest {
  readonly name: string;
  readonly spec: PolicyTestSpec;
  readonly document: SourceDocument;
}

export interface PolicyTests {
  readonly tests: readonly PolicyTest[];
  readonly mistakes: readonly Mistake[];
}

/**
 * The PolicyTests in a file; documents of another kind beside them are left aside, as what they may name. With a mistake a document
 * gives no test.
 */
export function readPolicyTests(content: string, file: string): PolicyTests {
  const { documents, mistakes } = readDocuments(content, file);
  const own = documents.filter(({ value }) => isMap(value) && value['kind'] === 'PolicyTest');
  const read = own.map(readPolicyTest);
  return {
    tests: read.flatMap(({ test }) => test ?? []),
    mistakes: inOrder([...mistakes, ...read.flatMap((one) => one.mistakes)]),
  };
}

interface Read {
  readonly test: PolicyTest | undefined;
  readonly mistakes: readonly Mistake[];
}

function readPolicyTest(document: SourceDocument): Read {
  const parsed = schema.safeParse(document.value);
  const mistakes = parsed.success ? [] : toMistakes(parsed.error, schema, document);
  if (!parsed.success) return { test: undefined, mistakes };
  const { metadata, spec } = parsed.data;
  const unknown = spec.cases.flatMap((one, index) => unknownRules(one, index, document));
  if (unknown.length > 0) return { test: undefined, mistakes: unknown };
  return { test: { name: metadata.name, spec, document }, mistakes };
}

const KNOWN = RULES.map(({ id }) => id);

function unknownRules({ expect }: PolicyCase, index: number, document: SourceDocument): readonly Mistake[] {
  return (expect.rules ?? []).flatMap((id, at) => {
    if (KNOWN.includes(id)) return [];
    const path = ['spec', 'cases', index, 'expect', 'rules', at];
    return mistakeAt(document, path, `unknown rule ${id}${suggestion(id, KNOWN)}`);
  });
}
