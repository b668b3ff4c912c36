// What podrail asks of the cluster. A port: filled from the API server's cache, or from files.
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Pod } from '../model/pod.ts';
import type { Resources } from '../model/resources.ts';
import type { Autoscaler, KnownNode } from '../rules/facts.ts';

export interface ClusterView {
  /** The node as last seen and what its other pods hold (`except` left out); undefined when there is no such node. */
  readonly node: (name: string, except: Pod) => KnownNode | undefined;
  /** The labels of a namespace; undefined when it is not known. */
  readonly namespaceLabels: (name: string) => Readonly<Record<string, string>> | undefined;
  /**
   * What the pods of a namespace hold (heldRequests), without finished ones and without `except`; undefined when neither the namespace
   * nor a pod of it is known.
   */
  readonly heldInNamespace: (name: string, except: Pod, version: KubernetesVersion) => Resources | undefined;
  /** The HorizontalPodAutoscalers of a namespace. */
  readonly autoscalers: (namespace: string) => readonly Autoscaler[];
}

/** Another pod, on a node or in a namespace, and what is counted for it there. */
export interface Neighbour {
  readonly namespace: string;
  readonly name: string;
  readonly held: Resources;
}

/** Knows nothing: every node and namespace is unknown. */
export const EMPTY_CLUSTER: ClusterView = {
  node: () => undefined,
  namespaceLabels: () => undefined,
  heldInNamespace: () => undefined,
  autoscalers: () => [],
};
