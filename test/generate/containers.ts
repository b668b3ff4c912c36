// Containers for generated tests: images, resources, resizePolicy, restartPolicy, probes.
import fc from 'fast-check';
import type { Wildness } from './quantities.ts';
import { resources, type ResourcesJson } from './resources.ts';

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

const PROBE = {
  exec: { command: ['true'] },
  periodSeconds: 10,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 3,
};
/** The claim that containers with `resources.claims` use. */
export const CLAIM = 'device';

/** The fields that are set, since JSON knows no undefined. */
type Present<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Without the fields that are undefined. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;
}

/** The rest of an object. */
export function without<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  name: Name,
): Omit<Fields, Name> {
  const { [name]: _, ...rest } = fields;
  return rest;
}

/** Most of the time absent. */
export function rarely<T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
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

/** What only a sidecar may have, which is refused on a plain init container, and what only a sidecar has use for. */
function hooks(wildness: Wildness): fc.Arbitrary<object> {
  const probe = fc.constantFrom({ startupProbe: PROBE }, { readinessProbe: PROBE }, { livenessProbe: PROBE });
  return fc.oneof(
    { weight: wildness === 'calm' ? 20 : 8, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.oneof({ weight: 3, arbitrary: probe }, fc.constant({ ports: [{ containerPort: 8080 }] })),
    },
  );
}

/** A container without its name; `list` is the one that it stands in. */
export function container(list: 'main' | 'init', wildness: Wildness): fc.Arbitrary<Omit<ContainerJson, 'name'>> {
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

/** The container without what Kubernetes refuses in its place: restarts where none may be, probes of what is no sidecar. */
export function sound(podRestartPolicy: string | undefined, list: 'main' | 'init', own: ContainerJson): ContainerJson {
  const isInit = list === 'init' && own.restartPolicy !== 'Always';
  const { startupProbe: _s, readinessProbe: _r, livenessProbe: _l, ...others } = own as ContainerJson & Probes;
  const container = isInit ? others : own;
  if (own.resizePolicy === undefined || (podRestartPolicy !== 'Never' && !isInit)) return container;
  return { ...container, resizePolicy: own.resizePolicy.map((one) => ({ ...one, restartPolicy: 'NotRequired' })) };
}

interface Probes {
  readonly startupProbe?: unknown;
  readonly readinessProbe?: unknown;
  readonly livenessProbe?: unknown;
}
