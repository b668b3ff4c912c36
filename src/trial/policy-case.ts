// One case of a PolicyTest: a pod, or a pod and a resize, and the verdict that is expected of it.
import { z } from 'zod';
import type { SourceDocument } from '../guardrails/documents.ts';
import { mistakeAt, toMistakes } from '../guardrails/issues.ts';
import type { Mistake } from '../guardrails/mistake.ts';
import { unknownRule } from '../guardrails/unknown-rule.ts';
import { isMap } from '../model/json-fields.ts';
import { parseKubernetesVersion } from '../model/kubernetes-version.ts';
import { RULES } from '../rules/index.ts';
import { BESIDE_MISTAKES } from '../rules/settings.ts';
import { PATCH_TYPES } from './apply-patch.ts';
import { isServiceAccount } from './requester.ts';

/** What a request comes to: `fix` is allowed with other values than asked for, `warn` allowed with a warning. */
export const VERDICTS = ['allow', 'deny', 'warn', 'fix'] as const;

export type VerdictName = (typeof VERDICTS)[number];

/** A text that is there. */
export const text = z.string().min(1, 'must not be empty');
/** A file beside the test, or the document itself. */
export const source = z.union([text, z.record(z.string(), z.unknown())], { error: 'must be a file or a map' });
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
    error: 'must have a user or a serviceAccount, not both',
    ...BESIDE_MISTAKES,
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

/** Of a whole test, or of one case. */
export const circumstances = {
  requester: requester.optional(),
  kubernetesVersion: version.optional(),
  now: time.optional(),
};

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
    ...BESIDE_MISTAKES,
  });

export type PolicyCase = z.output<typeof policyCase>;
export type ExpectedVerdict = PolicyCase['expect'];

/** A case as it stands in its document; with a mistake it says nothing. */
export interface ReadCase {
  /** Its own, or which one it is. */
  readonly name: string;
  readonly index: number;
  readonly said: PolicyCase | undefined;
  /** What it names, as far as that can be read: it may hold mistakes of its own. */
  readonly named: Partial<Pick<PolicyCase, 'pod' | 'patch' | 'resized'>>;
  readonly mistakes: readonly Mistake[];
}

/** Reads case `index` of a document, with every mistake in it. */
export function readPolicyCase(value: unknown, index: number, document: SourceDocument): ReadCase {
  const parsed = policyCase.safeParse(value);
  const named = isMap(value) ? value['name'] : undefined;
  const name = typeof named === 'string' && named !== '' ? named : `case ${index + 1}`;
  const wrong = parsed.success ? [] : toMistakes(parsed.error, policyCase, document, ['spec', 'cases', index]);
  const mistakes = [...wrong, ...unknownRules(value, index, document)];
  return { name, index, said: mistakes.length === 0 ? parsed.data : undefined, named: namedIn(value), mistakes };
}

function namedIn(value: unknown): ReadCase['named'] {
  if (!isMap(value)) return {};
  const [pod, resized] = [source.safeParse(value['pod']).data, source.safeParse(value['resized']).data];
  const patched = patch.safeParse(value['patch']).data;
  return { ...(pod && { pod }), ...(resized && { resized }), ...(patched && { patch: patched }) };
}

const KNOWN = RULES.map(({ id }) => id);

// As they are written, so that what else is wrong with the case does not hide them.
function unknownRules(value: unknown, index: number, document: SourceDocument): readonly Mistake[] {
  const expect = isMap(value) ? value['expect'] : undefined;
  const rules: unknown = isMap(expect) ? expect['rules'] : undefined;
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((id: unknown, at) => {
    if (typeof id !== 'string' || id === '' || KNOWN.includes(id)) return [];
    return mistakeAt(document, ['spec', 'cases', index, 'expect', 'rules', at], unknownRule(id));
  });
}
