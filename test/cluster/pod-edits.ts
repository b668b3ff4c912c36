// Pods of several shapes, and what somebody may do to one as it is stored.

export interface ContainerJson {
  name: string;
  resources?: object;
  resizePolicy?: readonly object[];
  image?: string;
  restartPolicy?: string;
}

export interface SpecJson {
  containers: ContainerJson[];
  initContainers?: ContainerJson[];
  tolerations?: readonly object[];
  [field: string]: unknown;
}

export interface PodJson {
  metadata: object;
  readonly spec: SpecJson;
  [field: string]: unknown;
}

const REQUESTS = { cpu: '100m', memory: '64Mi' };
const SIZED = { requests: REQUESTS, limits: { cpu: '1', memory: '128Mi' } };
const sized = (cpu: string): object => ({ ...SIZED, requests: { ...REQUESTS, cpu } });

export const BOTH_POLICIES = [
  { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  { resourceName: 'memory', restartPolicy: 'NotRequired' },
];

/** A container with requests and limits. */
export function container(name: string, more: object = {}): ContainerJson {
  return { name, image: 'a', resources: SIZED, ...more };
}

// Nearly as many as podrail reads; a pod with more cannot be created beside it.
const MANY = 400;

/** Specs by the names of their pods. */
export const SPECS: Readonly<Record<string, SpecJson>> = {
  web: { containers: [container('app', { resizePolicy: BOTH_POLICIES }), container('other')] },
  bare: { containers: [{ name: 'app', image: 'a' }] },
  mesh: {
    initContainers: [container('setup'), container('proxy', { restartPolicy: 'Always' })],
    containers: [container('app')],
  },
  // 1.33 drops what the pod itself sets.
  level: { resources: SIZED, containers: [{ name: 'app', image: 'a' }] },
  gated: { schedulingGates: [{ name: 'example.com/wait' }], containers: [container('app')] },
  windows: { os: { name: 'windows' }, containers: [container('app')] },
  crowd: { containers: Array.from({ length: MANY }, (_, index) => container(`app-${index}`)) },
};

type Edit = (spec: SpecJson, pod: PodJson) => void;

const to = (change: (one: ContainerJson) => void, one: ContainerJson | undefined): void => {
  if (one !== undefined) change(one);
};
const first =
  (change: (one: ContainerJson) => void): Edit =>
  ({ containers }) =>
    to(change, containers[0]);
const metadata =
  (more: object): Edit =>
  (_, pod) => {
    pod.metadata = { ...pod.metadata, ...more };
  };
const field =
  (name: string, value: unknown): Edit =>
  (spec) => {
    spec[name] = value;
  };
const resources = (value: object): Edit => first((one) => void (one.resources = value));

const EDITS: Readonly<Record<string, Edit>> = {
  'more cpu': resources(sized('300m')),
  'the same cpu in other words': resources(sized('0.1')),
  'no resources': first((one) => void delete one.resources),
  'another resource': resources({ limits: { 'example.com/gpu': '1' } }),
  'a claim': resources({ ...SIZED, claims: [{ name: 'gpu' }] }),
  'a quantity that is none': resources({ limits: { cpu: 'two' } }),
  'cpu of the last container': ({ containers }) => to((one) => void (one.resources = sized('300m')), containers.at(-1)),
  'cpu of a sidecar': ({ initContainers }) => to((one) => void (one.resources = sized('300m')), initContainers?.at(-1)),
  'cpu of the pod': field('resources', { requests: { cpu: '2' } }),
  'nothing for the pod': field('resources', undefined),
  'entries in another order': first((one) => void (one.resizePolicy = BOTH_POLICIES.toReversed())),
  'no entries': first((one) => void delete one.resizePolicy),
  'another image': first((one) => void (one.image = 'b')),
  'another name': first((one) => void (one.name = 'renamed')),
  'a container more': ({ containers }) => void containers.push(container('more')),
  'a container less': ({ containers }) => void containers.pop(),
  'containers in another order': ({ containers }) => void containers.reverse(),
  'no init containers': field('initContainers', undefined),
  'an init container more': (spec) => void (spec.initContainers = [...(spec.initContainers ?? []), container('first')]),
  'a label': metadata({ labels: { team: 'blue' } }),
  'an annotation': metadata({ annotations: { team: 'blue' } }),
  'another owner': metadata({ ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: '1' }] }),
  'a finalizer': metadata({ finalizers: ['example.com/keep'] }),
  'a toleration': (spec) =>
    void (spec.tolerations = [...(spec.tolerations ?? []), { key: 'spot', operator: 'Exists' }]),
  'a deadline': field('activeDeadlineSeconds', 60),
  'no scheduling gate': field('schedulingGates', undefined),
  'an overhead': field('overhead', { cpu: '1' }),
  'a status': (_, pod) => void (pod['status'] = { phase: 'Failed' }),
};

/** Their names, as words for what they change. */
export const EDIT_NAMES: readonly string[] = Object.keys(EDITS);

/** A copy of the pod, edited. */
export function edited(pod: PodJson, edits: readonly string[]): PodJson {
  const copy = structuredClone(pod);
  for (const name of edits) EDITS[name]?.(copy.spec, copy);
  return copy;
}
