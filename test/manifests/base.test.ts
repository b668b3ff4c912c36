// The manifests agree with one another, with the code they run, and with the image they name.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { SERVER_NAME } from '../../certs/overlay.ts';
import { EXEMPT_NAMESPACES, scopeOf } from '../../src/admission/envelope.ts';
import { DEFAULTS, readConfig } from '../../src/config.ts';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { DEFAULT_LIMITS } from '../../src/http/limits.ts';
import { type Manifest, readManifestFile, readWebhookConfigurations } from '../../tools/manifests.ts';
import { contextOf, post, reviewOf } from '../admission/reviewing.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const inBase = <Kind>(file: string): Kind => readManifestFile(join(root, 'manifests/base', file))[0] as Kind;

const deployment = inBase<Deployment>('deployment.yaml');
const pod = deployment.spec.template;
const [container] = pod.spec.containers;
const service = inBase<Service>('service.yaml');
const kustomization = parse(read('manifests/base/kustomization.yaml')) as Kustomization;
const { settings, mistakes } = readConfig(read('manifests/base/podrail.yaml'), '/etc/podrail/settings/podrail.yaml');

describe('the manifests', () => {
  it('are YAML without a mistake, and every file is used by a kustomization', () => {
    const files = globSync('manifests/{base,overlays}/**/*.yaml', { cwd: root }).toSorted();
    const used = files
      .filter((file) => file.endsWith('/kustomization.yaml'))
      .flatMap((file) => [
        file,
        ...filesOf(parse(read(file)) as Kustomization).map((name) => join(dirname(file), name)),
      ]);
    assert.deepEqual(
      files,
      used
        .filter((file) => file.endsWith('.yaml'))
        .map(normalize)
        .toSorted(),
    );
    assert.deepEqual(
      files.flatMap((file) =>
        parseAllDocuments(read(file)).flatMap(({ errors, warnings }) => [...errors, ...warnings]),
      ),
      [],
    );
  });

  it('are all in one namespace, which is one of them', () => {
    const all = [...kustomization.resources, '../overlays/cert-manager/certificate.yaml'].flatMap((file) =>
      readManifestFile(join(root, 'manifests/base', file)),
    );
    const isOfCluster = ({ kind }: Manifest): boolean => kind === 'Namespace' || kind.endsWith('WebhookConfiguration');
    assert.deepEqual(
      new Set(all.map((one) => (isOfCluster(one) ? undefined : one.metadata.namespace))),
      new Set([undefined, 'podrail-system']),
    );
    assert.equal(inBase<Manifest>('namespace.yaml').metadata.name, 'podrail-system');
  });

  it('lead from the webhooks over the Service to the port where podrail listens', () => {
    assert.equal(SERVER_NAME, `${service.metadata.name}.${service.metadata.namespace}.svc`);
    assert.deepEqual(service.spec.selector, deployment.spec.selector.matchLabels);
    assert.deepEqual(pod.metadata.labels, deployment.spec.selector.matchLabels);
    assert.deepEqual(
      service.spec.ports.map(({ port, targetPort }) => [port, portOf(targetPort)]),
      [[443, DEFAULTS.listen.port]],
    );
    const { startupProbe, livenessProbe, readinessProbe } = container;
    assert.deepEqual(
      [startupProbe, livenessProbe, readinessProbe].map(({ httpGet: { path, port } }) => [path, portOf(port)]),
      ['/livez', '/livez', '/readyz'].map((path) => [path, DEFAULTS.adminListen.port]),
    );
  });

  it('bring settings without a mistake, and every folder that these name', () => {
    assert.deepEqual(mistakes, []);
    const guardrails = kustomization.configMapGenerator.find(({ name }) => name === 'podrail-guardrails')?.files ?? [];
    assert.deepEqual(
      guardrails.flatMap((file) => readGuardrails(read(`manifests/base/${file}`), file).mistakes),
      [],
    );
    assert.deepEqual(container.args, ['serve', '--config', '/etc/podrail/settings/podrail.yaml']);
    const folders = [dirname(container.args[2] ?? ''), ...(settings.guardrails ?? []), settings.tlsDir];
    assert.deepEqual(
      container.volumeMounts.map(({ mountPath }) => mountPath),
      folders,
    );
    assert.deepEqual(
      container.volumeMounts
        .map((mount) => pod.spec.volumes.find(({ name }) => name === mount.name))
        .map((volume) => volume?.configMap?.name ?? volume?.secret?.secretName),
      [...kustomization.configMapGenerator.map(({ name }) => name), 'podrail-tls'],
    );
  });

  it('give podrail the time that it takes to end', () => {
    const { drainDelayMs, drainTimeoutMs } = DEFAULT_LIMITS;
    assert.ok(pod.spec.terminationGracePeriodSeconds * 1000 > drainDelayMs + drainTimeoutMs);
    // Out of the Service, and known to be, before it stops listening.
    assert.ok(container.readinessProbe.periodSeconds * container.readinessProbe.failureThreshold * 1000 < drainDelayMs);
  });

  it('run the image that the Dockerfile makes, of this version, as its user', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string };
    assert.deepEqual(kustomization.images, [{ name: container.image, newTag: version }]);
    const dockerfile = read('Dockerfile');
    assert.match(
      dockerfile,
      new RegExp(`^USER ${pod.spec.securityContext.runAsUser}:${pod.spec.securityContext.runAsGroup}$`, 'm'),
    );
    assert.match(
      dockerfile,
      new RegExp(`^EXPOSE ${container.ports.map(({ containerPort }) => containerPort).join(' ')}$`, 'm'),
    );
  });

  it('pass by the rules that podrail has for others', () => {
    const own = { apiVersion: 'v1', kind: 'Pod', ...pod, metadata: { ...pod.metadata, name: 'podrail' } };
    for (const phase of ['mutate', 'validate'] as const) {
      const { response, patch } = post(reviewOf({ object: own }), phase, contextOf());
      assert.deepEqual({ ...response, patch }, { uid: response.uid, allowed: true, patch: undefined });
    }
  });

  it('mount no token and bind no role', () => {
    assert.equal(pod.spec.automountServiceAccountToken, false);
    assert.deepEqual(
      kustomization.resources
        .flatMap((file) => readManifestFile(join(root, 'manifests/base', file)))
        .filter(({ apiVersion }) => apiVersion.startsWith('rbac')),
      [],
    );
  });
});

