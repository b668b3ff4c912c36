// Whether a pod counts and is classed to podrail as it is to Kubernetes.
import type { KubernetesVersion } from '../../src/model/kubernetes-version.ts';
import type { Pod } from '../../src/model/pod.ts';
import { desiredLimits, desiredRequests, heldRequests } from '../../src/model/pod-requests.ts';
import { computeQos } from '../../src/model/qos.ts';
import type { Resources } from '../../src/model/resources.ts';
import { both, differs, type Nanos, type Outcome, type PodAnswer, SAME } from './answers.ts';

/** Requests and limits of the pod as it would be stored. */
export function compareSums(pod: Pod, version: KubernetesVersion, { requests = {}, limits = {} }: PodAnswer): Outcome {
  return both(
    compareAmounts('requests', desiredRequests(pod, version), requests),
    compareAmounts('limits', desiredLimits(pod, version), limits),
  );
}

/** What the pod holds while a resize may be pending. */
export function compareHeld(pod: Pod, version: KubernetesVersion, { held = {} }: PodAnswer): Outcome {
  return compareAmounts('held requests', heldRequests(pod, version), held);
}

/** The class of the pod as it would be stored. */
export function compareQos(pod: Pod, version: KubernetesVersion, { qos }: PodAnswer): Outcome {
  const ours = computeQos(pod, version);
  return ours === qos ? SAME : differs('QoS class', ours, qos);
}

function compareAmounts(what: string, ours: Resources, theirs: Nanos): Outcome {
  const isSame =
    ours.size === Object.keys(theirs).length && [...ours].every(([name, { nanos }]) => theirs[name] === String(nanos));
  if (isSame) return SAME;
  return differs(what, Object.fromEntries([...ours].map(([name, { nanos }]) => [name, String(nanos)])), theirs);
}
