// No mistake hides another: not in one document, not in one file; and each message says what is wanted.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDocuments } from '../../src/guardrails/documents.ts';
import { exceptionSpec } from '../../src/guardrails/exception.ts';
import { guardrailSpec } from '../../src/guardrails/guardrail.ts';
import { toMistakeText } from '../../src/guardrails/mistake.ts';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { isMap, type JsonObject } from '../../src/model/json-fields.ts';
import { isSchema, toSchema } from '../../tools/schema/from-zod.ts';
import { BAD_DOCUMENTS, RIGHT } from './bad-documents.ts';

const messagesOf = (text: string): readonly string[] =>
  readGuardrails(text, 'g.yaml')
    .mistakes.map(({ message }) => message)
    .sort();

// What a map holds is shown with it, and the tightest maximum; both are others where two are one.
const withoutValue = (message: string): string => message.replace(/the max, .*|; it is \{.*/, '');

interface Bad {
  readonly what: string;
  readonly message: string;
  readonly document: JsonObject;
  readonly spec: JsonObject;
}

// Of these nothing is left when something else is added.
const IS_OF_ABSENCE = /must be set|must set|must say|must name|must require|each rule here|^spec.rules must/;

function valueOf(text: string): JsonObject {
  return readDocuments(text, 'g.yaml').documents[0]?.value as JsonObject;
}

const EXCEPTION = valueOf(
  Object.entries(RIGHT)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
);

// What stands there only for a mistake elsewhere.
const PLACEHOLDERS = new Set(
  [{ rules: { 'container-size': { max: { cpu: 2 } } } }, EXCEPTION].flatMap((spec) =>
    Object.entries(spec).map((entry) => JSON.stringify(entry)),
  ),
);

const BAD: readonly Bad[] = BAD_DOCUMENTS.filter(({ message }) => !IS_OF_ABSENCE.test(message)).flatMap(
  ({ what, text, message }) => {
    const document = valueOf(text);
    const { spec } = document;
    if (!isMap(spec)) return [];
    const own = Object.entries(spec).filter((entry) => !PLACEHOLDERS.has(JSON.stringify(entry)));
    return [{ what, message, document, spec: Object.fromEntries(own) }];
  },
);

/** Both in one; undefined where they set the same. */
function merged(a: JsonObject, b: JsonObject): JsonObject | undefined {
  const all: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    if (!Object.hasOwn(a, key)) {
      all[key] = value;
      continue;
    }
    const own = a[key];
    const both =
      isMap(own) && isMap(value) ? merged(own, value) : JSON.stringify(own) === JSON.stringify(value) ? own : undefined;
    if (both === undefined) return undefined;
    all[key] = both;
  }
  return all;
}

describe('of two mistakes', () => {
  for (const kind of ['Guardrail', 'GuardrailException']) {
    it(`in one ${kind} both are told`, () => {
      const bad = BAD.filter(({ document }) => document['kind'] === kind);
      let pairs = 0;
      for (const [index, one] of bad.entries()) {
        for (const other of bad.slice(index + 1)) {
          const spec = merged(one.spec, other.spec);
          const document = merged({ ...one.document, spec: {} }, { ...other.document, spec: {} });
          if (spec === undefined || document === undefined) continue;
          pairs += 1;
          const base = kind === 'Guardrail' ? { rules: {} } : EXCEPTION;
          const text = JSON.stringify({ ...document, spec: { ...base, ...spec } });
          const expected = new Set([one.message, other.message].map(withoutValue));
          assert.deepEqual(new Set(messagesOf(text).map(withoutValue)), expected, `${one.what} and ${other.what}`);
        }
      }
      assert.ok(pairs > (kind === 'Guardrail' ? 1_000 : 0), String(pairs));
    });
  }

  it('of one exception both are told, also where they set the same in the example', () => {
    const rest = 'reason: " "\n  expires: 2027-02-30T00:00:00Z\n';
    const text = `apiVersion: podrail.dev/v1alpha1\nkind: GuardrailException\nmetadata: { name: Migration }\nspec:\n  guardrail: baselin\n  rules: [container-sizes, pod-size]\n  match: { containers: [a], users: 5 }\n  ${rest}`;
    assert.deepEqual(readGuardrails(text, 'g.yaml').mistakes.map(toMistakeText), [
      'g.yaml:3:19 metadata.name must be a name such as team-blue, in lower case letters, digits, "-" and "."; it is "Migration"',
      'g.yaml:5:14 spec.guardrail names no guardrail that there is; it is "baselin"; did you mean baseline?',
      'g.yaml:6:11 unknown rule container-sizes; did you mean container-size?',
      'g.yaml:7:12 pod-size judges the pod as a whole, so there is no exception for some of its containers',
      'g.yaml:7:36 spec.match.users must be a list; it is 5',
      'g.yaml:8:11 spec.reason must say why; it is " "',
      'g.yaml:9:12 spec.expires must be a time that there is, such as 2027-01-31T00:00:00Z; it is "2027-02-30T00:00:00Z"',
    ]);
  });

  it('in two documents both are told', () => {
    const named = BAD_DOCUMENTS.map(({ text, message }, index) => ({
      text: text.replace(/name: (tenants|migration|a) /, `name: own-${index} `),
      message,
    }));
    assert.deepEqual(
      messagesOf(named.map(({ text }) => text).join('---\n')),
      named.map(({ message }) => message).sort(),
    );
  });
});

