// The parts of an AdmissionReview that podrail reads: the envelope and, of a pod, what some rule looks at. A rule that
// wants another field adds it here and in model/read-pod.ts; a test holds the two together.
import { entries, fields, list, PRESENCE, QUANTITY, SCALAR, type Shape } from './shape.ts';

const QUANTITIES = entries(QUANTITY);
const REQUIREMENTS = fields({ requests: QUANTITIES, limits: QUANTITIES });

const CONTAINER = fields({
  name: SCALAR,
  image: SCALAR,
  resources: fields({ requests: QUANTITIES, limits: QUANTITIES, claims: list(PRESENCE) }),
  resizePolicy: list(fields({ resourceName: SCALAR, restartPolicy: SCALAR })),
  restartPolicy: SCALAR,
  ports: list(fields({ containerPort: SCALAR, hostPort: SCALAR, protocol: SCALAR })),
  livenessProbe: PRESENCE,
  readinessProbe: PRESENCE,
  startupProbe: PRESENCE,
  lifecycle: fields({ postStart: PRESENCE }),
});

const CONTAINER_STATUS = fields({
  name: SCALAR,
  state: fields({ running: PRESENCE }),
  lastState: fields({ terminated: fields({ reason: SCALAR, finishedAt: SCALAR }) }),
  resources: REQUIREMENTS,
  allocatedResources: QUANTITIES,
});

const METADATA = {
  name: SCALAR,
  generateName: SCALAR,
  namespace: SCALAR,
  uid: SCALAR,
  labels: entries(SCALAR),
  annotations: entries(SCALAR),
  ownerReferences: list(fields({ apiVersion: SCALAR, kind: SCALAR, name: SCALAR, controller: SCALAR })),
};
// Of each entry only who wrote it how and when: the fields it names are most of its text.
const STORED_METADATA = {
  ...METADATA,
  resourceVersion: SCALAR,
  generation: SCALAR,
  managedFields: list(fields({ subresource: SCALAR, time: SCALAR })),
};

const SPEC = fields({
  containers: list(CONTAINER),
  initContainers: list(CONTAINER),
  nodeName: SCALAR,
  os: fields({ name: SCALAR }),
  restartPolicy: SCALAR,
  resources: REQUIREMENTS,
  overhead: QUANTITIES,
  hostNetwork: SCALAR,
});

const STATUS = fields({
  phase: SCALAR,
  qosClass: SCALAR,
  conditions: list(fields({ type: SCALAR, status: SCALAR, reason: SCALAR })),
  containerStatuses: list(CONTAINER_STATUS),
  initContainerStatuses: list(CONTAINER_STATUS),
  resources: REQUIREMENTS,
  allocatedResources: QUANTITIES,
  nodeAllocatableResourceClaimStatuses: list(PRESENCE),
});

// The new pod's own status counts for nothing: a create resets it, and a resize keeps the stored one. Its managed fields
// already have the entry of this very request.
const NEW_POD = fields({ metadata: fields(METADATA), spec: SPEC });
const STORED_POD = fields({ metadata: fields(STORED_METADATA), spec: SPEC, status: STATUS });

export const REVIEW: Shape = fields({
  apiVersion: SCALAR,
  kind: SCALAR,
  request: fields({
    uid: SCALAR,
    kind: fields({ group: SCALAR, version: SCALAR, kind: SCALAR }),
    resource: fields({ group: SCALAR, version: SCALAR, resource: SCALAR }),
    subResource: SCALAR,
    name: SCALAR,
    namespace: SCALAR,
    operation: SCALAR,
    userInfo: fields({ username: SCALAR, groups: list(SCALAR) }),
    object: NEW_POD,
    oldObject: STORED_POD,
    dryRun: SCALAR,
  }),
});
