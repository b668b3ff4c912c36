// Pods for generated tests, complete enough that a real API server judges nothing but what is of interest here.
import fc from 'fast-check';
import type { Wildness } from './quantities.ts';
import { type Entries, entriesOf, podLevelResources, resources, type ResourcesJson } from './resources.ts';

export interface ResizePolicyJson {
  readonly resourceName: string;
  readonly restartPolicy: string;
}

export interface ContainerJson {
  readonly name: string;
  readonly image: string;
  readonly resources?: ResourcesJson;
  readonly resizePolicy?: readonly ResizePolicyJson[];
  readonly restartPolicy?: string;
}

export interface PodSpecJson {
  readonly containers: readonly ContainerJson[];
  readonly initContainers?: readonly ContainerJson[];
  readonly restartPolicy?: string;
  readonly resources?: ResourcesJson;
  readonly overhead?: Entries;
  readonly nodeName?: string;
}

export interface PodJson {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: { readonly name: string; readonly namespace: string; readonly [other: string]: unknown };
  readonly spec: PodSpecJson;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface PodKnobs {
  /**
   * `calm`: what people write; Kubernetes accepts nearly all of it. `edges`: every notation, values at and one step over a
   * bound, all kinds of resources; most are accepted. `broken`: texts that are no quantity, unknown names and policies as well.
   */
  readonly wildness: Wildness;
  /** Whether a pod may have `spec.resources`, which 1.33 drops; by default it may. */
  readonly podLevel?: boolean;
  /** Whether a pod may have overhead, for which a real API server needs the RuntimeClass `sandbox`; by default it may. */
  readonly overhead?: boolean;
}

const PROBE = {
  exec: { command: ['true'] },
  periodSeconds: 10,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 3,
};
const CLAIM = 'device';

/** The rest of an object. */
export function without<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  name: Name,
): Omit<Fields, Name> {
  const { [name]: _, ...rest } = fields;
  return rest;
}

/** Most of the time absent. */
function rarely<T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** A choice that a broken pod gets wrong now and then. */
function oneOrBroken<T>(wildness: Wildness, good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>): fc.Arbitrary<T> {
  if (wildness !== 'broken') return good;
  return fc.oneof({ weight: 7, arbitrary: good }, { weight: 1, arbitrary: bad });
}

/** `resizePolicy`: absent, empty, one entry or two; when broken with entries that Kubernetes refuses. */
export function resizePolicies(wildness: Wildness): fc.Arbitrary<readonly ResizePolicyJson[] | undefined> {
  const policy = fc.constantFrom('NotRequired', 'RestartContainer');
  const entry = (resourceName: string) => policy.map((restartPolicy) => ({ resourceName, restartPolicy }));
  const good: fc.Arbitrary<readonly ResizePolicyJson[] | undefined> = fc.oneof(
    fc.constant(undefined),
    fc.constant([]),
    fc.tuple(entry('cpu')),
    fc.tuple(entry('memory')),
    fc.tuple(entry('cpu'), entry('memory')),
    fc.tuple(entry('memory'), entry('cpu')),
  );
  const bad = fc.array(
    fc.record({
      resourceName: fc.constantFrom('cpu', 'memory', 'ephemeral-storage', 'example.com/gpu', 'CPU', ''),
      restartPolicy: fc.constantFrom('NotRequired', 'RestartContainer', 'restart', ''),
    }),
    { maxLength: 3 },
  );
  return oneOrBroken(wildness, good, bad);
}

/** `restartPolicy` of an init container: a sidecar's about half of the time. */
function initRestartPolicy(wildness: Wildness): fc.Arbitrary<string | undefined> {
  const good = fc.constantFrom('Always', undefined);
  if (wildness === 'calm') return good;
  const other = fc.constantFrom('OnFailure', 'Never', 'Always', undefined);
  return oneOrBroken(wildness, fc.oneof({ weight: 6, arbitrary: good }, other), fc.constantFrom('always', ''));
}

