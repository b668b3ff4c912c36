// A GuardrailException: rules of one guardrail that do not hold for some, for a reason and until a moment.
import { z } from 'zod';
import { fieldOf } from '../model/json-fields.ts';
import { RULES } from '../rules/index.ts';
import type { Rule } from '../rules/rule.ts';
import { containerGlobs } from './containers.ts';
import type { Place, SourceDocument } from './documents.ts';
import { mistakeAt, mistakeAtKey, toMistakes } from './issues.ts';
import type { Mistake } from './mistake.ts';
import { resourceSchema } from './resource.ts';
import { nobodyIsBoth } from './selects-nobody.ts';
import { selectorSchema, type SelectorSettings } from './selectors.ts';
import { unknownRule } from './unknown-rule.ts';

export interface GuardrailException {
  readonly name: string;
  /** The guardrail it is an exception to; `baseline` is the built-in one. */
  readonly guardrail: string;
  readonly rules: readonly Rule[];
  readonly match: SelectorSettings;
  /** Names and globs of the only containers it is for; undefined for the whole pod. */
  readonly containers: readonly string[] | undefined;
  readonly reason: string;
  /** From this moment on it is ignored. */
  readonly expires: Date;
  /** Where `spec.expires` is written. */
  readonly place: Place & { readonly file: string };
}

const LONGEST_REASON = 200;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
// It knows how many days a month has; Date makes another day of one that there is not.
const dateTime = z.iso.datetime({ offset: true });

const expires = z
  .string()
  .refine((text) => RFC_3339.test(text), {
    error: 'must be a time with its zone, such as 2027-01-31T00:00:00Z',
    abort: true,
  })
  .refine((text) => dateTime.safeParse(text).success, {
    error: 'must be a time that there is, such as 2027-01-31T00:00:00Z',
  })
  .meta({ 'x-podrail': 'time', examples: ['2027-01-31T00:00:00Z'] })
  .describe('From when on it is ignored: a time with its zone, as in RFC 3339.');

export const exceptionSpec = z.strictObject({
  guardrail: z
    .string()
    .min(1, 'must not be empty')
    .max(253, 'must have at most 253 characters')
    .meta({ examples: ['tenants'] })
    .describe('The guardrail by its name; baseline is the built-in one.'),
  rules: z
    .array(z.string())
    .min(1, 'must name at least one rule')
    .max(RULES.length)
    .meta({ 'x-podrail': 'rule-ids', examples: ['[resize-step]'] })
    .describe('The ids of the rules that do not hold.'),
  match: selectorSchema
    .extend({ containers: containerGlobs.optional().describe('Only these containers, by name or glob.') })
    .meta({ examples: ['{ namespaces: [payments] }; {} is everyone'] })
    .describe('Whom it is for; all of what is set must hold. {} means everyone.'),
  reason: z
    .string()
    .max(LONGEST_REASON, `must have at most ${LONGEST_REASON} characters`)
    .regex(/\S/, 'must say why')
    .meta({ examples: ['CHG-1042 data migration'] })
    .describe('Why, for whoever reads the audit log.'),
  expires,
});

export const exceptionSchema = resourceSchema('GuardrailException', exceptionSpec);

/** Reads one document; its mistakes are pushed with their places, and then there is no exception. */
export function readException(document: SourceDocument, mistakes: Mistake[]): GuardrailException | undefined {
  const before = mistakes.length;
  const parsed = exceptionSchema.safeParse(document.value);
  if (!parsed.success) mistakes.push(...toMistakes(parsed.error, exceptionSchema, document));
  const rules = readExceptedRules(document, mistakes);
  if (!parsed.success || mistakes.length > before) return undefined;
  const { metadata, spec } = parsed.data;
  const { containers: listed, ...match } = spec.match;
  const containers = listed && listed.length > 0 ? listed : undefined;
  return {
    name: metadata.name,
    guardrail: spec.guardrail,
    rules,
    match,
    containers,
    reason: spec.reason.trim(),
    expires: new Date(spec.expires),
    place: { file: document.file, ...document.at(['spec', 'expires']) },
  };
}

// As they are written, so that what else is wrong hides nothing.
function readExceptedRules(document: SourceDocument, mistakes: Mistake[]): readonly Rule[] {
  const spec = fieldOf(document.value, 'spec');
  const match = fieldOf(spec, 'match');
  const containers = fieldOf(match, 'containers');
  const ofContainers = Array.isArray(containers) && containers.length > 0;
  for (const { path, message } of nobodyIsBoth(match)) mistakes.push(mistakeAt(document, ['spec', ...path], message));
  const rules = fieldOf(spec, 'rules');
  const ids: readonly unknown[] = Array.isArray(rules) ? rules : [];
  return ids.flatMap((id, index) =>
    typeof id === 'string' ? readRule(id, index, ofContainers, document, mistakes) : [],
  );
}

function readRule(
  id: string,
  index: number,
  ofContainers: boolean,
  document: SourceDocument,
  mistakes: Mistake[],
): readonly Rule[] {
  const path = ['spec', 'rules', index];
  const rule = RULES.find((known) => known.id === id);
  if (rule === undefined) {
    mistakes.push(mistakeAt(document, path, unknownRule(id)));
    return [];
  }
  if (ofContainers && !rule.perContainer) {
    const message = `${id} judges the pod as a whole, so there is no exception for some of its containers`;
    mistakes.push(mistakeAtKey(document, ['spec', 'match', 'containers'], message));
    return [];
  }
  return [rule];
}

/** What to tell of exceptions that have expired by now: they are ignored. */
export function expiredExceptions(exceptions: readonly GuardrailException[], now: Date): readonly Mistake[] {
  return exceptions
    .filter(({ expires: end }) => end <= now)
    .map(({ name, expires: end, place }) => {
      const time = end.toISOString().replace('.000Z', 'Z');
      return { ...place, message: `exception ${name} has expired at ${time} and is ignored; remove it or renew it` };
    });
}