describe('a mistake in what an alias stands for', () => {
  it('is told where it is written, at each place that it comes to', () => {
    const text = `apiVersion: podrail.dev/v1alpha1
kind: Guardrail
metadata: { name: tenants }
spec:
  rules:
    container-size:
      max: &most
        cpu: 1x
      sidecar: { max: *most }
    namespace-budget:
      requests:
        <<: *most
`;
    assert.deepEqual(readGuardrails(text, 'g.yaml').mistakes.map(toMistakeText), [
      'g.yaml:8:14 spec.rules.container-size.max.cpu must be a quantity such as 500m or 2Gi; it is "1x"',
      'g.yaml:8:14 spec.rules.container-size.sidecar.max.cpu must be a quantity such as 500m or 2Gi; it is "1x"',
      'g.yaml:8:14 spec.rules.namespace-budget.requests.cpu must be a quantity such as 500m or 2Gi; it is "1x"',
    ]);
  });
});

/** Paths to everything that a schema knows, with a name where any will do. */
function pathsIn(schema: unknown): readonly (readonly (string | number)[])[] {
  if (!isSchema(schema)) return [];
  const { properties, items, additionalProperties } = schema;
  const inner = [
    ...(isSchema(properties) ? Object.entries(properties) : []),
    ...(isSchema(items) ? [[0, items] as const] : []),
    ...(isSchema(additionalProperties) ? [['cpu', additionalProperties] as const] : []),
  ];
  return inner.flatMap(([name, child]) => [[name], ...pathsIn(child).map((path) => [name, ...path])]);
}

// The kinds of containers have the same settings as all together.
function isRepeated(path: readonly (string | number)[]): boolean {
  return path.length > 3 && ['main', 'sidecar', 'init'].includes(String(path[2]));
}

function nested(path: readonly (string | number)[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
}

const JUNK: readonly unknown[] = [
  null,
  true,
  5,
  -1,
  1.5,
  '',
  'No Such Thing',
  'x'.repeat(1_025),
  [],
  [null],
  [5],
  [''],
  {},
  { x: 1 },
  [{}],
  Array.from({ length: 257 }, () => 'a'),
  Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, 'v'])),
];

const SAYS_WHAT =
  /\bmust |^unknown (rule|setting) .+; |leaves out|picks |can match nothing|names no guardrail|judges the pod/;
const IS_VAGUE = /undefined|\[object|Invalid|Too (big|small)|expected|received|NaN|must be set$/;

const isVague = (message: string): boolean =>
  !SAYS_WHAT.test(message) || IS_VAGUE.test(message) || message.includes('\n') || message.length > 256;

describe('whatever stands in the place of a setting', () => {
  for (const [kind, schema] of [
    ['Guardrail', toSchema(guardrailSpec, 'editor')],
    ['GuardrailException', toSchema(exceptionSpec, 'editor')],
  ] as const) {
    it(`of a ${kind} is told as one line that names the field and says what it must be`, () => {
      const told = pathsIn(schema)
        .filter((path) => !isRepeated(path))
        .flatMap((path) => JUNK.map((junk) => nested(path, junk)))
        .map((spec) => ({ apiVersion: 'podrail.dev/v1alpha1', kind, metadata: { name: 'a' }, spec }))
        .flatMap((document) => messagesOf(JSON.stringify(document)));
      assert.deepEqual([...new Set(told)].filter(isVague), []);
      assert.ok(told.length > 500, String(told.length));
    });
  }
});
