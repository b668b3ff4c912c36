// Nothing of a pod but its names and resources leaves podrail: no environment, no argument, no annotation, no image.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { contextOf, post } from './reviewing.ts';

const CASES = new URL('../cases/', import.meta.url);
const CANARY = 'canary-7f3a';

interface Json {
  [key: string]: unknown;
}

/** The pod with a secret in every place where people put one. */
function withSecrets(pod: Json | null | undefined): Json | null | undefined {
  if (!pod) return pod;
  const spec = pod['spec'] as { containers: Json[]; initContainers?: Json[] };
  const metadata = pod['metadata'] as Json;
  const told = (container: Json): Json => ({
    ...container,
    image: `registry.example.com/${CANARY}:1`,
    env: [{ name: 'PASSWORD', value: CANARY }],
    args: [`--token=${CANARY}`],
    command: [CANARY],
  });
  return {
    ...pod,
    metadata: {
      ...metadata,
      annotations: { ...(metadata['annotations'] as Json | undefined), [CANARY]: 'a', last: CANARY },
      labels: { ...(metadata['labels'] as Json | undefined), [CANARY]: CANARY },
    },
    spec: {
      ...spec,
      containers: spec.containers.map(told),
      ...(spec.initContainers ? { initContainers: spec.initContainers.map(told) } : {}),
      imagePullSecrets: [{ name: CANARY }],
      volumes: [{ name: CANARY, secret: { secretName: CANARY } }],
    },
  };
}

describe('what podrail says of a pod', () => {
  for (const name of readdirSync(CASES).filter((file) => file.endsWith('.json'))) {
    it(`holds no secret of it (${name})`, () => {
      const { review, context } = JSON.parse(readFileSync(new URL(name, CASES), 'utf8')) as {
        review: { request: Json };
        context: { kubernetesVersion: string };
      };
      const { object, oldObject } = review.request as { object: Json; oldObject?: Json };
      const told = withSecrets(object);
      // In the mutating phase the new object may also be edited.
      const edited = { ...told, metadata: { ...(told?.['metadata'] as Json), labels: { more: CANARY } } };
      for (const [phase, changed] of [
        ['validate', told],
        ['mutate', edited],
      ] as const) {
        const request = { ...review.request, object: changed, oldObject: withSecrets(oldObject) ?? null };
        const setting = { version: context.kubernetesVersion, auditLevel: 'all' as const };
        const said = post({ ...review, request }, phase, contextOf(setting));
        assert.ok(!JSON.stringify(said).includes(CANARY), JSON.stringify(said));
      }
    });
  }
});
