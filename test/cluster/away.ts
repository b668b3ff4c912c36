// What a tenant meets when podrail is away: three namespaces, each with a registration of its own, and the same two requests
// in each of them.
import type { Cluster } from './cluster.ts';
import type { Person, Said } from './people.ts';
import { untilRegistered } from './podrail.ts';
import { TENANT_RIGHTS } from './tenant-rights.ts';
import { webhookConfigurations } from './webhooks.ts';

/** The namespaces and what podrail is registered with in each: its own failure policies, or one for every entry. */
export const REGISTRATIONS = { shipped: undefined, ignored: 'Ignore', failed: 'Fail' } as const;

export type Registration = keyof typeof REGISTRATIONS;

export const NAMESPACES = Object.keys(REGISTRATIONS) as readonly Registration[];

/** The most that `BOUNDS` lets a container have, what `web` has, and what is asked for it. */
export const [MOST_CPU, LITTLE_CPU, MUCH_CPU] = ['500m', '100m', '700m'];

/** A tenant's bound, as a guardrail. */
export const BOUNDS = JSON.stringify({
  apiVersion: 'podrail.dev/v1alpha1',
  kind: 'Guardrail',
  metadata: { name: 'bounds' },
  spec: { mode: 'enforce', rules: { 'container-size': { max: { cpu: MOST_CPU } } } },
});

/** How long the API server waits for an answer of each entry, in seconds, as manifests/base/webhooks.yaml has it. */
export const TIMEOUT_SECONDS = 5;

interface Configuration {
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly object[];
}

/** Makes the namespaces, lets the tenant work there, and puts a pod `web` into each. */
export async function settle({ admin }: Cluster): Promise<void> {
  for (const namespace of NAMESPACES) {
    await admin.must(`kubectl create namespace ${namespace}`);
    await admin.must(`kubectl create serviceaccount default --namespace ${namespace}`);
    await admin.must(`kubectl apply --namespace ${namespace} -f -`, JSON.stringify(TENANT_RIGHTS));
    await admin.must(`kubectl create --namespace ${namespace} -f -`, podOf('web'));
  }
}

/** Registers what answers at `url`, once in each namespace, and waits until the API server has heard of it. */
export async function registerInEach({ admin }: Cluster, url: string, ca: string): Promise<void> {
  const { items } = webhookConfigurations(url, ca) as { readonly items: readonly Configuration[] };
  const registered = Object.entries(REGISTRATIONS).flatMap(([namespace, failurePolicy]) =>
    items.map((configuration) => ({
      ...configuration,
      metadata: { name: `podrail-${namespace}` },
      webhooks: configuration.webhooks.map((webhook) => ({
        ...webhook,
        ...(failurePolicy === undefined ? {} : { failurePolicy }),
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      })),
    })),
  );
  await admin.must('kubectl apply -f -', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: registered }));
  for (const namespace of NAMESPACES) await untilRegistered(admin, namespace);
}

export interface Outcome {
  /** What kubectl said of a new pod, and of a resize to more than `BOUNDS` allows. */
  readonly create: Said;
  readonly resize: Said;
  /** The new pod as it is stored, and the cpu that `web` has afterwards. */
  readonly stored: 'nothing' | 'as sent' | 'injected';
  readonly cpu: string;
}

/** Lets the tenant create a pod and resize another in each namespace, with the same result each time it is called. */
export async function tryInEach({ admin, tenant }: Cluster): Promise<Readonly<Record<Registration, Outcome>>> {
  const outcomes = await Promise.all(NAMESPACES.map((namespace) => tryIn(namespace, admin, tenant)));
  return Object.fromEntries(NAMESPACES.map((name, index) => [name, outcomes[index]])) as Record<Registration, Outcome>;
}

async function tryIn(namespace: string, admin: Person, tenant: Person): Promise<Outcome> {
  const within = `--namespace ${namespace}`;
  const create = await tenant.run(`kubectl create ${within} -f -`, podOf('new'));
  const found = await admin.must(`kubectl get pod new ${within} --ignore-not-found --output json`);
  const stored = found === '' ? 'nothing' : found.includes('"resizePolicy"') ? 'injected' : 'as sent';
  const resize = await tenant.run(`kubectl patch pod web ${within} --subresource resize --patch '${toCpu(MUCH_CPU)}'`);
  const cpu = await admin.must(
    `kubectl get pod web ${within} --output jsonpath={.spec.containers[0].resources.requests.cpu}`,
  );
  await admin.must(`kubectl delete pod new ${within} --ignore-not-found --grace-period=0 --force`);
  return { create, resize, stored, cpu };
}

/** Gives the `web` of a namespace its little cpu back. Throws when podrail is away and `Fail` says so. */
export async function resizeLittle({ admin }: Cluster, namespace: Registration): Promise<void> {
  const patch = toCpu(LITTLE_CPU);
  await admin.must(`kubectl patch pod web --namespace ${namespace} --subresource resize --patch '${patch}'`);
}

export function podOf(name: string): string {
  const container = { name: 'app', image: 'app', resources: { requests: { cpu: LITTLE_CPU } } };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [container] } });
}

function toCpu(cpu: string): string {
  return JSON.stringify({ spec: { containers: [{ name: 'app', resources: { requests: { cpu } } }] } });
}
