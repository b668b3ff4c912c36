// Patches as the API server's own code applies them: patches/vectors.jsonl, made by patches/main.go from patches/make-cases.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { applyPatch, type PatchType } from '../../src/trial/apply-patch.ts';
import { PatchProblem } from '../../src/trial/patch-problem.ts';

interface Vector {
  readonly type: PatchType;
  readonly pod: Record<string, unknown>;
  readonly patch: unknown;
  readonly result: unknown;
  readonly error?: string;
}

const VECTORS = readFileSync(join(import.meta.dirname, 'patches/vectors.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);

describe('a patch', () => {
  for (const [index, { type, pod, patch, result, error }] of VECTORS.entries()) {
    it(`of type ${type} is ${error === undefined ? 'applied' : 'refused'} as by the API server, case ${index + 1}`, () => {
      if (error === undefined) assert.deepEqual(applyPatch(pod, patch, type), result);
      else assert.throws(() => applyPatch(pod, patch, type), PatchProblem, error);
    });
  }

  it('of each type is both applied and refused in these cases', () => {
    const count = (type: PatchType, isRefused: boolean): number =>
      VECTORS.filter((vector) => vector.type === type && (vector.error !== undefined) === isRefused).length;
    const least = [count('strategic', false), count('strategic', true), count('json', false), count('json', true)];
    assert.ok(Math.min(...least) >= 25, least.join());
  });
});
