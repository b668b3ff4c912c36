// Values as YAML or JSON text: the few words, quantities, maps and lists that podrail writes into a manifest.
import { toPlainValue } from '../guardrails/kubernetes-yaml.ts';
import { isMap } from '../model/json-fields.ts';

const PLAIN = /^[\w.][\w./-]*$/;

/** A text as a plain scalar where that means the same, else in double quotes. */
export function toScalarText(text: string): string {
  return PLAIN.test(text) && toPlainValue(text) === text ? text : JSON.stringify(text);
}

/** On one line: `{ a: b }`, or as JSON. JSON under an indentation gets a line for each entry. */
export function toFlow(value: unknown, isJson: boolean, indent?: string): string {
  if (isJson) return indent === undefined ? spacedJson(value) : indentedJson(value, indent);
  if (Array.isArray(value)) return `[${value.map((item) => toFlow(item, isJson)).join(', ')}]`;
  if (!isMap(value)) return toScalarText(String(value));
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${toScalarText(key)}: ${toFlow(inner, isJson)}`)
    .join(', ')} }`;
}

function spacedJson(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
}

function indentedJson(value: unknown, indent: string): string {
  const unit = indent.includes('\t') ? '\t' : '  ';
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `\n${indent}`);
}

/** The lines of `key: value` in a block map whose keys stand at this column; a list's dashes stand `dashOffset` further in. */
export function toBlockEntry(key: string, value: unknown, column: number, dashOffset: number): readonly string[] {
  const head = `${' '.repeat(column)}${toScalarText(key)}:`;
  if (Array.isArray(value)) return [head, ...value.flatMap((item) => toBlockItem(item, column + dashOffset))];
  if (!isMap(value)) return [`${head} ${toScalarText(String(value))}`];
  return [head, ...Object.entries(value).flatMap(([name, inner]) => toBlockEntry(name, inner, column + 2, dashOffset))];
}

/** The lines of an item of a block list whose dashes stand at this column. */
export function toBlockItem(value: unknown, column: number): readonly string[] {
  const dash = `${' '.repeat(column)}- `;
  if (!isMap(value)) return [`${dash}${toScalarText(String(value))}`];
  const lines = Object.entries(value).flatMap(([key, inner]) => toBlockEntry(key, inner, column + 2, 0));
  return lines.map((line, index) => (index === 0 ? dash + line.trimStart() : line));
}
