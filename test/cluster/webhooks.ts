// The registration of podrail with an API server: which requests reach it, in which phase, and what happens when it is away.
//
// A rule for `pods` does not match `pods/resize`; each subresource is named. PATCH is no operation of its own: however a
// resize is sent, it is an UPDATE.

interface Entry {
  readonly name: string;
  readonly resource: 'pods' | 'pods/resize';
  readonly operation: 'CREATE' | 'UPDATE';
  readonly failurePolicy: 'Ignore' | 'Fail';
}

// In this order: the API server asks mutating webhooks one after the other, then checks the object itself, then asks the
// validating ones, all at once.
const MUTATING: readonly Entry[] = [
  { name: 'inject.podrail.dev', resource: 'pods', operation: 'CREATE', failurePolicy: 'Ignore' },
  { name: 'resize-attempt.podrail.dev', resource: 'pods/resize', operation: 'UPDATE', failurePolicy: 'Ignore' },
];
const VALIDATING: readonly Entry[] = [
  { name: 'pods.podrail.dev', resource: 'pods', operation: 'CREATE', failurePolicy: 'Ignore' },
  { name: 'resize.podrail.dev', resource: 'pods/resize', operation: 'UPDATE', failurePolicy: 'Fail' },
];

// Where a webhook that is away must never be in the way.
const EXEMPT = ['kube-system', 'kube-node-lease', 'podrail-system'];

/** Both configurations, for a webhook at `url` whose certificate `ca` (PEM) has signed. */
export function webhookConfigurations(url: string, ca: string): Readonly<Record<string, unknown>> {
  const webhook = ({ name, resource, operation, failurePolicy }: Entry, path: string) => ({
    name,
    clientConfig: { url: `${url}${path}`, caBundle: Buffer.from(ca).toString('base64') },
    rules: [
      { apiGroups: [''], apiVersions: ['v1'], resources: [resource], operations: [operation], scope: 'Namespaced' },
    ],
    namespaceSelector: {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: EXEMPT }],
    },
    failurePolicy,
    timeoutSeconds: 5,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  const configuration = (kind: string, webhooks: readonly unknown[]) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'podrail' },
    webhooks,
  });
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      configuration(
        'MutatingWebhookConfiguration',
        // Asked again when a later webhook has added a container.
        MUTATING.map((entry) => ({ ...webhook(entry, '/mutate'), reinvocationPolicy: 'IfNeeded' })),
      ),
      configuration(
        'ValidatingWebhookConfiguration',
        VALIDATING.map((entry) => webhook(entry, '/validate')),
      ),
    ],
  };
}
