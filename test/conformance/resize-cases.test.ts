// 86 resizes, each answered by the API server's own code in every minor that knows it, from body to response.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { contextOf, post, postBoth, resizeReview } from '../admission/reviewing.ts';

interface ResizeCase {
  readonly id: string;
  readonly description: string;
  readonly old: unknown;
  readonly new: unknown;
  readonly expect: Readonly<Record<string, { readonly allowed: boolean }>>;
}

const CASES = JSON.parse(readFileSync(new URL('resize-cases.json', import.meta.url), 'utf8')) as readonly ResizeCase[];

/** Where podrail refuses on purpose what Kubernetes accepts. */
const REFUSED_ON_PURPOSE: Readonly<
  Record<string, { readonly versions: readonly string[]; readonly rule: string; readonly reason: string }>
> = {
  'add-ephemeral-storage-to-bare-container': {
    versions: ['1.33', '1.34'],
    rule: 'resize-only-cpu-memory',
    reason: 'a container without requests may gain any resource: a hole that 1.35 closed',
  },
  'add-gpu-to-bare-container': {
    versions: ['1.33', '1.34'],
    rule: 'resize-only-cpu-memory',
    reason: 'the same hole',
  },
  'succeeded-pod': {
    versions: ['1.33', '1.34', '1.35', '1.36', '1.37'],
    rule: 'resize-supported-pod',
    reason: 'a finished pod never runs again, so its resize does nothing',
  },
};

describe('a resize that Kubernetes judges by itself', () => {
  it('is known in 86 cases', () => {
    assert.equal(CASES.length, 86);
  });

  for (const { id, description, old, new: resized, expect } of CASES) {
    for (const [version, { allowed }] of Object.entries(expect)) {
      const exception = REFUSED_ON_PURPOSE[id]?.versions.includes(version) ? REFUSED_ON_PURPOSE[id] : undefined;
      const verdict = exception ? `refused on purpose: ${exception.reason}` : allowed ? 'accepted' : 'refused';
      it(`${id} on ${version} (${description}) is ${verdict}`, () => {
        const context = contextOf({ version });
        const { response } = postBoth(resizeReview(old, resized), context);
        if (exception) assert.match(response.status?.message ?? '', new RegExp(`^\\[${exception.rule}\\]`));
        else assert.equal(response.allowed, allowed, response.status?.message);
        // What Kubernetes would refuse before a validating webhook is called must be refused, and recorded, before it.
        if (!allowed) assert.equal(post(resizeReview(old, resized), 'mutate', context).response.allowed, false);
      });
    }
  }
});
