// The pods that a manifest stands for: the pod itself, or the one that a controller would make of a template.
import { isMap, type JsonObject, NO_FIELDS } from '../model/json-fields.ts';
import type { Requester } from '../rules/facts.ts';

/** A pod as the API server would get it, and where in the manifest it is written. */
export interface Workload {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** From the document's root to where `spec` of the pod stands: `spec`, `template`. */
  readonly path: readonly (string | number)[];
  readonly pod: unknown;
  /** Who creates the pod; undefined when it is whoever applies the manifest. */
  readonly controller: Requester | undefined;
}

interface WorkloadKind {
  /** API groups that have had this kind; others may have one of the same name. */
  readonly groups: readonly string[];
  readonly path: readonly string[];
  /** The owner of the pods it makes, and the controller that makes them. */
  readonly owner?: { readonly apiVersion: string; readonly kind: string };
  readonly controller?: Requester;
  /** Makes the name of a pod out of its own name. */
  readonly numbersPods?: true;
}

const CORE = [''];
const APPS = ['apps', 'extensions'];
const TEMPLATE = ['spec', 'template'];

const KINDS: Readonly<Record<string, WorkloadKind>> = {
  Pod: { groups: CORE, path: [] },
  PodTemplate: { groups: CORE, path: ['template'] },
  ReplicationController: { groups: CORE, path: TEMPLATE, controller: controllerAccount('replication-controller') },
  Deployment: {
    groups: APPS,
    path: TEMPLATE,
    controller: controllerAccount('replicaset-controller'),
    owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  },
  ReplicaSet: { groups: APPS, path: TEMPLATE, controller: controllerAccount('replicaset-controller') },
  StatefulSet: {
    groups: APPS,
    path: TEMPLATE,
    controller: controllerAccount('statefulset-controller'),
    numbersPods: true,
  },
  DaemonSet: { groups: APPS, path: TEMPLATE, controller: controllerAccount('daemon-set-controller') },
  Job: { groups: ['batch'], path: TEMPLATE, controller: controllerAccount('job-controller') },
  CronJob: {
    groups: ['batch'],
    path: ['spec', 'jobTemplate', 'spec', 'template'],
    controller: controllerAccount('job-controller'),
    owner: { apiVersion: 'batch/v1', kind: 'Job' },
  },
};

// Service accounts of kube-controller-manager, which runs with one for each controller.
function controllerAccount(name: string): Requester {
  return {
    name: `system:serviceaccount:kube-system:${name}`,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  };
}

/** Whether a document of this kind can hold pods: a workload, or a list of anything. */
export function mayHoldPods(kind: unknown): boolean {
  return typeof kind === 'string' && (Object.hasOwn(KINDS, kind) || kind.endsWith('List'));
}

export interface Workloads {
  readonly workloads: readonly Workload[];
  /** How many objects there were that stand for no pod. */
  readonly others: number;
}

/** The pods of one document: an object, a `List`, or the list of one kind (`PodList`). `namespace` is that of what names none. */
export function readWorkloads(document: unknown, namespace: string): Workloads {
  const workloads: Workload[] = [];
  let others = 0;
  for (const { object, path } of objectsOf(document, [], undefined)) {
    const workload = toWorkload(object, path, namespace);
    if (workload === undefined) others++;
    else workloads.push(workload);
  }
  return { workloads, others };
}

interface ObjectAt {
  readonly object: unknown;
  readonly path: Workload['path'];
}

// The lists of the API server leave out what every item is.
function* objectsOf(value: unknown, path: Workload['path'], of: JsonObject | undefined): Iterable<ObjectAt> {
  const object = isMap(value) && of !== undefined ? { ...of, ...value } : value;
  const items = isMap(object) ? object['items'] : undefined;
  // A list of nothing is an object all the same.
  if (!isMap(object) || !Array.isArray(items) || items.length === 0 || !isListKind(object['kind'])) {
    yield { object, path };
    return;
  }
  const kind = object['kind'].slice(0, -'List'.length);
  const common = kind === '' ? undefined : { apiVersion: object['apiVersion'], kind };
  for (const [index, item] of items.entries()) yield* objectsOf(item, [...path, 'items', index], common);
}

function isListKind(kind: unknown): kind is string {
  return typeof kind === 'string' && kind.endsWith('List');
}

function toWorkload(object: unknown, path: Workload['path'], namespace: string): Workload | undefined {
  if (!isMap(object)) return undefined;
  const known = kindOf(object);
  if (known === undefined) return undefined;
  const metadata = isMap(object['metadata']) ? object['metadata'] : NO_FIELDS;
  const kind = String(object['kind']);
  const name = textOf(metadata['name']) || textOf(metadata['generateName']);
  const home = textOf(metadata['namespace']) || namespace;
  const pod = toPod(object, known, { kind, name }, home);
  return { kind, name, namespace: home, path: [...path, ...known.path], pod, controller: known.controller };
}

function kindOf(object: JsonObject): WorkloadKind | undefined {
  const kind = textOf(object['kind']);
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  return known?.groups.includes(groupOf(object['apiVersion'])) ? known : undefined;
}

/** The API group of an object: empty for the core group and where nothing is said. */
function groupOf(apiVersion: unknown): string {
  const text = typeof apiVersion === 'string' ? apiVersion : '';
  return text.includes('/') ? text.slice(0, text.indexOf('/')) : '';
}

// A pod's own status counts for nothing on a create, and so do its managed fields.
function toPod(
  object: JsonObject,
  kind: WorkloadKind,
  own: Pick<Workload, 'kind' | 'name'>,
  namespace: string,
): unknown {
  const written = kind.path.reduce<unknown>((inner, step) => (isMap(inner) ? inner[step] : undefined), object);
  if (!isMap(written)) return written;
  const { metadata } = written;
  if (metadata !== undefined && metadata !== null && !isMap(metadata)) return { metadata, spec: written['spec'] };
  const { managedFields: _dropped, ...kept } = metadata ?? {};
  return { metadata: { ...kept, namespace, ...identityOf(object, kind, own) }, spec: written['spec'] };
}

// What a controller adds to the metadata of its template.
function identityOf(
  object: JsonObject,
  kind: WorkloadKind,
  { kind: ownKind, name }: Pick<Workload, 'kind' | 'name'>,
): object {
  if (kind.controller === undefined) return {};
  const owner = kind.owner ?? { apiVersion: object['apiVersion'], kind: ownKind };
  return {
    ...(kind.numbersPods ? { name: `${name}-0` } : { generateName: `${name}-` }),
    ownerReferences: [{ ...owner, name, controller: true }],
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
