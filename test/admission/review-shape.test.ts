// The reader of bodies keeps exactly what the reader of pods looks at: a field that only one of them knows is a mistake.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readJson } from '../../src/admission/read-json.ts';
import { REVIEW } from '../../src/admission/review-shape.ts';
import type { Shape } from '../../src/admission/shape.ts';
import { readPod } from '../../src/model/read-pod.ts';

const RESOURCES = { requests: { cpu: '1' }, limits: { cpu: '1' }, claims: [{ name: 'gpu' }] };
const CONTAINER = {
  name: 'app',
  image: 'app:1',
  resources: RESOURCES,
  resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
  restartPolicy: 'Always',
  ports: [{ containerPort: 1, hostPort: 2, protocol: 'UDP' }],
  livenessProbe: {},
  readinessProbe: {},
  startupProbe: {},
  lifecycle: { postStart: {} },
};
const STATUS = {
  name: 'app',
  state: { running: {} },
  lastState: { terminated: { reason: 'OOMKilled', finishedAt: '2026-11-30T08:59:00Z' } },
  resources: RESOURCES,
  allocatedResources: { cpu: '1' },
};
const POD = {
  metadata: {
    name: 'a',
    generateName: 'a-',
    namespace: 'n',
    uid: 'u',
    labels: { a: 'b' },
    annotations: { a: 'b' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'k', controller: true }],
    managedFields: [{ subresource: 'resize', time: '2026-11-30T08:50:00Z' }],
  },
  spec: {
    containers: [CONTAINER],
    initContainers: [{ ...CONTAINER, name: 'init' }],
    nodeName: 'n1',
    os: { name: 'linux' },
    restartPolicy: 'Always',
    resources: RESOURCES,
    overhead: { cpu: '1' },
    hostNetwork: true,
  },
  status: {
    phase: 'Running',
    qosClass: 'Burstable',
    conditions: [{ type: 'Ready', status: 'True', reason: 'r' }],
    containerStatuses: [STATUS],
    initContainerStatuses: [{ ...STATUS, name: 'init' }],
    resources: RESOURCES,
    allocatedResources: { cpu: '1' },
    nodeAllocatableResourceClaimStatuses: [{}],
  },
};

/** A value that notes every property somebody reads of it; places in a list are all `*`. */
function watched(value: unknown, path: string, seen: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key): unknown {
      const inner: unknown = Reflect.get(target, key);
      if (typeof key !== 'string' || typeof inner === 'function' || key === 'length') return inner;
      const at = `${path}.${Array.isArray(target) ? '*' : key}`;
      seen.add(at);
      return watched(inner, at, seen);
    },
  });
}

/** Every path a shape reaches. */
function reach(shape: Shape, path: string): readonly string[] {
  if (shape.kind === 'list') return [`${path}.*`, ...reach(shape.items, `${path}.*`)];
  if (shape.kind !== 'fields') return [];
  return shape.byLength.flat().flatMap((field) => {
    if (field === undefined) return [];
    const at = `${path}.${field.name}`;
    return [at, ...reach(field.shape, at)];
  });
}

// They tell a retry of the API server, and say nothing of the pod.
const OF_THE_ENVELOPE = ['resourceVersion', 'generation'].map((name) => `.request.oldObject.metadata.${name}`);
const REACHED = new Set(reach(REVIEW, ''));

describe('the shape of a review', () => {
  it('reaches every field that a pod is read from, and no field that nobody reads', () => {
    const seen = new Set<string>();
    readPod(watched(POD, '.request.oldObject', seen));
    const isMapEntry = (path: string): boolean =>
      /\.(labels|annotations|requests|limits|overhead|allocatedResources)\.[^.]+$/.test(path);
    const read = [...seen].filter((path) => !isMapEntry(path)).concat(OF_THE_ENVELOPE);
    const reached = [...REACHED].filter((path) => path.startsWith('.request.oldObject.'));
    // Of what is only looked at for being there, nothing inside is read.
    const isInside = (path: string): boolean => /\.(claims|nodeAllocatableResourceClaimStatuses)\.\*$/.test(path);
    assert.deepEqual(read.filter((path) => !isInside(path)).sort(), reached.filter((path) => !isInside(path)).sort());
  });

  it('gives of a stored pod what JSON.parse gives', () => {
    const body = JSON.stringify({ request: { oldObject: POD } });
    const read = readJson(body, REVIEW) as { request: { oldObject: unknown } };
    assert.deepEqual(readPod(read.request.oldObject), readPod(POD));
  });

  it('leaves the status and the managers of the new pod alone: one is the stored one, the others are already its own', () => {
    const body = JSON.stringify({ request: { object: POD } });
    const read = readJson(body, REVIEW) as { request: { object: unknown } };
    const { managedFields: _, ...metadata } = POD.metadata;
    assert.deepEqual(readPod(read.request.object), readPod({ metadata, spec: POD.spec }));
  });
});
