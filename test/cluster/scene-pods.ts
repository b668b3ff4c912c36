// The pods of a scene as they are sent, and what is asked of one of them: its value that just reaches a bound.
import type { ClusterView } from '../../src/admission/cluster-view.ts';
import { canResizePodLevel, parseKubernetesVersion } from '../../src/model/kubernetes-version.ts';
import { desiredRequests } from '../../src/model/pod-requests.ts';
import { parseQuantity, quantityOf, toText } from '../../src/model/quantity.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { remaining, type Resources } from '../../src/model/resources.ts';
import type { AllocatedResources } from './kubelet.ts';
import type { NodePod, RunningContainer, RunningPod } from './node-pods.ts';
import type { Aim, Amounts, ContainerShape, PodLevelShape, PodShape } from './scenes.ts';

type Entries = Readonly<Record<string, string>>;
type Resource = Aim['resource'];

/** A pod that is bound to the node from the start, and needs nothing but its containers. */
export function toPod(shape: PodShape, name: string, node: string): object {
  const { initContainers, overhead, podLevel, isGuaranteed } = shape;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      nodeName: node,
      automountServiceAccountToken: false,
      containers: shape.containers.map((own, index) => toContainer(own, `main-${index}`, isGuaranteed)),
      initContainers: initContainers.map((own, index) => ({
        ...toContainer(own, `init-${index}`, isGuaranteed),
        ...(own.isSidecar && { restartPolicy: 'Always' }),
      })),
      overhead: toEntries(overhead),
      ...(podLevel && !isGuaranteed && { resources: toResources(podLevel) }),
    },
  };
}

function toContainer({ requests, isLimited }: ContainerShape, name: string, isGuaranteed: boolean): object {
  const { cpu, memory } = requests;
  // Zero is none, of which nothing is guaranteed.
  const entries = toEntries(isGuaranteed ? { cpu: cpu || 10, memory: memory || 16 } : requests);
  const limits = (isLimited || isGuaranteed) && { limits: entries };
  return { name, image: name, resources: { requests: entries, ...limits } };
}

function toResources({ requests, isLimited }: PodLevelShape): AllocatedResources {
  const entries = toEntries(requests);
  return { requests: entries, ...(isLimited && { limits: entries }) };
}

function toEntries({ cpu, memory }: Amounts): Entries {
  return { ...(cpu !== undefined && { cpu: `${cpu}m` }), ...(memory !== undefined && { memory: `${memory}Mi` }) };
}

/** What a node has, and what of it no other pod holds: podrail's own view, which only serves to aim. */
export interface Room {
  readonly allocatable: Resources;
  readonly free: Resources;
}

export function roomFor(pod: RunningPod, node: string, view: ClusterView, minor: string): Room {
  const known = view.node(node, readPod(pod));
  if (known === undefined) throw new Error(`podrail does not know ${node}`);
  return { allocatable: known.allocatable, free: remaining(known.allocatable, known.heldByOthers(versionOf(minor))) };
}

/** The pod as it is sent to be resized. */
export function askedPod(aim: Aim, { pod, allocation }: NodePod, room: Room, minor: string): RunningPod {
  const { containers, initContainers = [], resources } = pod.spec;
  const edited = (edit: (container: RunningContainer) => RunningContainer, podLevel = resources): RunningPod => ({
    ...pod,
    spec: {
      ...pod.spec,
      containers: containers.map(edit),
      initContainers: initContainers.map(edit),
      ...(podLevel && { resources: podLevel }),
    },
  });
  if (aim.at === 'allocated') {
    const { ContainerResources, PodLevelResources } = allocation ?? {};
    const back = (one: RunningContainer): RunningContainer => ({
      ...one,
      resources: ContainerResources?.[one.name] ?? one.resources,
    });
    return edited(back, PodLevelResources ?? resources);
  }
  const toAim = (own: AllocatedResources): AllocatedResources => aimed(aim, own, pod, room, minor);
  if (aim.isPodLevel && resources && canResizePodLevel(versionOf(minor))) return edited((one) => one, toAim(resources));
  const all = [...containers, ...initContainers];
  const target = all[aim.container % all.length];
  return edited((one) => (one === target ? { ...one, resources: toAim(one.resources) } : one));
}

function aimed(aim: Aim, own: AllocatedResources, pod: RunningPod, room: Room, minor: string): AllocatedResources {
  const text = aim.at === 'value' ? plainText(aim) : reaching(aim, own, pod, room, minor);
  const requests = { ...own.requests, [aim.resource]: text };
  if (own.limits?.[aim.resource] === undefined) return { ...own, requests };
  return { requests, limits: { ...own.limits, [aim.resource]: text } };
}

function plainText({ resource, value }: Aim): string {
  return resource === 'cpu' ? `${value}m` : `${value}Mi`;
}

// Exact where the container is part of the largest sum; elsewhere just another value.
function reaching(
  { at, resource, step }: Aim,
  own: AllocatedResources,
  pod: RunningPod,
  room: Room,
  minor: string,
): string {
  const bound = (at === 'free' ? room.free : room.allocatable).get(resource)?.nanos ?? 0n;
  const sum = desiredRequests(readPod(pod), versionOf(minor)).get(resource)?.nanos ?? 0n;
  const nanos = parseQuantity(own.requests?.[resource] ?? '0').nanos + bound - sum + BigInt(step) * SMALLEST[resource];
  return toText(quantityOf(nanos < 0n ? 0n : nanos, resource === 'cpu' ? 'decimal' : 'binary'));
}

/** A millicore, a byte, in nanos. */
const SMALLEST: Readonly<Record<Resource, bigint>> = { cpu: 1_000_000n, memory: 1_000_000_000n };

export function versionOf(minor: string): NonNullable<ReturnType<typeof parseKubernetesVersion>> {
  const version = parseKubernetesVersion(minor);
  if (version === undefined) throw new Error(`no version: ${minor}`);
  return version;
}
