// What Kubernetes cannot read is asked again with just that mended which podrail calls unreadable, or knows to be dropped.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPod } from '../../src/model/read-pod.ts';
import type { PodJson } from '../generate/pods.ts';
import { attempt, PODS, RESIZES } from './suites.ts';

interface Texts {
  readonly request: string;
  readonly overhead: string;
  readonly podLevel: string;
}

const pod = ({ request, overhead, podLevel }: Texts) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: {
      overhead: { memory: overhead },
      resources: { limits: { cpu: podLevel } },
      containers: [{ name: 'app', resources: { requests: { cpu: request, memory: '64Mi' } } }],
    },
  }) as unknown as PodJson;

const WELL = pod({ request: '1', overhead: '1', podLevel: '1' });
const UNREADABLE = ['1O', '1Gib', '', 'one'];
const MINORS = ['1.33', '1.34', '1.35', '1.36', '1.37'];

describe('a question that Kubernetes cannot read', () => {
  const answer = { decode: 'quantities must match the regular expression', stored: WELL };

  it('is asked again with every unreadable value mended, and no other, in every minor', () => {
    for (const minor of MINORS) {
      for (const text of UNREADABLE) {
        const asked = pod({ request: text, overhead: text, podLevel: text });
        assert.deepEqual(RESIZES.mend?.({ stored: WELL, asked }, answer, minor)?.asked, WELL, `${minor} ${text}`);
        assert.deepEqual(PODS.mend?.({ pod: asked }, answer, minor)?.pod, WELL, `${minor} ${text}`);
      }
    }
  });

  it('is asked again as it is where podrail can read all of it', () => {
    const asked = pod({ request: '2', overhead: '3', podLevel: '4' });
    for (const minor of MINORS) {
      assert.deepEqual(RESIZES.mend?.({ stored: WELL, asked }, answer, minor)?.asked, asked, minor);
      assert.deepEqual(PODS.mend?.({ pod: asked }, answer, minor)?.pod, asked, minor);
    }
  });

  it('is asked once where Kubernetes could read it', () => {
    assert.equal(RESIZES.mend?.({ stored: WELL, asked: WELL }, { stored: WELL }, '1.37'), undefined);
    assert.equal(PODS.mend?.({ pod: WELL }, {}, '1.37'), undefined);
  });
});

describe('what podrail throws', () => {
  it('is no answer, unless it is that the object cannot be read', () => {
    assert.equal(
      attempt(() => readPod({ spec: 1 })),
      undefined,
    );
    assert.throws(
      () =>
        attempt(() => {
          throw new TypeError('x is not a function');
        }),
      TypeError,
    );
    assert.equal(
      attempt(() => 1),
      1,
    );
  });
});
