// All that a rule may know of one request. Nothing here is read before a rule asks for it.
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Pod } from '../model/pod.ts';
import type { Change } from '../model/resize.ts';
import type { Resources } from '../model/resources.ts';
import type { Workload } from '../model/workload.ts';

/** `create`: `pods` CREATE. `resize`: `pods/resize` UPDATE. `update`: a plain `pods` UPDATE. */
export type Scope = 'create' | 'resize' | 'update';

/** Who sent the request, as the API server authenticated it. */
export interface Requester {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What is known of a pod's node. A union, so that a rule cannot forget the node nobody knows. */
export type NodeFacts =
  | { readonly state: 'unscheduled' }
  | { readonly state: 'unknown'; readonly name: string }
  | KnownNode;

export interface KnownNode {
  readonly state: 'known';
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly allocatable: Resources;
  /** Whether `status.nodeInfo.swap.capacity` is more than zero. A hint: the kubelet's swap behaviour is not in the API. */
  readonly hasSwap: boolean;
  /** What the other pods on this node hold, as a kubelet of that version counts them. */
  readonly heldByOthers: (version: KubernetesVersion) => Resources;
}

export interface NamespaceFacts {
  readonly name: string;
  /** undefined when the namespace is not known: a selector on it cannot be evaluated. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /**
   * What the other pods of the namespace hold together, finished ones left out: each the largest of its spec, what is allocated to
   * it and what it has (heldRequests). undefined when the namespace is not known.
   */
  readonly heldByOthers: () => Resources | undefined;
}

/** A HorizontalPodAutoscaler, and which requests it divides by. */
export interface Autoscaler {
  readonly name: string;
  readonly target: Workload;
  /** Its metrics with a target in percent of a request; `container` where it is that of one container alone. */
  readonly utilization: readonly { readonly resource: string; readonly container: string | undefined }[];
}

export interface Facts {
  readonly scope: Scope;
  /** The pod as it would be stored. On a resize only resources and resizePolicy can differ from `before`. */
  readonly pod: Pod;
  /** The stored pod; undefined on create. */
  readonly before: Pod | undefined;
  /** What a resize (or update) changes; empty on create. */
  readonly changes: readonly Change[];
  readonly node: NodeFacts;
  readonly namespace: NamespaceFacts;
  /** Those that scale the pod's workload; none also where nobody knows of any. */
  readonly autoscalers: readonly Autoscaler[];
  readonly requester: Requester;
  readonly version: KubernetesVersion;
  readonly now: Date;
}
