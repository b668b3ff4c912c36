// A label selector as a setting: what Kubernetes would refuse in one, and what could never match, is a mistake.
import { z } from 'zod';
import { isMap } from '../model/json-fields.ts';
import type { LabelSelector } from '../model/label-selector.ts';
import { BESIDE_MISTAKES, BESIDE_OTHER_MISTAKES } from './settings.ts';

// As apimachinery judges labels (IsQualifiedName, IsValidLabelValue).
const KEY = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?[/])?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

const MOST_LETTERS = 316;
const MOST_VALUES = 256;
const MOST_REQUIREMENTS = 64;

const key = z
  .string()
  .meta({ examples: ['app.kubernetes.io/name'] })
  .max(MOST_LETTERS, `must have at most ${MOST_LETTERS} characters`)
  .regex(KEY, 'must be the name of a label, such as app.kubernetes.io/name');
const value = z.string().regex(VALUE, 'must be the value of a label: at most 63 letters, digits, "-", "_" and "."');

const VALUES = 'must name at least one value for In and NotIn, and none for Exists and DoesNotExist';

const requirement = z
  .strictObject({
    key: key.describe('The label.'),
    operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']).describe('How it is compared.'),
    values: z.array(value).max(MOST_VALUES).optional().describe('For In and NotIn at least one, for the others none.'),
  })
  .refine(({ operator, values = [] }) => (operator === 'In' || operator === 'NotIn') === values.length > 0, {
    path: ['values'],
    error: VALUES,
    when: ({ issues, ...payload }) =>
      BESIDE_OTHER_MISTAKES.when({ issues, ...payload }) &&
      !issues.some(({ path = [] }) => path[0] === 'operator' || path[0] === 'values'),
  })
  .meta({
    'x-kubernetes-validations': [
      {
        rule: "(self.operator in ['In', 'NotIn']) == (has(self.values) && size(self.values) > 0)",
        message: VALUES,
      },
    ],
  });

/** A Kubernetes label selector; {} selects everything, and one that can select nothing is a mistake. */
export const labelSelectorSetting = z
  .strictObject({
    matchLabels: z
      .record(key, value)
      .refine((labels) => Object.keys(labels).length <= MOST_REQUIREMENTS, {
        error: `must name at most ${MOST_REQUIREMENTS} labels`,
      })

      .meta({
        maxProperties: MOST_REQUIREMENTS,
        'x-kubernetes-validations': [
          {
            rule: `self.all(name, size(name) <= ${MOST_LETTERS} && name.matches('${KEY.source}'))`,
            message: 'must have names of labels, such as app.kubernetes.io/name',
          },
        ],
      })
      .optional()
      .describe('Labels that must be there, with their values.'),
    matchExpressions: z
      .array(requirement)
      .max(MOST_REQUIREMENTS)
      .optional()
      .describe('Further requirements, all of them.'),
  })
  .superRefine((written, context) => {
    const selector = readable(written);
    for (const label of labelsOf(selector)) {
      if (canMatch(selector, label)) continue;
      context.addIssue({ code: 'custom', message: `can match nothing: no value of label ${label} fits all of it` });
    }
  }, BESIDE_MISTAKES);

// Of a selector that may hold mistakes the requirements that can be compared.
function readable({
  matchLabels,
  matchExpressions,
}: {
  matchLabels?: unknown;
  matchExpressions?: unknown;
}): LabelSelector {
  const labels = isMap(matchLabels) ? Object.entries(matchLabels) : [];
  return {
    matchLabels: Object.fromEntries(labels.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    matchExpressions: Array.isArray(matchExpressions) ? matchExpressions.filter(isRequirement) : [],
  };
}

function isRequirement(one: unknown): one is Requirements[number] {
  if (!isMap(one) || typeof one['key'] !== 'string' || typeof one['operator'] !== 'string') return false;
  const { values = [] } = one;
  return Array.isArray(values) && values.every((own) => typeof own === 'string');
}

function labelsOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): ReadonlySet<string> {
  return new Set([...Object.keys(matchLabels), ...matchExpressions.map((one) => one.key)]);
}

// A label is there or not; where it is, In narrows its values to a few, and NotIn takes some of them.
function canMatch({ matchLabels = {}, matchExpressions = [] }: LabelSelector, label: string): boolean {
  const requirements = matchExpressions.filter((one) => one.key === label);
  const operators = new Set(requirements.map(({ operator }) => operator));
  const own = Object.hasOwn(matchLabels, label) ? [matchLabels[label]] : [];
  const mustExist = own.length > 0 || operators.has('In') || operators.has('Exists');
  if (!mustExist) return true;
  if (operators.has('DoesNotExist')) return false;
  const allowed = [...own.map((one) => [one]), ...valuesOf(requirements, 'In')];
  const [first, ...others] = allowed;
  if (first === undefined) return true;
  const refused = new Set(valuesOf(requirements, 'NotIn').flat());
  return first.some((one) => !refused.has(one ?? '') && others.every((values) => values.includes(one)));
}

type Requirements = NonNullable<LabelSelector['matchExpressions']>;

function valuesOf(requirements: Requirements, wanted: 'In' | 'NotIn'): readonly (readonly (string | undefined)[])[] {
  const listed = requirements.filter(({ operator, values = [] }) => operator === wanted && values.length > 0);
  return listed.map(({ values = [] }) => values);
}
