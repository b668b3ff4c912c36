// One mistake in a document is one mistake in the answer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { BAD_DOCUMENTS } from './bad-documents.ts';

describe('a document with one mistake is told of that mistake alone:', () => {
  for (const { what, text, message } of BAD_DOCUMENTS) {
    it(what, () => {
      const { guardrails, exceptions, mistakes } = readGuardrails(text, 'g.yaml');
      assert.deepEqual(
        mistakes.map((one) => one.message),
        [message],
      );
      assert.ok(mistakes.every(({ line, column }) => line > 0 && column > 0));
      if (!what.includes('not there')) assert.deepEqual([guardrails, exceptions], [[], []]);
    });
  }
});
