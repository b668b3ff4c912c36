// The facts of one request. Whatever costs something is worked out when a rule asks, so a rule that is off costs nothing.
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Pod } from '../model/pod.ts';
import { type Change, changesOf, NO_CHANGES } from '../model/resize.ts';
import { asComplete, asCreated, asStored } from '../model/stored.ts';
import { workloadsOf } from '../model/workload.ts';
import type { Autoscaler, Facts, NamespaceFacts, NodeFacts, Requester, Scope } from '../rules/facts.ts';
import type { ClusterView } from './cluster-view.ts';
import type { AdmissionRequest } from './request.ts';

/** Everything a rule may know: the pod as the API server would store it, what changes, its node and namespace. */
export function gatherFacts(
  request: AdmissionRequest,
  cluster: ClusterView,
  version: KubernetesVersion,
  now: Date,
): Facts {
  return new RequestFacts(request, cluster, version, now);
}

// A class, although nothing here has a life of its own: V8 makes a new hidden class for every object literal with getters,
// and each of them kept the last request's objects alive until the next full collection (measured: 13 MB a scavenge).
class RequestFacts implements Facts {
  readonly scope: Scope;
  readonly pod: Pod;
  readonly before: Pod | undefined;
  readonly requester: Requester;
  readonly version: KubernetesVersion;
  readonly now: Date;
  readonly #request: AdmissionRequest;
  readonly #cluster: ClusterView;
  #changes: readonly Change[] | undefined;
  #node: NodeFacts | undefined;
  #namespace: NamespaceFacts | undefined;

  constructor(request: AdmissionRequest, cluster: ClusterView, version: KubernetesVersion, now: Date) {
    const { scope, object, oldObject } = request;
    this.scope = scope;
    this.before = oldObject && asComplete(oldObject, version);
    this.pod = storedPod(scope, object, this.before, version);
    this.requester = request.requester;
    this.version = version;
    this.now = now;
    this.#request = request;
    this.#cluster = cluster;
  }

  get changes(): readonly Change[] {
    this.#changes ??= this.before ? changesOf(this.before, this.pod) : NO_CHANGES;
    return this.#changes;
  }

  get node(): NodeFacts {
    this.#node ??= nodeFacts(this.before ?? this.pod, this.#cluster);
    return this.#node;
  }

  get namespace(): NamespaceFacts {
    this.#namespace ??= this.#namespaceFacts();
    return this.#namespace;
  }

  get autoscalers(): readonly Autoscaler[] {
    const all = this.#cluster.autoscalers(this.#request.namespace);
    if (all.length === 0) return all;
    const workloads = workloadsOf(this.before ?? this.pod);
    return all.filter(({ target }) => workloads.some(({ kind, name }) => kind === target.kind && name === target.name));
  }

  #namespaceFacts(): NamespaceFacts {
    const { namespace } = this.#request;
    const heldByOthers = () => this.#cluster.heldInNamespace(namespace, this.before ?? this.pod, this.version);
    return { name: namespace, labels: this.#cluster.namespaceLabels(namespace), heldByOthers };
  }
}

function storedPod(scope: Scope, object: Pod, before: Pod | undefined, version: KubernetesVersion): Pod {
  if (scope === 'resize' && before !== undefined) return asStored(before, object, version);
  return asCreated(object, version);
}

// The stored pod says where it runs: in the mutating phase of a resize the new object is still the caller's own text.
function nodeFacts(pod: Pod, cluster: ClusterView): NodeFacts {
  if (pod.nodeName === undefined) return { state: 'unscheduled' };
  return cluster.node(pod.nodeName, pod) ?? { state: 'unknown', name: pod.nodeName };
}
