// The sums that a rule shows are those of its verdict: over all of its fixtures they add up, and one is beyond its bound exactly
// where the rule finds something.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RULES } from '../../src/rules/index.ts';
import { addUp } from '../trial/add-up.ts';
import { factsOf, fixturesOf } from './read-fixture.ts';

const BEYOND = / is (more|less) than |too early$/;
const WITH_SUMS = [
  'resize-step',
  'resize-cooldown',
  'container-size',
  'pod-size',
  'limit-request-ratio',
  'namespace-budget',
];

it('a rule that computes its bound says how', () => {
  assert.deepEqual(
    RULES.filter(({ sums }) => sums !== undefined).map(({ id }) => id),
    WITH_SUMS,
  );
});

for (const { id, check, sums, settings } of RULES) {
  if (sums === undefined) continue;
  describe(`the sums of ${id}`, () => {
    for (const { name, fixture } of fixturesOf(id)) {
      it(`are those of the verdict where it ${name.replaceAll('-', ' ')}`, () => {
        const facts = factsOf(fixture);
        const parsed = settings.parse(fixture.settings);
        const shown = sums(facts, parsed);
        for (const { rows } of shown) addUp(rows);
        const found = check(facts, parsed).filter(({ advice }) => !advice);
        const beyond = shown.filter(({ conclusion }) => BEYOND.test(conclusion));
        assert.equal(beyond.length > 0, found.length > 0, JSON.stringify(shown.map(({ conclusion }) => conclusion)));
      });
    }
  });
}
