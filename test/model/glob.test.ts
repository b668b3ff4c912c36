// Names and globs, held against regular expressions that mean the same.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createGlobs } from '../../src/model/glob.ts';

// Few letters, so that pieces repeat and overlap.
const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\n', '\\', '$'), maxLength: 12 });
const glob = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '*', '$'), maxLength: 8 });

function toPattern(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split('*')
      .map((piece) => piece.replaceAll(/[.$]/g, String.raw`\$&`))
      .join('.*')}$`,
    's',
  );
}

describe('a glob', () => {
  it('without a star is the name itself', () => {
    const { matches } = createGlobs(['istio-proxy', 'a.c']);
    assert.deepEqual(['istio-proxy', 'istio', 'istio-proxy-2', 'abc', ''].map(matches), [
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('takes a star for any run of characters, also for none', () => {
    const { matches } = createGlobs(['*/istio/proxyv2:*']);
    assert.deepEqual(
      ['docker.io/istio/proxyv2:1.27', '/istio/proxyv2:', 'istio/proxyv2:1', 'docker.io/istio/proxyv2'].map(matches),
      [true, true, false, false],
    );
  });

  it('never uses one character for two pieces', () => {
    assert.deepEqual(['aba', 'ab', 'abab', 'abba'].map(createGlobs(['ab*ba']).matches), [false, false, false, true]);
    assert.equal(createGlobs(['a*aa*a']).matches('aaa'), false);
  });

  it('matches what the regular expression with .* for * matches', () => {
    fc.assert(
      fc.property(glob, text, (pattern, name) => {
        assert.equal(createGlobs([pattern]).matches(name), toPattern(pattern).test(name));
      }),
      { numRuns: 2_000 },
    );
  });

  it('among others matches when any of them does, and none of none', () => {
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 4 }), text, (patterns, name) => {
        assert.equal(
          createGlobs(patterns).matches(name),
          patterns.some((pattern) => createGlobs([pattern]).matches(name)),
        );
      }),
    );
  });
});