describe('the webhooks', () => {
  const entries = readWebhookConfigurations().flatMap(({ kind, webhooks }) =>
    (webhooks as readonly unknown[] as readonly Entry[]).map((entry) => ({
      phase: kind === 'MutatingWebhookConfiguration' ? '/mutate' : '/validate',
      ...entry,
    })),
  );

  it('are these, and one that is away stops nothing but resizes', () => {
    assert.deepEqual(
      entries.map(({ name, rules, failurePolicy, clientConfig }) => [
        name,
        rules,
        clientConfig.service.path,
        failurePolicy,
      ]),
      [
        ['inject.podrail.dev', ruleFor('pods', 'CREATE'), '/mutate', 'Ignore'],
        ['resize-attempt.podrail.dev', ruleFor('pods/resize', 'UPDATE'), '/mutate', 'Ignore'],
        ['update-attempt.podrail.dev', ruleFor('pods', 'UPDATE'), '/mutate', 'Ignore'],
        ['pods.podrail.dev', ruleFor('pods', 'CREATE'), '/validate', 'Ignore'],
        ['resize.podrail.dev', ruleFor('pods/resize', 'UPDATE'), '/validate', 'Fail'],
      ],
    );
  });

  it('send each phase to its path, and only what podrail judges', () => {
    for (const { phase, clientConfig, rules } of entries) {
      assert.equal(clientConfig.service.path, phase);
      for (const { resources, operations } of rules) {
        const [resource = '', subResource = ''] = resources[0]?.split('/') ?? [];
        assert.notEqual(scopeOf({ resource, subResource, operation: operations[0] ?? '' }), undefined);
      }
    }
  });

  it('say the same of all that does not depend on the entry', () => {
    const common = entries.map(
      ({ namespaceSelector, timeoutSeconds, matchPolicy, sideEffects, admissionReviewVersions }) => ({
        namespaceSelector,
        timeoutSeconds,
        matchPolicy,
        sideEffects,
        admissionReviewVersions,
      }),
    );
    const values = [...EXEMPT_NAMESPACES, 'podrail-system'];
    const [first] = common;
    assert.deepEqual(first, {
      namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values }] },
      timeoutSeconds: 5,
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    });
    assert.deepEqual(
      common,
      entries.map(() => first),
    );
  });
});

