// Scenes for a kubelet: a few pods on one node, and what is asked of them, one after the other. Most of what is asked aims at a
// bound: what is free on the node, or what the node has, and one step to either side.
import fc from 'fast-check';

export interface Scene {
  readonly pods: readonly PodShape[];
  readonly resizes: readonly Aim[];
}

export interface PodShape {
  readonly containers: readonly ContainerShape[];
  readonly initContainers: readonly ContainerShape[];
  readonly overhead: Amounts;
  /** undefined: no `spec.resources`. */
  readonly podLevel: PodLevelShape | undefined;
  /** Whether every container is limited in cpu and memory to what it requests. */
  readonly isGuaranteed: boolean;
}

export interface ContainerShape {
  readonly requests: Amounts;
  /** Whether its limits are its requests. */
  readonly isLimited: boolean;
  readonly isSidecar: boolean;
}

export type PodLevelShape = Omit<ContainerShape, 'isSidecar'>;

/** Millicores and mebibytes. */
export interface Amounts {
  readonly cpu: number | undefined;
  readonly memory: number | undefined;
}

export interface Aim {
  /** Any number: of the pods, and of its containers and init containers, each time the remainder. */
  readonly pod: number;
  readonly container: number;
  /** Whether it is rather the pod's own resources, where it has them and they can be resized. */
  readonly isPodLevel: boolean;
  readonly resource: 'cpu' | 'memory';
  /** So that the pod's sum is what is free, what the node has; so much; as it is allocated. */
  readonly at: 'free' | 'node' | 'value' | 'allocated';
  /** Millicores or bytes beside it. */
  readonly step: number;
  /** Millicores or mebibytes. */
  readonly value: number;
}

// Few enough that values meet. The node has 1000m and 3840Mi.
const CPU = [0, 1, 50, 100, 150, 200, 350];
const MEMORY = [0, 1, 64, 256, 512, 900];

const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: fc.constant(undefined) });

const amounts: fc.Arbitrary<Amounts> = fc.record({
  cpu: sometimes(fc.constantFrom(...CPU)),
  memory: sometimes(fc.constantFrom(...MEMORY)),
});
const container: fc.Arbitrary<ContainerShape> = fc.record({
  requests: amounts,
  isLimited: fc.nat(4).map((chance) => chance === 4),
  isSidecar: fc.boolean(),
});
const overhead = fc.record({ cpu: fc.constantFrom(10, 50), memory: fc.constantFrom(1, 32) });

function podShape(hasPodLevel: boolean): fc.Arbitrary<PodShape> {
  const some: fc.Arbitrary<PodLevelShape> = fc.record({
    requests: fc
      .record({ cpu: sometimes(fc.constantFrom(250, 400, 700)), memory: sometimes(fc.constantFrom(512, 1024, 2048)) })
      // Nothing at all is no pod-level resource.
      .filter(({ cpu, memory }) => cpu !== undefined || memory !== undefined),
    isLimited: fc.boolean(),
  });
  return fc.record({
    containers: fc.array(container, { minLength: 1, maxLength: 2 }),
    initContainers: fc.oneof(fc.constant([]), fc.array(container, { maxLength: 3 })),
    overhead: fc.oneof(
      { weight: 3, arbitrary: fc.constant({ cpu: undefined, memory: undefined }) },
      { weight: 1, arbitrary: overhead },
    ),
    isGuaranteed: fc.nat(2).map((chance) => chance === 2),
    podLevel: hasPodLevel
      ? fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some })
      : fc.constant(undefined),
  });
}

const aim: fc.Arbitrary<Aim> = fc.record({
  pod: fc.nat(9),
  container: fc.nat(9),
  isPodLevel: fc.boolean(),
  resource: fc.constantFrom('cpu', 'memory'),
  at: fc.constantFrom('free', 'free', 'free', 'node', 'node', 'value', 'value', 'allocated'),
  step: fc.constantFrom(-1, 0, 0, 1),
  value: fc.constantFrom(...CPU, 700, 5000),
});

/** Scenes; pod-level resources are part of some where the version has them. */
export function scenes(hasPodLevel: boolean): fc.Arbitrary<Scene> {
  return fc.record({
    pods: fc.array(podShape(hasPodLevel), { minLength: 1, maxLength: 4 }),
    resizes: fc.array(aim, { minLength: 1, maxLength: 10, size: 'max' }),
  });
}
