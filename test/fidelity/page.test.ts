// docs/fidelity.md is made of the committed results, and of nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { knownMinors } from '../cluster/programs.ts';
import { toExceptions, tooMany, toUncompared } from '../cluster/exceptions.ts';
import { merged, PAGE_FILE, readCommitted, reasonToLeave, testedReleases, toPage } from './page.ts';
import type { Exception, Result } from './results.ts';
import { FEWEST } from './suites.ts';

const result = (suite: string, minor: string, more: Partial<Result> = {}): Result => ({
  suite,
  minor,
  release: `v${minor}.1`,
  compared: 1_234,
  differences: 0,
  exceptions: [],
  ...more,
});

describe('the page on fidelity', () => {
  it('says what the committed results say, and was not edited', () => {
    assert.equal(readFileSync(PAGE_FILE, 'utf8'), toPage(readCommitted()));
  });

  it('tells of no difference: what differs is mended, or an exception with its reason', () => {
    assert.deepEqual(
      readCommitted().filter(({ differences }) => differences > 0),
      [],
    );
  });

  it('has every suite in every minor, of no fewer than podrail must be judged by', () => {
    const results = readCommitted();
    const tooFew = Object.entries(FEWEST).flatMap(([suite, fewest]) =>
      knownMinors().flatMap((minor) => {
        const { compared = 0 } = results.find((one) => one.suite === suite && one.minor === minor) ?? {};
        return compared >= fewest ? [] : [`${suite} in ${minor}: ${compared} of ${fewest}`];
      }),
    );
    assert.deepEqual(tooFew, []);
    assert.equal(results.length, Object.keys(FEWEST).length * knownMinors().length);
  });

  it('is of the releases that are tested now', async () => {
    const tested = await testedReleases();
    assert.deepEqual(
      readCommitted().filter(({ minor, release }) => release !== tested.get(minor)),
      [],
    );
  });

  it('names only exceptions, and reasons to compare nothing, that the suites still know and allow so often', () => {
    const counts = (named: readonly Exception[]) => new Map(named.map(({ name, count }) => [name, count]));
    for (const { compared, exceptions, uncompared = [] } of readCommitted()) {
      toExceptions(counts(exceptions));
      assert.deepEqual(tooMany(counts(exceptions), compared), []);
      toUncompared(counts(uncompared));
    }
  });

  it('keeps an older result until there is a newer one of that suite and minor, and none of a suite that is no more', () => {
    const older = [result('quantities', '1.33'), result('pod sums', '1.33'), result('no more', '1.33')];
    const newer = [result('quantities', '1.33', { compared: 5 }), result('pod sums', '1.34')];
    assert.deepEqual(merged(older, newer), [
      result('pod sums', '1.33'),
      result('pod sums', '1.34'),
      result('quantities', '1.33', { compared: 5 }),
    ]);
  });

  it('takes no result of another release, of a shorter run, or older than the one that it has', () => {
    const at = (time: string, compared = 1_000_000): Result =>
      result('quantities', '1.33', { compared, at: `2026-12-01T${time}Z` });
    const reasonOf = (one: Result, committed: readonly Result[], release: string | undefined = 'v1.33.1') =>
      reasonToLeave(one, release, committed);
    assert.equal(reasonOf(at('10:00:00'), []), undefined);
    assert.equal(reasonOf(at('10:00:00'), [result('quantities', '1.33')]), undefined);
    assert.equal(reasonOf(at('10:00:00'), [at('10:00:00'), result('quantities', '1.34')]), undefined);
    assert.equal(
      reasonOf(at('10:00:00'), [at('11:00:00')]),
      'it is of 2026-12-01T10:00:00Z, and there is one of 2026-12-01T11:00:00Z',
    );
    assert.equal(
      reasonOf(result('quantities', '1.33', { compared: 1_000_000 }), [at('11:00:00')]),
      'it is of nobody knows when, and there is one of 2026-12-01T11:00:00Z',
    );
    assert.equal(reasonOf(at('10:00:00', 20_000), []), '20000 were compared, of 1000000');
    assert.equal(reasonOf(at('10:00:00'), [], 'v1.33.2'), 'it is of v1.33.1; 1.33 is tested with v1.33.2');
    assert.equal(reasonToLeave(at('10:00:00'), undefined, []), 'it is of v1.33.1; 1.33 is tested with nothing');
    assert.equal(reasonOf(result('no more', '1.33'), []), 'there is no such suite any more');
  });

  it('has a column a minor, and shows what differs, what was not compared, and each exception with its reason', () => {
    const exceptions = [{ name: 'x', count: 2, reason: 'it | is meant' }];
    const page = toPage([
      result('a', '1.34', { differences: 7, exceptions }),
      result('a', '1.33', { uncompared: [{ name: 'y', count: 3, reason: 'nobody stores it' }] }),
      result('b', '1.34'),
    ]);
    const lines = page.split('\n');
    assert.deepEqual(
      lines.filter((line) => ['| a |', '| b |', '| x |', '| y |', '|  |'].some((start) => line.startsWith(start))),
      [
        '|  | v1.33.1 | v1.34.1 |',
        '| a | 1,234 | 1,234, **7 differ** |',
        '| b |  | 1,234 |',
        '|  | 1.33 | 1.34 | why |',
        '| x |  | 2 | it \\| is meant |',
        '|  | 1.33 | 1.34 | why |',
        '| y | 3 |  | nobody stores it |',
      ],
    );
  });
});