describe('the overlay for cert-manager', () => {
  it('asks for the certificate that the Deployment mounts, and gives its CA to every webhook', () => {
    const certificates = readManifestFile(
      join(root, 'manifests/overlays/cert-manager/certificate.yaml'),
    ) as readonly Certificate[];
    const own = certificates.find(({ spec }) => spec.secretName === 'podrail-tls');
    assert.deepEqual(own?.spec.dnsNames, [SERVER_NAME]);
    const { patches } = parse(read('manifests/overlays/cert-manager/kustomization.yaml')) as {
      readonly patches: readonly { readonly patch: string }[];
    };
    assert.deepEqual(
      patches.map(({ patch }) => parse(patch) as unknown),
      [
        [
          {
            op: 'add',
            path: '/metadata/annotations',
            value: { 'cert-manager.io/inject-ca-from': `${own.metadata.namespace}/${own.metadata.name}` },
          },
        ],
      ],
    );
  });
});

function ruleFor(resource: string, operation: string): readonly unknown[] {
  return [
    { apiGroups: [''], apiVersions: ['v1'], resources: [resource], operations: [operation], scope: 'Namespaced' },
  ];
}

function portOf(name: string): number | undefined {
  return container.ports.find((port) => port.name === name)?.containerPort;
}

/** What a kustomization reads, folders left out. */
function filesOf({
  resources,
  configMapGenerator = [],
}: Pick<Kustomization, 'resources'> & Partial<Kustomization>): readonly string[] {
  return [...resources, ...configMapGenerator.flatMap(({ files }) => files)];
}

interface Entry {
  readonly name: string;
  readonly rules: readonly { readonly resources: readonly string[]; readonly operations: readonly string[] }[];
  readonly clientConfig: { readonly service: { readonly path: string } };
  readonly failurePolicy: string;
  readonly namespaceSelector: unknown;
  readonly timeoutSeconds: number;
  readonly matchPolicy: string;
  readonly sideEffects: string;
  readonly admissionReviewVersions: readonly string[];
}

interface Kustomization {
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly { readonly name: string; readonly files: readonly string[] }[];
  readonly images: unknown;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

interface Deployment extends Manifest {
  readonly spec: {
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly automountServiceAccountToken: boolean;
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
        readonly containers: readonly [
          {
            readonly image: string;
            readonly args: readonly string[];
            readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
            readonly startupProbe: Probe;
            readonly livenessProbe: Probe;
            readonly readinessProbe: Probe;
            readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
          },
        ];
        readonly volumes: readonly {
          readonly name: string;
          readonly configMap?: { readonly name: string };
          readonly secret?: { readonly secretName: string };
        }[];
      };
    };
  };
}

interface Service extends Manifest {
  readonly spec: {
    readonly selector: object;
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
  };
}

interface Certificate extends Manifest {
  readonly spec: { readonly secretName?: string; readonly dnsNames?: readonly string[] };
}
