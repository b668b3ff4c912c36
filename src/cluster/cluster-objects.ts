// A ClusterView over Kubernetes objects that were read once: nodes, namespaces, autoscalers, and pods by node and by namespace.
import type { ClusterView, Neighbour } from '../admission/cluster-view.ts';
import { InvalidObject } from '../model/invalid-object.ts';
import { readNumber, readObject, readRequiredObject, readTextOrEmpty, readTexts } from '../model/json-fields.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Pod } from '../model/pod.ts';
import { readPod } from '../model/read-pod.ts';
import { NO_RESOURCES, readResources } from '../model/resources.ts';
import type { Autoscaler, KnownNode } from '../rules/facts.ts';
import { createHoldings } from './holdings.ts';
import { readAutoscaler } from './read-autoscaler.ts';

const NO_AUTOSCALERS: readonly Autoscaler[] = [];

type Labels = Readonly<Record<string, string>>;
type Node = Omit<KnownNode, 'state' | 'heldByOthers'>;

/** What podrail uses of a cluster; every other kind is left aside. */
export type ClusterObject =
  | { readonly kind: 'Node'; readonly node: Node }
  | { readonly kind: 'Namespace'; readonly name: string; readonly labels: Labels }
  | { readonly kind: 'Pod'; readonly pod: Pod }
  | { readonly kind: 'HorizontalPodAutoscaler'; readonly namespace: string; readonly autoscaler: Autoscaler };

/** Reads one object; undefined for a kind that podrail does not use. Throws InvalidObject. */
export function readClusterObject(json: unknown): ClusterObject | undefined {
  const object = readRequiredObject(json, '');
  const kind = readTextOrEmpty(object.kind, 'kind');
  if (kind === '') throw new InvalidObject('kind', 'must be set');
  if (kind === 'HorizontalPodAutoscaler' && object.apiVersion === 'autoscaling/v2') {
    const { name, namespace } = readMetadata(object);
    return { kind, namespace, autoscaler: readAutoscaler(object, name) };
  }
  if (object.apiVersion !== 'v1') return undefined;
  if (kind === 'Node') return { kind, node: readNode(object) };
  if (kind === 'Namespace') return { kind, ...readNameAndLabels(object) };
  return kind === 'Pod' ? { kind, pod: readPlacedPod(object) } : undefined;
}

/** The view over objects as the API server gives them; the last of two with the same name counts. Throws InvalidObject. */
export function createClusterView(objects: readonly unknown[]): ClusterOfObjects {
  return toClusterView(objects.flatMap((object) => readClusterObject(object) ?? []));
}

/** A view that can also say who holds what. */
export interface ClusterOfObjects extends ClusterView {
  /** The other pods that hold something on a node, and what they add up to in `heldByOthers`. */
  readonly neighbours: (node: string, except: Pod, version: KubernetesVersion) => readonly Neighbour[];
  /** The other pods of a namespace, and what they add up to in `heldInNamespace`. */
  readonly housemates: (namespace: string, except: Pod, version: KubernetesVersion) => readonly Neighbour[];
}

/** The view over objects that have been read; the last of two with the same name counts. */
export function toClusterView(objects: readonly ClusterObject[]): ClusterOfObjects {
  const nodes = new Map<string, Node>();
  const namespaces = new Map<string, Labels>();
  const pods = new Map<string, Pod>();
  const autoscalers = new Map<string, { readonly namespace: string; readonly autoscaler: Autoscaler }>();
  for (const object of objects) {
    if (object.kind === 'Node') nodes.set(object.node.name, object.node);
    else if (object.kind === 'Namespace') namespaces.set(object.name, object.labels);
    else if (object.kind === 'Pod') pods.set(`${object.pod.namespace}/${object.pod.name}`, object.pod);
    else autoscalers.set(`${object.namespace}/${object.autoscaler.name}`, object);
  }
  const holdings = createHoldings(pods.values());
  const scaling = Map.groupBy(autoscalers.values(), ({ namespace }) => namespace);
  return {
    node(name, except) {
      const node = nodes.get(name);
      if (node === undefined) return undefined;
      const { labels, allocatable, hasSwap } = node;
      const heldByOthers: KnownNode['heldByOthers'] = (version) => holdings.onNode(name, except, version);
      return { state: 'known', name, labels, allocatable, hasSwap, heldByOthers };
    },
    namespaceLabels: (name) => namespaces.get(name),
    heldInNamespace: (name, except, version) =>
      holdings.inNamespace(name, except, version) ?? (namespaces.has(name) ? NO_RESOURCES : undefined),
    autoscalers: (namespace) => scaling.get(namespace)?.map(({ autoscaler }) => autoscaler) ?? NO_AUTOSCALERS,
    neighbours: holdings.neighbours,
    housemates: holdings.housemates,
  };
}

// A manifest may leave its namespace to kubectl, which means `default` unless told otherwise.
const DEFAULT_NAMESPACE = 'default';

function readPlacedPod(json: unknown): Pod {
  const pod = readPod(json);
  if (pod.name === '') throw new InvalidObject('metadata.name', 'must be set');
  return pod.namespace === '' ? { ...pod, namespace: DEFAULT_NAMESPACE } : pod;
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
  return { ...readNameAndLabels(object), allocatable, hasSwap: readSwap(status) };
}

function readSwap(status: Readonly<Record<string, unknown>>): boolean {
  const nodeInfo = readObject(status.nodeInfo, 'status.nodeInfo');
  const swap = readObject(nodeInfo?.swap, 'status.nodeInfo.swap');
  return (readNumber(swap?.capacity, 'status.nodeInfo.swap.capacity') ?? 0) > 0;
}

function readNameAndLabels(object: Readonly<Record<string, unknown>>): {
  readonly name: string;
  readonly labels: Labels;
} {
  const { name, labels } = readMetadata(object);
  return { name, labels };
}

interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
}

function readMetadata(object: Readonly<Record<string, unknown>>): Metadata {
  const metadata = readRequiredObject(object.metadata, 'metadata');
  const name = readTextOrEmpty(metadata.name, 'metadata.name');
  if (name === '') throw new InvalidObject('metadata.name', 'must be set');
  const namespace = readTextOrEmpty(metadata.namespace, 'metadata.namespace');
  return {
    name,
    namespace: namespace === '' ? DEFAULT_NAMESPACE : namespace,
    labels: readTexts(metadata.labels, 'metadata.labels'),
  };
}
