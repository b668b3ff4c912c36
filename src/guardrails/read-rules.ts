// The rules of a guardrail, each with its mode and its settings: judged one by one, each by the schema of its own rule.
import { isMap, type JsonObject } from '../model/json-fields.ts';
import { RULES } from '../rules/index.ts';
import { joinWords } from '../rules/message.ts';
import type { Rule } from '../rules/rule.ts';
import type { SourceDocument } from './documents.ts';
import { mistakeAt, mistakeAtKey, toMistakes } from './issues.ts';
import type { Mistake } from './mistake.ts';
import { type Mode, modeSchema } from './mode.ts';
import { unknownRule } from './unknown-rule.ts';

export interface GuardrailRule {
  readonly rule: Rule;
  readonly mode: Mode;
  /** What the rule's own schema made of its settings. */
  readonly settings: unknown;
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
  for (const id of Object.keys(value)) {
    if (RULES.some((rule) => rule.id === id)) continue;
    mistakes.push(mistakeAtKey(document, [...path, id], unknownRule(id)));
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
    mistakes.push(mistakeAt(document, path, `${path.join('.')} must be a map of ${settingsText(rule)}`));
    return undefined;
  }
  const { mode: ownMode = mode, ...settings } = value;
  const judgedMode = modeSchema.safeParse(ownMode);
  if (!judgedMode.success) mistakes.push(...toMistakes(judgedMode.error, modeSchema, document, [...path, 'mode']));
  const judged = rule.settings.safeParse(settings);
  if (!judged.success) mistakes.push(...toMistakes(judged.error, rule.settings, document, path, ['mode']));
  const isEmpty = Object.keys(settings).length === 0 && findsNothing(rule, value);
  if (isEmpty) mistakes.push(mistakeAt(document, path, withoutBound(rule, path)));
  return judgedMode.success && judged.success && !isEmpty
    ? { rule, mode: judgedMode.data, settings: judged.data }
    : undefined;
}

// Without settings; unless it is off by its own mode, so that nothing is meant to be found.
function findsNothing({ needs }: Rule, { mode }: JsonObject): boolean {
  return needs !== undefined && modeSchema.safeParse(mode).data !== 'off';
}

function settingsText({ needs }: Rule): string {
  return needs === undefined ? 'settings, such as { mode: warn }' : joinWords(needs, 'and');
}

function withoutBound({ needs = [] }: Rule, path: readonly string[]): string {
  return `${path.join('.')} must set ${joinWords(needs, 'or')}; without any of them it finds nothing`;
}
