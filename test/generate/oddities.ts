// What a stored pod has now and then besides its spec and the words of its kubelet: a mirror annotation, claims of its node.
import fc from 'fast-check';
import type { PodJson } from './pods.ts';

const MIRROR = 'kubernetes.io/config.mirror';

type Change = (pod: PodJson) => PodJson;

/** A static pod's stand-in on the API server, which is always bound. */
function mirrored(pod: PodJson): PodJson {
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: { [MIRROR]: 'abc' } },
    spec: { ...pod.spec, nodeName: 'n1' },
  };
}

/** The field exists from 1.36 on. */
function withNodeClaims(pod: PodJson): PodJson {
  const claim = { resourceClaimName: 'device', containers: ['app'] };
  return { ...pod, status: { ...pod.status, nodeAllocatableResourceClaimStatuses: [claim] } };
}

/** What to make of a stored pod, and of the same pod as it is sent; most of the time nothing. */
export const oddity: fc.Arbitrary<Change> = fc.oneof(
  { weight: 30, arbitrary: fc.constant((pod: PodJson) => pod) },
  { weight: 1, arbitrary: fc.constantFrom<Change>(mirrored, withNodeClaims) },
);
