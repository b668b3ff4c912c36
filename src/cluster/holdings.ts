// What pods hold of a node, and of a namespace. A sum is made once, when it is first asked for; leaving one pod out of it is
// then a subtraction, however many there are.
import type { Neighbour } from '../admission/cluster-view.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Pod } from '../model/pod.ts';
import { heldOnNode } from '../model/allocated-requests.ts';
import { heldRequests } from '../model/pod-requests.ts';
import { NO_RESOURCES, remaining, type Resources, sum } from '../model/resources.ts';

export interface Holdings {
  /** What the kubelet of a node counts for its pods but one. */
  readonly onNode: (node: string, except: Pod, version: KubernetesVersion) => Resources;
  /** What the pods of a namespace but one count for; undefined when it has none at all. */
  readonly inNamespace: (namespace: string, except: Pod, version: KubernetesVersion) => Resources | undefined;
  /** The pods that add up to `onNode`, and what each of them holds. */
  readonly neighbours: (node: string, except: Pod, version: KubernetesVersion) => readonly Neighbour[];
  /** The pods that add up to `inNamespace`. */
  readonly housemates: (namespace: string, except: Pod, version: KubernetesVersion) => readonly Neighbour[];
}

export function createHoldings(pods: Iterable<Pod>): Holdings {
  const all = [...pods];
  const holding = all.filter(({ status: { phase } }) => phase !== 'Succeeded' && phase !== 'Failed');
  const known = new Set(all.map(({ namespace }) => namespace));
  const onNode = createTotals(holding, ({ nodeName }) => nodeName);
  const inNamespace = createTotals(holding, ({ namespace }) => namespace);
  const find = createFinder(holding);
  return {
    neighbours(node, except, version) {
      const self = find(except);
      const others = holding.filter((pod) => pod.nodeName === node && pod !== self);
      return others.map((pod) => ({ namespace: pod.namespace, name: pod.name, held: heldOnNode(pod, version) }));
    },
    housemates(namespace, except, version) {
      const self = find(except);
      const others = holding.filter((pod) => pod.namespace === namespace && pod !== self);
      return others.map((pod) => ({ namespace, name: pod.name, held: heldRequests(pod, version) }));
    },
    onNode: (node, except, version) => onNode(node, `${version.minor}`, except, (pod) => heldOnNode(pod, version)),
    inNamespace(namespace, except, version) {
      if (!known.has(namespace)) return undefined;
      return inNamespace(namespace, `${version.minor}`, except, (pod) => heldRequests(pod, version));
    },
  };
}

type Totals = (group: string, way: string, except: Pod, held: (pod: Pod) => Resources) => Resources;

// `way` names what `held` counts: there is one sum for each.
function createTotals(pods: readonly Pod[], groupOf: (pod: Pod) => string | undefined): Totals {
  const groups = Map.groupBy(pods, groupOf);
  const find = createFinder(pods);
  const totals = new Map<string, Resources>();
  return (group, way, except, held) => {
    const key = `${group} ${way}`;
    let total = totals.get(key);
    if (total === undefined) {
      total = (groups.get(group) ?? []).map(held).reduce(sum, NO_RESOURCES);
      totals.set(key, total);
    }
    const self = find(except);
    return self === undefined || groupOf(self) !== group ? total : remaining(total, held(self));
  };
}

/** The same pod among `pods`. Two of one name cannot exist at once: another uid under that name is a predecessor that is gone. */
function createFinder(pods: readonly Pod[]): (pod: Pod) => Pod | undefined {
  const byName = new Map(pods.map((pod) => [toKey(pod), pod]));
  const byUid = new Map(pods.map((pod) => [pod.uid, pod]));
  return (pod) => byName.get(toKey(pod)) ?? (pod.uid === '' ? undefined : byUid.get(pod.uid));
}

function toKey({ namespace, name }: Pod): string {
  return `${namespace}/${name}`;
}
