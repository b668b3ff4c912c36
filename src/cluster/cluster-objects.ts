// A ClusterView over Kubernetes objects that were read once: nodes, namespaces, and pods by the node they run on.
import type { ClusterView } from '../admission/cluster-view.ts';
import { InvalidObject } from '../model/invalid-object.ts';
import { readNumber, readObject, readRequiredObject, readTextOrEmpty, readTexts } from '../model/json-fields.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Pod } from '../model/pod.ts';
import { heldOnNode } from '../model/pod-requests.ts';
import { readPod } from '../model/read-pod.ts';
import { NO_RESOURCES, readResources, remaining, type Resources, sum } from '../model/resources.ts';
import type { KnownNode } from '../rules/facts.ts';

type Labels = Readonly<Record<string, string>>;
type Node = Omit<KnownNode, 'state' | 'heldByOthers'>;

/** What podrail uses of a cluster; every other kind is left aside. */
export type ClusterObject =
  | { readonly kind: 'Node'; readonly node: Node }
  | { readonly kind: 'Namespace'; readonly name: string; readonly labels: Labels }
  | { readonly kind: 'Pod'; readonly pod: Pod };

/** Reads one object; undefined for a kind that podrail does not use. Throws InvalidObject. */
export function readClusterObject(json: unknown): ClusterObject | undefined {
  const object = readRequiredObject(json, '');
  const kind = readTextOrEmpty(object.kind, 'kind');
  if (kind === '') throw new InvalidObject('kind', 'must be set');
  if (object.apiVersion !== 'v1') return undefined;
  if (kind === 'Node') return { kind, node: readNode(object) };
  if (kind === 'Namespace') return { kind, ...readMetadata(object) };
  return kind === 'Pod' ? { kind, pod: readPlacedPod(object) } : undefined;
}

/** The view over objects as the API server gives them; the last of two with the same name counts. Throws InvalidObject. */
export function createClusterView(objects: readonly unknown[]): ClusterView {
  return toClusterView(objects.flatMap((object) => readClusterObject(object) ?? []));
}

/** The view over objects that have been read; the last of two with the same name counts. */
export function toClusterView(objects: readonly ClusterObject[]): ClusterView {
  const nodes = new Map<string, Node>();
  const namespaces = new Map<string, Labels>();
  const pods = new Map<string, Pod>();
  for (const object of objects) {
    if (object.kind === 'Node') nodes.set(object.node.name, object.node);
    else if (object.kind === 'Namespace') namespaces.set(object.name, object.labels);
    else pods.set(podKey(object.pod), object.pod);
  }
  const holdings = createHoldings(pods.values());
  return {
    node(name, except) {
      const node = nodes.get(name);
      if (node === undefined) return undefined;
      const { labels, allocatable, hasSwap } = node;
      const heldByOthers: KnownNode['heldByOthers'] = (version) => holdings.heldByOthers(name, except, version);
      return { state: 'known', name, labels, allocatable, hasSwap, heldByOthers };
    },
    namespaceLabels: (name) => namespaces.get(name),
  };
}

interface Holdings {
  readonly heldByOthers: (node: string, except: Pod, version: KubernetesVersion) => Resources;
}

// The sum of a node is made once for a version, when it is first asked for; leaving one pod out of it is then a subtraction.
function createHoldings(pods: Iterable<Pod>): Holdings {
  const podsByNode = Map.groupBy([...pods].filter(holdsResources), (pod) => pod.nodeName);
  const totals = new Map<string, Resources>();
  return {
    heldByOthers(node, except, version) {
      const placed = podsByNode.get(node);
      if (placed === undefined) return NO_RESOURCES;
      const key = `${version.minor} ${node}`;
      let total = totals.get(key);
      if (total === undefined) {
        total = placed.map((pod) => heldOnNode(pod, version)).reduce(sum, NO_RESOURCES);
        totals.set(key, total);
      }
      const self = placed.find((pod) => isSamePod(pod, except));
      return self === undefined ? total : remaining(total, heldOnNode(self, version));
    },
  };
}

// A finished pod has given back what it held; one without a node has not been given anything.
function holdsResources(pod: Pod): boolean {
  return pod.nodeName !== undefined && pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed';
}

// Two pods of one name cannot exist at once: a different uid under the same name is a predecessor that is gone.
function isSamePod(a: Pod, b: Pod): boolean {
  return (a.name === b.name && a.namespace === b.namespace) || (a.uid !== '' && a.uid === b.uid);
}

function podKey(pod: Pod): string {
  return `${pod.namespace}/${pod.name}`;
}

// A manifest may leave its namespace to kubectl, which means `default` unless told otherwise.
function readPlacedPod(json: unknown): Pod {
  const pod = readPod(json);
  if (pod.name === '') throw new InvalidObject('metadata.name', 'must be set');
  return pod.namespace === '' ? { ...pod, namespace: 'default' } : pod;
}

function readNode(object: Readonly<Record<string, unknown>>): Node {
  const status = readRequiredObject(object.status, 'status');
  readRequiredObject(status.allocatable, 'status.allocatable');
  const allocatable = readResources(status.allocatable, 'status.allocatable');
  for (const [name, quantity] of allocatable) {
    if (quantity.problem !== undefined || quantity.nanos < 0n) {
      throw new InvalidObject(`status.allocatable[${name}]`, `must be a quantity from 0 on, not "${quantity.written}"`);
    }
  }
  return { ...readMetadata(object), allocatable, hasSwap: readSwap(status) };
}

function readSwap(status: Readonly<Record<string, unknown>>): boolean {
  const nodeInfo = readObject(status.nodeInfo, 'status.nodeInfo');
  const swap = readObject(nodeInfo?.swap, 'status.nodeInfo.swap');
  return (readNumber(swap?.capacity, 'status.nodeInfo.swap.capacity') ?? 0) > 0;
}

function readMetadata(object: Readonly<Record<string, unknown>>): { readonly name: string; readonly labels: Labels } {
  const metadata = readRequiredObject(object.metadata, 'metadata');
  const name = readTextOrEmpty(metadata.name, 'metadata.name');
  if (name === '') throw new InvalidObject('metadata.name', 'must be set');
  return { name, labels: readTexts(metadata.labels, 'metadata.labels') };
}
