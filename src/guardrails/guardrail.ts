// A Guardrail: which rules apply to whom, in which mode, with which settings. Read from a document with every mistake in
// it at its place; the built-in baseline and, later, custom resources have the same form.
import { z } from 'zod';
import { isMap } from '../model/json-fields.ts';
import { RULES } from '../rules/index.ts';
import type { Rule } from '../rules/rule.ts';
import { readDocuments, type SourceDocument } from './documents.ts';
import { mistakeAt, mistakeAtKey, toMistakes } from './issues.ts';
import { inOrder, type Mistake, suggestion } from './mistake.ts';
import { type Mode, modeSchema } from './mode.ts';
import { type SelectorSettings, selectorSchema } from './selectors.ts';

export const API_VERSION = 'podrail.dev/v1alpha1';

export interface GuardrailRule {
  readonly rule: Rule;
  readonly mode: Mode;
  /** What the rule's own schema made of its settings. */
  readonly settings: unknown;
}

export interface Guardrail {
  readonly name: string;
  readonly match: SelectorSettings;
  readonly exclude: SelectorSettings;
  /** In the order of the rule list; rules that are off are left out. */
  readonly rules: readonly GuardrailRule[];
}

export interface Guardrails {
  readonly guardrails: readonly Guardrail[];
  readonly mistakes: readonly Mistake[];
}

// The rules are judged one by one behind this, each by its own schema.
const documentSchema = z.strictObject({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal('Guardrail'),
  metadata: z.object({ name: z.string().min(1) }),
  spec: z.strictObject({
    mode: modeSchema.default('enforce'),
    match: selectorSchema.default({}),
    exclude: selectorSchema.default({}),
    rules: z.record(z.string(), z.unknown()),
  }),
});

/** Every Guardrail in a file, or every mistake in it; a document with a mistake gives no Guardrail. */
export function readGuardrails(text: string, file: string): Guardrails {
  const { documents, mistakes } = readDocuments(text, file);
  const all: Mistake[] = [...mistakes];
  const guardrails: Guardrail[] = [];
  for (const document of documents) {
    const guardrail = readGuardrail(document, all);
    if (guardrail) guardrails.push(guardrail);
  }
  return { guardrails, mistakes: inOrder(all) };
}

/** Reads one document; its mistakes are pushed with their places, and then there is no guardrail. */
export function readGuardrail(document: SourceDocument, mistakes: Mistake[]): Guardrail | undefined {
  const before = mistakes.length;
  const parsed = documentSchema.safeParse(document.value);
  if (!parsed.success) mistakes.push(...toMistakes(parsed.error, documentSchema, document));
  const spec = parsed.success ? parsed.data.spec : undefined;
  const rules = readRules(rulesOf(document.value), spec?.mode ?? 'enforce', document, ['spec', 'rules'], mistakes);
  if (!parsed.success || mistakes.length > before) return undefined;
  return { name: parsed.data.metadata.name, match: parsed.data.spec.match, exclude: parsed.data.spec.exclude, rules };
}

// Looked up by hand, so that the mistakes in the rules are told together with those around them.
function rulesOf(document: unknown): unknown {
  const spec = isMap(document) ? document['spec'] : undefined;
  return isMap(spec) ? spec['rules'] : undefined;
}

/** The rules of a map from rule id to its settings (and `mode`); mistakes are pushed with their place below `path`. */
export function readRules(
  value: unknown,
  mode: Mode,
  document: SourceDocument,
  path: readonly string[],
  mistakes: Mistake[],
): readonly GuardrailRule[] {
  if (!isMap(value)) return [];
  const known = RULES.map((rule) => rule.id);
  for (const id of Object.keys(value)) {
    if (known.includes(id)) continue;
    mistakes.push(mistakeAtKey(document, [...path, id], `unknown rule ${id}${suggestion(id, known)}`));
  }
  return RULES.filter((rule) => Object.hasOwn(value, rule.id)).flatMap((rule) => {
    const own = readRule(rule, value[rule.id], mode, document, [...path, rule.id], mistakes);
    return own && own.mode !== 'off' ? [own] : [];
  });
}

function readRule(
  rule: Rule,
  value: unknown,
  mode: Mode,
  document: SourceDocument,
  path: readonly string[],
  mistakes: Mistake[],
): GuardrailRule | undefined {
  if (!isMap(value)) {
    mistakes.push(mistakeAt(document, path, `${path.join('.')} must be a map of settings, such as { mode: warn }`));
    return undefined;
  }
  const { mode: ownMode = mode, ...settings } = value;
  const judgedMode = modeSchema.safeParse(ownMode);
  if (!judgedMode.success) mistakes.push(...toMistakes(judgedMode.error, modeSchema, document, [...path, 'mode']));
  const judged = rule.settings.safeParse(settings);
  if (!judged.success) mistakes.push(...toMistakes(judged.error, rule.settings, document, path));
  return judgedMode.success && judged.success ? { rule, mode: judgedMode.data, settings: judged.data } : undefined;
}