/** What only a sidecar may have; on a plain init container it is refused. */
function hooks(wildness: Wildness): fc.Arbitrary<object> {
  const probe = fc.constantFrom({ startupProbe: PROBE }, { readinessProbe: PROBE }, { livenessProbe: PROBE });
  return fc.oneof(
    { weight: wildness === 'calm' ? 20 : 8, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: probe },
  );
}

function container(list: 'main' | 'init', wildness: Wildness): fc.Arbitrary<Omit<ContainerJson, 'name'>> {
  const restartPolicy =
    list === 'init'
      ? initRestartPolicy(wildness)
      : wildness === 'calm'
        ? fc.constant(undefined)
        : rarely(12, fc.constantFrom('Always', 'OnFailure', 'Never'));
  return fc
    .record({
      resources: resources(wildness),
      resizePolicy: resizePolicies(wildness),
      restartPolicy,
      claims: wildness === 'calm' ? fc.constant(undefined) : rarely(25, fc.constant([{ name: CLAIM }])),
      hooks: list === 'init' ? hooks(wildness) : fc.constant({}),
      unknown: rarely(20, fc.constant({ fieldOfTomorrow: { deep: [1, 'two'] } })),
    })
    .map(({ resources: lists, claims, hooks: own, unknown, ...fields }) => ({
      image: 'registry.example/app:1',
      ...present(fields),
      resources: { ...lists, ...(claims && { claims }) },
      ...own,
      ...unknown,
    }));
}

/** The fields that are set, since JSON knows no undefined. */
type Present<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Without the fields that are undefined. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;
}

const MAIN_NAMES = ['app', 'web', 'worker'];
const INIT_NAMES = ['proxy', 'seed', 'logs', 'migrate'];

/** Now and then two containers have one name, which Kubernetes refuses. */
function named(
  names: readonly string[],
  containers: readonly Omit<ContainerJson, 'name'>[],
  isTwin: boolean,
): readonly ContainerJson[] {
  return containers.map((fields, index) => ({ ...fields, name: names[isTwin ? 0 : index] ?? '' }));
}

/** The spec of a pod; init containers and sidecars come in any order. */
function spec({ wildness, podLevel = true, overhead = true }: PodKnobs): fc.Arbitrary<PodSpecJson> {
  const levels = podLevel ? rarely(wildness === 'calm' ? 8 : 3, podLevelResources(wildness)) : fc.constant(undefined);
  return fc
    .record({
      containers: fc.array(container('main', wildness), { minLength: 1, maxLength: MAIN_NAMES.length }),
      initContainers: fc.array(container('init', wildness), { maxLength: INIT_NAMES.length }),
      isTwin: wildness === 'broken' ? fc.integer({ min: 0, max: 30 }).map((n) => n === 30) : fc.constant(false),
      restartPolicy: fc.constantFrom('Always', undefined, 'OnFailure', 'Never'),
      resources: levels,
      overhead:
        wildness === 'calm' || !overhead ? fc.constant(undefined) : rarely(6, entriesOf(['cpu', 'memory'], wildness)),
      os:
        wildness === 'calm'
          ? fc.constant(undefined)
          : rarely(25, fc.constantFrom({ name: 'linux' }, { name: 'windows' })),
      nodeName: rarely(2, fc.constant('n1')),
    })
    .map(({ containers, initContainers, isTwin, ...fields }) => {
      const main = named(MAIN_NAMES, containers, isTwin);
      const init = named(INIT_NAMES, initContainers, isTwin);
      const usesClaims = [...main, ...init].some((one) => one.resources?.claims !== undefined);
      return {
        ...present(fields),
        containers: main,
        ...(init.length > 0 && { initContainers: init }),
        // Kubernetes refuses overhead without a runtime class.
        ...(fields.overhead && { runtimeClassName: 'sandbox' }),
        ...(usesClaims && { resourceClaims: [{ name: CLAIM, resourceClaimName: CLAIM }] }),
      };
    });
}

/** A pod as it is sent to be created: no status. */
export function podToCreate(knobs: PodKnobs): fc.Arbitrary<PodJson> {
  return spec(knobs).map((own) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'team-blue' },
    spec: own,
  }));
}
