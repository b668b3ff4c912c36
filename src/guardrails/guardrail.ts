// A Guardrail: which rules apply to whom, in which mode, with which settings. Read from a document with every mistake in
// it at its place; the built-in baseline and, later, custom resources have the same form.
import { z } from 'zod';
import { isMap } from '../model/json-fields.ts';
import { RULES } from '../rules/index.ts';
import type { Rule } from '../rules/rule.ts';
import { containerGlobs } from './containers.ts';
import type { SourceDocument } from './documents.ts';
import { mistakeAt, mistakeAtKey, toMistakes } from './issues.ts';
import { type Mistake, shortened, suggestion } from './mistake.ts';
import { type Mode, modeSchema } from './mode.ts';
import { resourceSchema } from './resource.ts';
import { selectsNobody } from './selects-nobody.ts';
import { type SelectorSettings, selectorSchema } from './selectors.ts';

export interface GuardrailRule {
  readonly rule: Rule;
  readonly mode: Mode;
  /** What the rule's own schema made of its settings. */
  readonly settings: unknown;
}

/** Whom a guardrail leaves alone: requests, and single containers of the others. */
export type ExclusionSettings = z.infer<typeof exclusionSchema>;

export interface Guardrail {
  readonly name: string;
  readonly match: SelectorSettings;
  readonly exclude: ExclusionSettings;
  /** In the order of the rule list; rules that are off are left out. */
  readonly rules: readonly GuardrailRule[];
}

/** The built-in guardrail's name, which no document may have. */
export const BASELINE = 'baseline';

const exclusionSchema = selectorSchema.extend({
  containers: containerGlobs.optional().describe('Containers that no rule judges by itself, by name or glob.'),
});

// The rules are judged one by one behind this, each by its own schema.
export const guardrailSpec = z.strictObject({
  mode: modeSchema.default('enforce').describe('For all rules that set no mode of their own.'),
  match: selectorSchema.default({}).describe('Whom it concerns; all of what is set must hold. Absent means everyone.'),
  exclude: exclusionSchema.default({}).describe('Whom it leaves alone; any of what is set is enough.'),
  rules: z.record(z.string(), z.unknown()).meta({ 'x-podrail': 'rules' }).describe('Rules by id, with their settings.'),
});

export const guardrailSchema = resourceSchema('Guardrail', guardrailSpec);

/** Reads one document; its mistakes are pushed with their places, and then there is no guardrail. */
export function readGuardrail(document: SourceDocument, mistakes: Mistake[]): Guardrail | undefined {
  const before = mistakes.length;
  const parsed = guardrailSchema.safeParse(document.value);
  if (!parsed.success) mistakes.push(...toMistakes(parsed.error, guardrailSchema, document));
  const spec = parsed.success ? parsed.data.spec : undefined;
  const rules = readRules(rulesOf(document.value), spec?.mode ?? 'enforce', document, ['spec', 'rules'], mistakes);
  if (!parsed.success || mistakes.length > before) return undefined;
  const { metadata, spec: read } = parsed.data;
  const guardrail = { name: metadata.name, match: read.match, exclude: read.exclude, rules };
  mistakes.push(...uselessIn(guardrail, document));
  return mistakes.length > before ? undefined : guardrail;
}

// What can only be meant otherwise: nothing in it contradicts the schema, and it would do nothing.
function uselessIn(guardrail: Guardrail, document: SourceDocument): readonly Mistake[] {
  const { name, match, exclude, rules } = guardrail;
  const mistakes = selectsNobody(match, exclude).map(({ path, message }) =>
    mistakeAt(document, ['spec', ...path], message),
  );
  if (name === BASELINE) {
    mistakes.push(
      mistakeAt(document, ['metadata', 'name'], `${BASELINE} is the built-in guardrail; choose another name`),
    );
  }
  const excludesContainers = (exclude.containers ?? []).length > 0;
  if (excludesContainers && rules.length > 0 && !rules.some(({ rule }) => rule.perContainer)) {
    const message = 'spec.exclude.containers leaves out nothing: each rule here judges the pod as a whole';
    mistakes.push(mistakeAtKey(document, ['spec', 'exclude', 'containers'], message));
  }
  return mistakes;
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
    mistakes.push(mistakeAtKey(document, [...path, id], `unknown rule ${shortened(id)}${suggestion(id, known)}`));
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
