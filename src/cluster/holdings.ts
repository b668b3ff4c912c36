// What pods hold of a node, and of a namespace. A sum is made once, when it is first asked for; leaving one pod out of it is
// then a subtraction, however many there are.
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Pod } from '../model/pod.ts';
import { allocatedRequests, heldRequests } from '../model/pod-requests.ts';
import { NO_RESOURCES, remaining, type Resources, sum } from '../model/resources.ts';

export interface Holdings {
  /** What the kubelet of a node counts for its pods but one. */
  readonly onNode: (node: string, except: Pod) => Resources;
  /** What the pods of a namespace but one count for; undefined when it has none at all. */
  readonly inNamespace: (namespace: string, except: Pod, version: KubernetesVersion) => Resources | undefined;
}

export function createHoldings(pods: Iterable<Pod>): Holdings {
  const all = [...pods];
  const holding = all.filter(({ status: { phase } }) => phase !== 'Succeeded' && phase !== 'Failed');
  const known = new Set(all.map(({ namespace }) => namespace));
  const onNode = createTotals(holding, ({ nodeName }) => nodeName);
  const inNamespace = createTotals(holding, ({ namespace }) => namespace);
  return {
    onNode: (node, except) => onNode(node, '', except, allocatedRequests),
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
  const byName = new Map(pods.map((pod) => [toKey(pod), pod]));
  const byUid = new Map(pods.map((pod) => [pod.uid, pod]));
  const totals = new Map<string, Resources>();
  return (group, way, except, held) => {
    const key = `${group} ${way}`;
    let total = totals.get(key);
    if (total === undefined) {
      total = (groups.get(group) ?? []).map(held).reduce(sum, NO_RESOURCES);
      totals.set(key, total);
    }
    // Two pods of one name cannot exist at once: a different uid under the same name is a predecessor that is gone.
    const self = byName.get(toKey(except)) ?? (except.uid === '' ? undefined : byUid.get(except.uid));
    return self === undefined || groupOf(self) !== group ? total : remaining(total, held(self));
  };
}

function toKey({ namespace, name }: Pod): string {
  return `${namespace}/${name}`;
}
