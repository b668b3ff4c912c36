// Pods for property tests: JSON as the API server would give it, with values small enough to read in a counter-example.
import fc from 'fast-check';

const quantity = fc.constantFrom('0', '1', '100m', '250m', '1500m', '2', '64Mi', '128Mi', '1Gi', '1000', '0.5');
const name = fc.constantFrom('cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'example.com/gpu');
const resourceMap = fc.dictionary(name, quantity, { maxKeys: 3 });
const resources = fc.record({ requests: resourceMap, limits: resourceMap }, { requiredKeys: [] });
const resizePolicy = fc.array(
  fc.record({
    resourceName: fc.constantFrom('cpu', 'memory'),
    restartPolicy: fc.constantFrom('NotRequired', 'RestartContainer'),
  }),
  { maxLength: 2 },
);

const container = fc.record(
  { image: fc.constantFrom('a', 'b'), resources, resizePolicy },
  { requiredKeys: ['resources'] },
);
const initContainer = fc.record(
  { resources, restartPolicy: fc.constantFrom('Always', 'OnFailure') },
  { requiredKeys: ['resources'] },
);

const spec = fc
  .record(
    {
      containers: fc.array(container, { minLength: 1, maxLength: 3 }),
      initContainers: fc.array(initContainer, { maxLength: 4 }),
      resources,
      overhead: resourceMap,
    },
    { requiredKeys: ['containers'] },
  )
  .map(({ containers, initContainers = [], ...rest }) => ({
    ...rest,
    containers: containers.map((json, index) => ({ name: `main-${index}`, ...json })),
    initContainers: initContainers.map((json, index) => ({ name: `init-${index}`, ...json })),
  }));

type SpecJson = typeof spec extends fc.Arbitrary<infer Value> ? Value : never;

export interface PodJson {
  readonly metadata: { readonly name: string };
  readonly spec: SpecJson;
}

/** A pod without status. */
export const podJson: fc.Arbitrary<PodJson> = spec.map((value) => ({ metadata: { name: 'web' }, spec: value }));

/** A pod, and the same pod with other container resources and policies. */
export const resizeJson: fc.Arbitrary<readonly [PodJson, PodJson]> = podJson.chain((pod) =>
  fc
    .record({
      containers: fc.tuple(...pod.spec.containers.map(() => container)),
      initContainers: fc.tuple(...pod.spec.initContainers.map(() => initContainer)),
      podLevel: fc.option(resources, { nil: undefined }),
    })
    .map(({ containers, initContainers, podLevel }): readonly [PodJson, PodJson] => [
      pod,
      {
        ...pod,
        spec: {
          ...pod.spec,
          containers: pod.spec.containers.map((json, index) => ({ ...json, ...containers[index] })),
          initContainers: pod.spec.initContainers.map((json, index) => ({ ...json, ...initContainers[index] })),
          ...(podLevel && { resources: podLevel }),
        },
      },
    ]),
);
