// The forms of text and number that settings name (`x-podrail`), as JSON Schema for an editor and as a structural schema for a CRD.
import { MODES } from '../../src/guardrails/mode.ts';
import { RULES } from '../../src/rules/index.ts';

/** A JSON Schema or a part of one. */
export interface Schema {
  readonly [key: string]: unknown;
}

export interface Form {
  readonly editor: Schema;
  readonly crd: Schema;
  /** How it looks, for a table of settings. */
  readonly shown: string;
}

const NUMBER = String.raw`\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)`;
const EXPONENT = String.raw`[eE][-+]?[0-9]+`;
// No finer than 1m: at most three decimals of a plain number, and none of a milli.
const MILLI = String.raw`\+?([0-9]+(\.[0-9]{0,3}0*)?|\.[0-9]{1,3}0*)|\+?([0-9]+(\.0*)?|\.0+)m`;
const LARGE = '[kMGTPE]|[KMGTPE]i';

export const QUANTITY = `^${NUMBER}([num]|${LARGE}|${EXPONENT})?$`;
export const AMOUNT = `^(${MILLI}|${NUMBER}(${LARGE}|${EXPONENT}))$`;
export const DURATION = '^([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,6}s)?$';
const LINE = String.raw`^\s*[^\p{Cc}\p{Zl}\p{Zp}]{0,99}[^\p{Cc}\p{Zl}\p{Zp}.\s][.\s]*$`;
export const TIME = String.raw`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[-+][0-9]{2}:[0-9]{2})$`;

function quantity(pattern: string, shown: string): Form {
  const form = { pattern, maxLength: 64, minimum: 0 };
  return {
    editor: { type: ['string', 'integer'], ...form },
    crd: { anyOf: [{ type: 'integer' }, { type: 'string' }], ...form, 'x-kubernetes-int-or-string': true },
    shown,
  };
}

function text(schema: Schema, shown: string, crd: Schema = {}): Form {
  const own = { type: 'string', ...schema };
  return { editor: own, crd: { ...own, ...crd }, shown };
}

const RULE_IDS = RULES.map(({ id }) => id);

export const FORMS: Readonly<Record<string, Form>> = {
  quantity: quantity(QUANTITY, 'quantity'),
  amount: quantity(AMOUNT, 'quantity'),
  factor: { editor: { type: 'number', minimum: 1 }, crd: { type: 'number', minimum: 1 }, shown: 'number from 1 on' },
  // More than none: there is a digit that is not 0.
  duration: text({ allOf: [{ pattern: DURATION }, { pattern: '[1-9]' }], maxLength: 21 }, 'duration'),
  resource: text({ pattern: '^(cpu|memory|ephemeral-storage)$|^hugepages-|/', maxLength: 253 }, 'resource'),
  line: text({ pattern: LINE, maxLength: 300 }, 'text'),
  time: text({ pattern: TIME, format: 'date-time', maxLength: 40 }, 'time'),
  // YAML as Kubernetes reads it takes `off` without quotes for false, and a CRD has no type for either of two.
  mode: {
    editor: { type: 'string', enum: MODES },
    crd: { enum: [...MODES, false], 'x-kubernetes-preserve-unknown-fields': true },
    shown: MODES.map((mode) => `\`${mode}\``).join(', '),
  },
  'rule-ids': {
    editor: { type: 'array', minItems: 1, maxItems: RULE_IDS.length, items: { type: 'string', enum: RULE_IDS } },
    crd: { type: 'array', minItems: 1, maxItems: RULE_IDS.length, items: { type: 'string', enum: RULE_IDS } },
    shown: 'rule ids',
  },
};
