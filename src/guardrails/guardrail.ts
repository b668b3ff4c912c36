// A Guardrail: which rules apply to whom, in which mode, with which settings. Read from a document with every mistake in
// it at its place; the built-in baseline and, later, custom resources have the same form.
import { z } from 'zod';
import { fitsEvery } from '../model/glob.ts';
import { fieldOf, isMap } from '../model/json-fields.ts';
import { RULES } from '../rules/index.ts';
import { containerGlobs } from './containers.ts';
import type { SourceDocument } from './documents.ts';
import { mistakeAt, mistakeAtKey, toMistakes } from './issues.ts';
import type { Mistake } from './mistake.ts';
import { modeSchema } from './mode.ts';
import { type GuardrailRule, readRules } from './read-rules.ts';
import { resourceSchema } from './resource.ts';
import { selectsNobody } from './selects-nobody.ts';
import { type SelectorSettings, selectorSchema } from './selectors.ts';

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
  rules: z
    .record(z.string(), z.unknown())
    .meta({ 'x-podrail': 'rules', examples: ['{ container-size: { max: { cpu: "2" } } }'] })
    .describe('Rules by id, with their settings.'),
});

export const guardrailSchema = resourceSchema('Guardrail', guardrailSpec);

/** Reads one document; its mistakes are pushed with their places, and then there is no guardrail. */
export function readGuardrail(document: SourceDocument, mistakes: Mistake[]): Guardrail | undefined {
  const before = mistakes.length;
  const parsed = guardrailSchema.safeParse(document.value);
  if (!parsed.success) mistakes.push(...toMistakes(parsed.error, guardrailSchema, document));
  // As written, so that what else is wrong hides nothing.
  const written = fieldOf(document.value, 'spec');
  const mode = parsed.success ? parsed.data.spec.mode : 'enforce';
  const rules = readRules(fieldOf(written, 'rules'), mode, document, ['spec', 'rules'], mistakes);
  mistakes.push(...uselessIn(written, document));
  if (!parsed.success || mistakes.length > before) return undefined;
  const { metadata, spec } = parsed.data;
  return { name: metadata.name, match: spec.match, exclude: spec.exclude, rules };
}

// What can only be meant otherwise: nothing in it contradicts the schema, and it would do nothing.
function uselessIn(spec: unknown, document: SourceDocument): readonly Mistake[] {
  const exclude = fieldOf(spec, 'exclude');
  const mistakes = selectsNobody(fieldOf(spec, 'match'), exclude).map(({ path, message }) =>
    mistakeAt(document, ['spec', ...path], message),
  );
  if (fieldOf(fieldOf(document.value, 'metadata'), 'name') === BASELINE) {
    const message = `metadata.name must be another than ${BASELINE}, which is the built-in guardrail`;
    mistakes.push(mistakeAt(document, ['metadata', 'name'], message));
  }
  const containers = fieldOf(exclude, 'containers');
  if (!Array.isArray(containers) || containers.length === 0) return mistakes;
  const path = ['spec', 'exclude', 'containers'];
  const every = containers.findIndex(fitsEvery);
  if (every !== -1) {
    const message = `${path.join('.')} must leave a container to judge; "${containers[every]}" leaves out every one`;
    mistakes.push(mistakeAt(document, [...path, every], message));
  } else if (judgesPodsAlone(fieldOf(spec, 'rules'))) {
    const message = 'spec.exclude.containers leaves out nothing: each rule here judges the pod as a whole';
    mistakes.push(mistakeAtKey(document, path, message));
  }
  return mistakes;
}

// A rule that is misspelt may be one that judges containers.
function judgesPodsAlone(rules: unknown): boolean {
  if (!isMap(rules)) return false;
  return Object.keys(rules).every((id) => RULES.some((rule) => rule.id === id && !rule.perContainer));
}
