// The table of a rule's settings, for its page.
import type { Rule } from '../../src/rules/rule.ts';
import { FORMS, type Schema } from './forms.ts';
import { isSchema, toPlainSchema } from './from-zod.ts';

const HEAD = ['| setting | value | default | meaning |', '|---|---|---|---|'];
const BEGIN = '<!-- settings: made by npm run generate -->';
const END = '<!-- /settings -->';
const MARKED = new RegExp(`${BEGIN}\n[^]*?\n${END}`);

/** The page with the table of the rule between its marks; throws when it has none. */
export function withSettings(page: string, rule: Rule): string {
  if (!MARKED.test(page)) throw new Error(`docs/rules/${rule.id}.md has no place for its settings: ${BEGIN} … ${END}`);
  return page.replace(MARKED, () => `${BEGIN}\n\n${settingsTable(rule)}\n\n${END}`);
}

export function settingsTable(rule: Rule): string {
  const rows = rowsOf(toPlainSchema(rule.settings), '');
  return rows.length === 0 ? 'This rule has no settings.' : [...HEAD, ...rows].join('\n');
}

function rowsOf(schema: Schema, prefix: string): readonly string[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const { description } = field;
    const meaning = typeof description === 'string' ? description.replace(/\.$/, '') : '';
    const cells = [`\`${path}\``, valueOf(field), defaultOf(field, required.includes(name)), meaning];
    return [`| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`, ...innerRows(field, path)];
  });
}

// Fields of fields are shown where they are the last ones; what is built of more of the same is said in words.
function innerRows(field: Schema, path: string): readonly string[] {
  const items = field['items'];
  const isList = isSchema(items) && items['type'] === 'object';
  const inner = isList ? items : field;
  const fields = Object.values(fieldsOf(inner));
  if (fields.length === 0 || isLabelSelector(inner)) return [];
  if (!fields.every((one) => Object.keys(fieldsOf(one)).length === 0 || isLabelSelector(one))) return [];
  return rowsOf(inner, isList ? `${path}[].` : `${path}.`);
}

function fieldsOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
}

function isLabelSelector(schema: Schema): boolean {
  return 'matchLabels' in fieldsOf(schema);
}

function valueOf(field: Schema): string {
  const { type, items } = field;
  const form = FORMS[String(field['x-podrail'])];
  if (form !== undefined) return form.shown;
  if (field['x-podrail'] === 'globs') return 'names and globs';
  if (Array.isArray(field['enum'])) return field['enum'].map((value) => `\`${String(value)}\``).join(', ');
  if (isLabelSelector(field)) return 'label selector';
  if (isSchema(field['additionalProperties'])) return 'quantities by resource';
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'array')
    return isSchema(items) && items['type'] !== 'object' ? `list of ${valueOf(items)}` : 'list of entries';
  return 'map';
}

function defaultOf({ default: own }: Schema, isRequired: boolean): string {
  if (isRequired) return 'must be set';
  if (own === undefined) return 'none';
  const all = (Array.isArray(own) ? own : [own]) as readonly (string | number | boolean)[];
  return all.length === 0 ? 'none' : all.map((one) => `\`${one}\``).join(', ');
}
