// A row says where its answer is so: in one minor, through some, or from one on, in those too that nobody knows yet.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { knownMinors } from './programs.ts';
import { rowsOf } from './rule-rows.ts';

const newest = Number(knownMinors().at(-1)?.slice(2));

const namesOf = (minor: string): readonly string[] => rowsOf(minor).map(({ name }) => name);

describe('the rows of rules.yaml', () => {
  it('that are so in the newest minor are asked of every later one', () => {
    for (const later of [newest + 1, newest + 10, 100]) {
      assert.deepEqual(namesOf(`1.${later}`), namesOf(`1.${newest}`), `1.${later}`);
    }
  });

  it('are those of their minor alone, through a last one, or from a first one on', () => {
    const ofSidecars = (minor: string): readonly (string | undefined)[] =>
      rowsOf(minor).flatMap(({ rule, minors }) => (rule === 'sidecar-restart-policy' && minors ? [minors] : []));
    assert.deepEqual(
      ['1.33', '1.34', '1.35', '1.36'].map((minor) => ofSidecars(minor)),
      [['1.33'], ['1.34'], ['1.35-'], ['1.35-']],
    );
    const isAskedIn = (minors: string): readonly string[] =>
      knownMinors().filter((minor) => rowsOf(minor).some((row) => row.minors === minors));
    assert.deepEqual(isAskedIn('1.33-1.35'), ['1.33', '1.34', '1.35']);
  });
});
