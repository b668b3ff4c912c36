// The bodies that both servers get: pods of a chosen size as the API server sends them, with managedFields and status.

const MANAGED_FIELDS = {
  manager: 'kube-controller-manager',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-09-18T07:12:31Z',
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:metadata': {
      'f:labels': { '.': {}, 'f:app.kubernetes.io/name': {}, 'f:pod-template-hash': {} },
      'f:ownerReferences': {},
    },
    'f:spec': {
      'f:containers': {
        'k:{"name":"app"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': { '.': {}, 'f:requests': {} } },
      },
      'f:dnsPolicy': {},
      'f:restartPolicy': {},
      'f:terminationGracePeriodSeconds': {},
    },
  },
};

interface Sizes {
  /** Roughly how many bytes one pod has as JSON. */
  readonly bytes: number;
  readonly cpu: string;
  readonly resizePolicy: boolean;
  readonly status: boolean;
  /** A pod of one container, for a resize of two pods in 6 KB; otherwise two containers and a sidecar. */
  readonly isSmall: boolean;
}

function container(name: string, cpu: string, resizePolicy: boolean): Record<string, unknown> {
  return {
    name,
    image: `registry.example.com/team/${name}:1.14.2`,
    imagePullPolicy: 'IfNotPresent',
    ports: [{ containerPort: 8080, protocol: 'TCP', name: 'http' }],
    resources: { requests: { cpu, memory: '256Mi' }, limits: { cpu: '1', memory: '512Mi' } },
    ...(resizePolicy
      ? {
          resizePolicy: [
            { resourceName: 'cpu', restartPolicy: 'NotRequired' },
            { resourceName: 'memory', restartPolicy: 'NotRequired' },
          ],
        }
      : {}),
    readinessProbe: {
      httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' },
      periodSeconds: 10,
      timeoutSeconds: 1,
      successThreshold: 1,
      failureThreshold: 3,
    },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    volumeMounts: [
      { name: 'kube-api-access-x7k2p', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
    ],
  };
}

function pod({ bytes, cpu, resizePolicy, status, isSmall }: Sizes): Record<string, unknown> {
  const env: unknown[] = [];
  const managedFields: unknown[] = [MANAGED_FIELDS];
  const made = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-6c9f8d7b5-def01',
      namespace: 'team-blue',
      uid: '67f1bdfe-e693-4dec-a7b3-fa7a9a7cfbe4',
      labels: { 'app.kubernetes.io/name': 'web', 'pod-template-hash': '6c9f8d7b5' },
      annotations: { 'checksum/config': '3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29' },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-6c9f8d7b5', uid: '37d40086', controller: true },
      ],
      managedFields,
    },
    spec: {
      volumes: [
        {
          name: 'kube-api-access-x7k2p',
          projected: {
            defaultMode: 420,
            sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }],
          },
        },
      ],
      initContainers: isSmall
        ? []
        : [
            {
              ...container('proxy', '100m', resizePolicy),
              restartPolicy: 'Always',
              startupProbe: { httpGet: { path: '/started', port: 8080 } },
            },
          ],
      containers: [
        { ...container('app', cpu, resizePolicy), env },
        ...(isSmall ? [] : [container('metrics', '50m', resizePolicy)]),
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      nodeName: 'worker-1',
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    },
    ...(status ? { status: isSmall ? statusOf(['app'], []) : statusOf(['app', 'metrics'], ['proxy']) } : {}),
  };
  // A real pod grows by its environment and by the managers of its fields.
  while (JSON.stringify(made).length < bytes) {
    env.push({ name: `SETTING_${env.length}`, value: 'a value of the usual length, with a few words in it' });
    if (env.length % 4 === 0) managedFields.push(MANAGED_FIELDS);
  }
  return made;
}

function statusOf(main: readonly string[], sidecars: readonly string[]): unknown {
  const statuses = (names: readonly string[]): unknown =>
    names.map((name) => ({
      name,
      image: `registry.example.com/team/${name}:1.14.2`,
      ready: true,
      restartCount: 0,
      state: { running: { startedAt: '2026-09-18T07:12:40Z' } },
      resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '1', memory: '512Mi' } },
      allocatedResources: { cpu: '100m', memory: '256Mi' },
    }));
  return {
    phase: 'Running',
    qosClass: 'Burstable',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-09-18T07:12:55Z' }],
    containerStatuses: statuses(main),
    initContainerStatuses: statuses(sidecars),
  };
}

function review(operation: string, more: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: '8412a3ad-0574-471d-ae38-a4eb5341c183',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      requestKind: { group: '', version: 'v1', kind: 'Pod' },
      requestResource: { group: '', version: 'v1', resource: 'pods' },
      name: 'web-6c9f8d7b5-def01',
      namespace: 'team-blue',
      operation,
      userInfo: {
        username: 'system:serviceaccount:kube-system:replicaset-controller',
        groups: ['system:serviceaccounts', 'system:authenticated'],
      },
      dryRun: false,
      ...more,
    },
  });
}

/** `pods` CREATE for `/mutate`: three containers without a resizePolicy, so the answer has a patch. */
export function createBody(bytes: number): string {
  return review('CREATE', {
    object: pod({ bytes: bytes - 700, cpu: '250m', resizePolicy: false, status: false, isSmall: false }),
    oldObject: null,
  });
}

/** `pods/resize` UPDATE for `/validate`: both pods with their status; cpu grows within what the node has. */
export function resizeBody(bytes: number): string {
  const sizes = { bytes: (bytes - 750) / 2, resizePolicy: true, status: true, isSmall: bytes < 20_000 };
  return review('UPDATE', {
    subResource: 'resize',
    object: pod({ ...sizes, cpu: '500m' }),
    oldObject: pod({ ...sizes, cpu: '250m' }),
  });
}

/** The node of these pods, with a neighbour. */
export const CLUSTER: readonly unknown[] = [
  {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'worker-1', labels: { 'kubernetes.io/os': 'linux' } },
    status: { allocatable: { cpu: '3920m', memory: '14Gi' } },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'neighbour', namespace: 'team-green', uid: 'n' },
    spec: {
      nodeName: 'worker-1',
      containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
    },
  },
];

/** One row of every table: a body and where it is sent. */
export interface Cell {
  readonly name: string;
  readonly phase: 'mutate' | 'validate';
  readonly body: string;
}

export const CELLS: readonly Cell[] = [
  { name: 'create 6 KB', phase: 'mutate', body: createBody(6_000) },
  { name: 'resize 6 KB', phase: 'validate', body: resizeBody(6_000) },
  { name: 'create 40 KB', phase: 'mutate', body: createBody(40_000) },
  { name: 'resize 40 KB', phase: 'validate', body: resizeBody(40_000) },
];
