// What Kubernetes' own code counts for generated pods (main.go), against what podrail counts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { desiredLimits, desiredRequests, heldRequests } from '../../../src/model/pod-requests.ts';
import { readPod } from '../../../src/model/read-pod.ts';
import { readResources, type Resources } from '../../../src/model/resources.ts';
import { hasSameResources } from '../../../src/model/same-resources.ts';
import { type Entries, written } from '../pods.ts';

interface Vector {
  readonly pod: unknown;
  readonly requests: Entries;
  readonly limits: Entries;
  /** Per minor version, while a resize may be pending. */
  readonly held: Readonly<Record<string, Entries>>;
}

const vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')) as readonly Vector[];

function assertSame(ours: Resources, theirs: Entries, what: string): void {
  if (!hasSameResources(ours, readResources(theirs, what))) assert.deepEqual(written(ours), theirs, what);
}

test(`the requests and limits of ${vectors.length} pods are those that Kubernetes counts`, () => {
  for (const [index, { pod, requests, limits }] of vectors.entries()) {
    assertSame(desiredRequests(readPod(pod), { minor: 37 }), requests, `requests of pod ${index}`);
    assertSame(desiredLimits(readPod(pod), { minor: 37 }), limits, `limits of pod ${index}`);
  }
});

test('what they hold while a resize is pending is what 1.35, 1.36 and 1.37 count', () => {
  for (const [index, { pod, held }] of vectors.entries()) {
    for (const [minor, theirs] of Object.entries(held)) {
      assertSame(heldRequests(readPod(pod), { minor: Number(minor) }), theirs, `1.${minor} of pod ${index}`);
    }
  }
});
