import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { kindOf } from '../../src/guardrails/schema-walk.ts';

test('what a setting wants is said by its kind, where no example is written for it', () => {
  const said = [
    z.strictObject({ cpu: z.string(), memory: z.string() }),
    z.record(z.string(), z.string()),
    z.array(z.string()),
    z.string(),
    z.number(),
  ].map(kindOf);
  assert.deepEqual(said, ['a map of cpu, memory', 'a map', 'a list', 'a text', undefined]);
});
