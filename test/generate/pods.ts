// Pods for generated tests, complete enough that a real API server judges nothing but what is of interest here.
import fc from 'fast-check';
import { CLAIM, container, type ContainerJson, present, rarely, sound } from './containers.ts';
import type { Wildness } from './quantities.ts';
import { type Entries, entriesOf, podLevelResources, type ResourcesJson } from './resources.ts';

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

/** Whether containers are rid of what Kubernetes would refuse for another reason than their resources. */
function soundness(wildness: Wildness): fc.Arbitrary<boolean> {
  if (wildness === 'calm') return fc.constant(true);
  return fc.oneof(fc.boolean(), { weight: wildness === 'edges' ? 4 : 1, arbitrary: fc.constant(true) });
}

/** The spec of a pod; init containers and sidecars come in any order. */
function spec({ wildness, podLevel = true, overhead = true }: PodKnobs): fc.Arbitrary<PodSpecJson> {
  const levels = podLevel ? rarely(wildness === 'calm' ? 8 : 3, podLevelResources(wildness)) : fc.constant(undefined);
  return fc
    .record({
      containers: fc.array(container('main', wildness), { minLength: 1, maxLength: MAIN_NAMES.length }),
      initContainers: fc.array(container('init', wildness), { maxLength: INIT_NAMES.length }),
      isTwin: wildness === 'broken' ? fc.integer({ min: 0, max: 30 }).map((n) => n === 30) : fc.constant(false),
      isSound: soundness(wildness),
      restartPolicy: fc.constantFrom('Always', undefined, 'OnFailure', 'Never'),
      resources: levels,
      overhead:
        wildness === 'calm' || !overhead ? fc.constant(undefined) : rarely(6, entriesOf(['cpu', 'memory'], wildness)),
      os:
        wildness === 'calm'
          ? fc.constant(undefined)
          : rarely(25, fc.constantFrom({ name: 'linux' }, { name: 'windows' })),
      nodeName: rarely(2, fc.constant('n1')),
      resourceClaims: rarely(wildness === 'calm' ? 30 : 10, fc.constant([{ name: CLAIM, resourceClaimName: CLAIM }])),
    })
    .map(({ containers, initContainers, isTwin, isSound, ...fields }) => {
      const repair = (list: 'main' | 'init') => (one: ContainerJson) =>
        isSound ? sound(fields.restartPolicy, list, one) : one;
      const main = named(MAIN_NAMES, containers, isTwin).map(repair('main'));
      const init = named(INIT_NAMES, initContainers, isTwin).map(repair('init'));
      const usesClaims = [...main, ...init].some((one) => one.resources?.claims !== undefined);
      return {
        ...present(fields),
        containers: main,
        ...(init.length > 0 && { initContainers: init }),
        // Kubernetes refuses overhead without a runtime class.
        ...(fields.overhead && { runtimeClassName: 'sandbox' }),
        // A claim that no container uses is allowed; the other way round it is not.
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
