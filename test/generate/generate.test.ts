// What those who use the generators may count on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuantity, toCanonical } from '../../src/model/quantity.ts';
import { factsOfCreate, findingsOf } from '../conformance/core-findings.ts';
import { podToCreate } from './pods.ts';
import { boundValue, textOfValue, writtenAs } from './quantities.ts';
import { resize } from './resizes.ts';

const minor = fc.constantFrom(33, 34, 35, 36, 37);

test('a value is written exactly, whatever the notation', () => {
  assert.deepEqual(
    ['m', '', 'Ki', 'e3', 'G'].map((suffix) => writtenAs(1_500_000_000n, suffix)),
    ['1500m', '1.5', '0.00146484375Ki', '0.0015e3', '0.0000000015G'],
  );
  const values = fc.oneof(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), boundValue);
  const written = values.chain((nanos) => textOfValue(nanos).map((text) => ({ nanos, text })));
  fc.assert(
    fc.property(written, ({ nanos, text }) => {
      const quantity = parseQuantity(text);
      const largest = (2n ** 63n - 1n) * 10n ** 9n;
      // Kubernetes caps what has a binary suffix.
      const isCapped = quantity.format === 'binary' && (nanos > largest || nanos < -largest);
      assert.equal(quantity.nanos, isCapped ? (nanos < 0n ? -largest : largest) : nanos, toCanonical(quantity));
    }),
  );
});

test('a calm pod is one that no core rule refuses, in any minor', () => {
  fc.assert(
    fc.property(podToCreate({ wildness: 'calm' }), minor, (pod, of) => {
      assert.deepEqual(findingsOf(factsOfCreate(pod, { minor: of })).core, []);
    }),
  );
});

test('pods at the edges are accepted and refused in good part each', () => {
  const pods = fc.sample(podToCreate({ wildness: 'edges' }), { seed: 1, numRuns: 500 });
  const refused = pods.filter((pod) => findingsOf(factsOfCreate(pod, { minor: 37 })).core.length > 0);
  assert.ok(refused.length > 100 && refused.length < 400, `${refused.length} of 500`);
});

test('the same seed makes the same resizes', () => {
  const sample = () => fc.sample(resize({ wildness: 'broken' }), { seed: 7, numRuns: 20 });
  assert.deepEqual(sample(), sample());
});
