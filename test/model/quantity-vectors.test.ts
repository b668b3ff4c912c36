// Every quantity of the conformance vectors means here what it means to Kubernetes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  parseQuantity,
  parseQuantityToken,
  type QuantityFormat,
  type QuantityProblem,
  roundUpToMilli,
  toCanonical,
  toMillis,
} from '../../src/model/quantity.ts';

interface Vector {
  readonly layer: 'string' | 'json';
  readonly input: string;
  readonly ok: boolean;
  readonly canonical?: string;
  /** Absent for `null`, which leaves Kubernetes' quantity without a format. */
  readonly format?: string;
  readonly nano?: string;
  readonly milli?: string;
  /** As stored in a pod; absent when it is `canonical`. */
  readonly podCanonical?: string;
  readonly error?: string;
}

const FORMATS: Readonly<Record<string, QuantityFormat>> = {
  BinarySI: 'binary',
  DecimalSI: 'decimal',
  DecimalExponent: 'exponent',
};
const PROBLEMS: Readonly<Record<string, QuantityProblem>> = {
  ErrFormatWrong: 'format',
  ErrSuffix: 'suffix',
  ErrNumeric: 'numeric',
};

const file = new URL('../conformance/quantity-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];

function expected(vector: Vector): unknown {
  if (!vector.ok) return { problem: PROBLEMS[vector.error ?? ''] };
  return {
    problem: undefined,
    canonical: vector.canonical,
    format: vector.format === undefined ? 'decimal' : FORMATS[vector.format],
    nanos: BigInt(vector.nano ?? ''),
    millis: BigInt(vector.milli ?? ''),
    podCanonical: vector.podCanonical ?? vector.canonical,
  };
}

function actual(vector: Vector): unknown {
  const quantity = vector.layer === 'json' ? parseQuantityToken(vector.input) : parseQuantity(vector.input);
  if (quantity.problem !== undefined) return { problem: quantity.problem };
  return {
    problem: undefined,
    canonical: toCanonical(quantity),
    format: quantity.format,
    nanos: quantity.nanos,
    millis: toMillis(quantity),
    podCanonical: toCanonical(roundUpToMilli(quantity)),
  };
}

test('a quantity means what it means to Kubernetes', async (t) => {
  await t.test('in all 162 vectors', () => assert.equal(vectors.length, 162));
  for (const vector of vectors) {
    const verdict = vector.ok ? `is ${vector.canonical}` : `is no quantity: ${vector.error}`;
    await t.test(`${vector.layer} ${JSON.stringify(vector.input)} ${verdict}`, () => {
      assert.deepEqual(actual(vector), expected(vector));
    });
  }
});
