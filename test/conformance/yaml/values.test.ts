// YAML means to podrail what it means to kubectl: values.json is what sigs.k8s.io/yaml makes of each text (main.go).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { KUBERNETES_YAML, toValue } from '../../../src/guardrails/kubernetes-yaml.ts';

interface Reading {
  readonly yaml: string;
  readonly json?: string;
  readonly refused?: true;
}

const readings = JSON.parse(readFileSync(join(import.meta.dirname, 'values.json'), 'utf8')) as readonly Reading[];

function read(yaml: string): unknown {
  const documents = parseAllDocuments(yaml, KUBERNETES_YAML);
  const [document] = 'empty' in documents ? [] : documents;
  if (document === undefined) return null;
  if (document.errors.length > 0) throw document.errors[0];
  return toValue(document, yaml);
}

/** Where podrail is meant to differ. */
const STRICTER: ReadonlyMap<string, string> = new Map([
  ['a: 1\na: 2\n', 'of two equal keys one is a mistake; kubectl silently takes the last'],
  ['a: {b: 1, b: 2}\n', 'of two equal keys one is a mistake'],
  ['1: a\n1: b\n', 'of two equal keys one is a mistake'],
  ['a: [1,\n\t2]\n', 'the YAML library takes no tab as indentation, in brackets neither'],
  ['"a":1\n', 'the YAML library wants a space behind the colon'],
]);
const LAXER: ReadonlyMap<string, string> = new Map([
  ['v: "\\ud83d\\ude00"\n', 'an escape of JSON'],
  ['v: "a\\/b"\n', 'an escape of JSON'],
  ['on: a\n1.5: b\nnull: c\n0x10: d\n1e3: e\n', 'no field has the name null'],
  ['%YAML 1.2\n---\na: 1\n', 'the document is read as the others are'],
  ['a: \u0000b\n', 'a control character harms nobody here'],
  ['a: "\u0007"\n', 'a control character harms nobody here'],
  ['[a, b]: c\n', 'no field has a list as its name'],
  ['{a: b}: c\n', 'no field has a map as its name'],
]);

/** An integer that no double holds is its text, as podrail reads it. */
function exactly(json: string): unknown {
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const source = context?.source ?? '';
    const isInteger = /^-?\d+$/.test(source) && BigInt(source) >= -(2n ** 63n) && BigInt(source) < 2n ** 64n;
    return isInteger && !Number.isSafeInteger(value) ? source : value;
  };
  return JSON.parse(json, revive);
}

describe('a YAML text', () => {
  for (const { yaml, json = 'null', refused } of readings) {
    const text = JSON.stringify(yaml);
    const differs = STRICTER.get(yaml) ?? LAXER.get(yaml);
    if (differs !== undefined) {
      it(`differs where it is meant to: ${text}, ${differs}`, () => {
        assert.equal(refused === true, LAXER.has(yaml));
        if (STRICTER.has(yaml)) assert.throws(() => read(yaml));
        else read(yaml);
      });
    } else if (refused) it(`is refused: ${text}`, () => assert.throws(() => read(yaml)));
    else it(`means the same: ${text}`, () => assert.deepEqual(read(yaml), exactly(json)));
  }
});
