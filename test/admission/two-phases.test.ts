// What the two phases say of one resize: whatever is refused is refused in the first, with the words of the second.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { guardrailsOf, resize, settings } from './arbitrary-request.ts';
import { captured } from './captured.ts';
import { contextOf, post, resizeReview } from './reviewing.ts';

const VERSIONS = ['1.33', '1.34', '1.35', '1.36', '1.37'] as const;

describe('a resize on which two phases are asked', () => {
  it('is refused in the first of them, in the words that the second would have', () => {
    const version = fc.constantFrom(...VERSIONS);
    fc.assert(
      fc.property(resize, version, settings, ([before, object], minor, own) => {
        const context = contextOf({ version: minor, guardrails: guardrailsOf(own.map(enforced)) });
        const body = resizeReview(before, object);
        const [first, second] = [post(body, 'mutate', context), post(body, 'validate', context)];
        assert.deepEqual(first.response.status, second.response.status);
        assert.equal(first.response.allowed, second.response.allowed);
        if (!first.response.allowed) assert.deepEqual(first.record, second.record);
      }),
      { numRuns: 500 },
    );
  });

  // From 1.36 on Kubernetes asks no validating webhook about what the node cannot hold, and podrail may not know the node.
  for (const version of VERSIONS) {
    it(`is refused and recorded on ${version} also where podrail does not know what Kubernetes knows of the node`, () => {
      const { response, record } = post(captured('1.37/resize-200Mi.mutate'), 'mutate', contextOf({ version }));
      assert.deepEqual(
        response.status?.details.causes.map(({ message }) => message),
        [
          'container "test-container" must request at most 1024 cpu; 100Mi is 104857600 cpu, did you mean 100m?',
          'container "test-container" must limit cpu to at most 1024; 200Mi is 209715200 cpu, did you mean 200m?',
        ],
      );
      assert.equal(record?.decision, 'deny');
    });
  }
});

function enforced(own: object): object {
  return Object.fromEntries(Object.entries(own).map(([rule, set]) => [rule, { ...set, mode: 'enforce' }]));
}
