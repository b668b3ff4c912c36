// A label selector, in the form that Kubernetes gives it (metav1.LabelSelector).
import { InvalidObject } from './invalid-object.ts';
import {
  type JsonObject,
  readList,
  readObject,
  readRequiredObject,
  readTextOrEmpty,
  readTexts,
  under,
} from './json-fields.ts';

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** At least one for In and NotIn, none for the others. */
  readonly values?: readonly string[] | undefined;
}

/** All of it must match; an empty selector matches everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?: readonly LabelRequirement[] | undefined;
}

const OPERATORS: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'] satisfies LabelOperator[];
const FIELDS: readonly string[] = ['matchLabels', 'matchExpressions'];

/**
 * Reads a selector; an absent one matches everything. `path` is where it stands. Throws InvalidObject for wrong types, an unknown
 * operator, values that do not go with the operator, and for a field that no selector has: left out, it would match too much.
 */
export function readLabelSelector(json: unknown, path: string): LabelSelector {
  const selector = readObject(json, path) ?? {};
  for (const field of Object.keys(selector)) {
    if (!FIELDS.includes(field)) throw new InvalidObject(`${path}.${field}`, 'is no field of a label selector');
  }
  return {
    matchLabels: readTexts(selector.matchLabels, `${path}.matchLabels`),
    matchExpressions: readExpressions(selector.matchExpressions, `${path}.matchExpressions`),
  };
}

/** Whether labels have all that the selector asks for. As in Kubernetes, NotIn also matches where the label is absent. */
export function matchesLabels(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels, matchExpressions } = selector;
  if (matchLabels !== undefined) {
    for (const key of Object.keys(matchLabels)) {
      if (!Object.hasOwn(labels, key) || labels[key] !== matchLabels[key]) return false;
    }
  }
  return (
    matchExpressions === undefined || matchExpressions.every((requirement) => matchesRequirement(requirement, labels))
  );
}

function matchesRequirement(
  { key, operator, values = [] }: LabelRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  // `labels.constructor` is there in any object.
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

function readExpressions(json: unknown, path: string): readonly LabelRequirement[] {
  return readList(json, path).map((item, index) => {
    try {
      return readRequirement(readRequiredObject(item, ''));
    } catch (error) {
      throw under(`${path}[${index}]`, error);
    }
  });
}

function readRequirement(json: JsonObject): LabelRequirement {
  const key = readTextOrEmpty(json.key, 'key');
  if (key === '') throw new InvalidObject('key', 'must be set');
  const operator = readTextOrEmpty(json.operator, 'operator');
  if (!isOperator(operator))
    throw new InvalidObject('operator', `must be one of ${OPERATORS.join(', ')}, not "${operator}"`);
  const values = readList(json.values, 'values').map((value, index) => readTextOrEmpty(value, `values[${index}]`));
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && values.length === 0)
    throw new InvalidObject('values', `must have at least one value for ${operator}`);
  if (!takesValues && values.length > 0) throw new InvalidObject('values', `must be left out for ${operator}`);
  return { key, operator, values };
}

function isOperator(text: string): text is LabelOperator {
  return OPERATORS.includes(text);
}
