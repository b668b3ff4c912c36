// Whether a pod counts and is classed to podrail as it is to Kubernetes.
import type { KubernetesVersion } from '../../src/model/kubernetes-version.ts';
import type { Pod } from '../../src/model/pod.ts';
import { desiredLimits, desiredRequests, heldRequests } from '../../src/model/pod-requests.ts';
import { computeQos } from '../../src/model/qos.ts';
import type { Resources } from '../../src/model/resources.ts';
import { both, differs, type Nanos, type Outcome, type PodAnswer, SAME } from './answers.ts';
import { amountOf, isUncountableSum } from './written-amounts.ts';

/** Requests and limits of the pod as it would be stored. */
export function compareSums(pod: Pod, version: KubernetesVersion, theirs: PodAnswer): Outcome {
  const { requests = {}, limits = {}, uncounted } = theirs;
  return [
    compareAmounts('requests', desiredRequests(pod, version), requests),
    compareAmounts('limits', desiredLimits(pod, version), limits),
    compareCounts('requests', requests, uncounted?.requests),
    compareCounts('limits', limits, uncounted?.limits),
  ].reduce(both);
}

/** Kubernetes counts another amount exactly where it is said to (isUncountableSum): what podrail may refuse depends on it. */
function compareCounts(what: string, sums: Nanos, uncounted: readonly string[] | undefined): Outcome {
  const ours = Object.entries(sums).flatMap(([name, nanos]) => {
    const amount = amountOf(`${nanos}n`);
    // A negative sum is one of negative values, which are refused.
    return amount !== undefined && isUncountableSum(name, amount) ? [name] : [];
  });
  const isSame = uncounted === undefined || ours.sort().join() === uncounted.join();
  return isSame ? SAME : differs(`what counts as another amount in the ${what}`, ours, uncounted);
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
