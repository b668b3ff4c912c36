// Pods and patches, made by chance from a fixed seed: a line of JSON each, for main.go.
//
//   node make-cases.ts | go run -modfile=../../cluster/kubernetes/1.37/go.mod . > vectors.jsonl
import fc from 'fast-check';

const NAMES = ['app', 'proxy', 'log'];
const amounts = fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2', '500m'), { maxKeys: 2 });
const amountsOrNull = fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2', null), { maxKeys: 2 });
const policy = fc.array(
  fc.record({ resourceName: fc.constantFrom('cpu', 'memory'), restartPolicy: fc.constant('NotRequired') }),
  {
    maxLength: 2,
  },
);
const port = fc.record({ containerPort: fc.constantFrom(80, 443), protocol: fc.constantFrom('TCP', 'UDP') });

const container = (name: string) =>
  fc.record(
    {
      name: fc.constant(name),
      image: fc.constantFrom('a', 'b'),
      resources: fc.record({ requests: amounts, limits: amounts }, { requiredKeys: [] }),
      resizePolicy: policy,
      ports: fc.array(port, { maxLength: 2 }),
      args: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    },
    { requiredKeys: ['name'] },
  );

const containers = fc.shuffledSubarray(NAMES, { minLength: 1 }).chain((names) => fc.tuple(...names.map(container)));
const pod = fc.record({
  apiVersion: fc.constant('v1'),
  kind: fc.constant('Pod'),
  metadata: fc.record({ name: fc.constant('web'), labels: fc.constantFrom({}, { a: '1' }) }),
  spec: fc.record({ containers, initContainers: containers }, { requiredKeys: ['containers'] }),
});

const resources = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ requests: amountsOrNull, limits: fc.option(amountsOrNull) }, { requiredKeys: [] }),
  },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: amounts.map((limits) => ({ $patch: 'replace', limits })) },
  { weight: 1, arbitrary: fc.constant({ $patch: 'delete' }) },
);
const patchedContainer = (name: string) =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record(
        {
          name: fc.constant(name),
          image: fc.constantFrom('c', null),
          resources,
          resizePolicy: fc.option(policy),
          ports: fc.array(port, { maxLength: 2 }),
        },
        { requiredKeys: ['name'] },
      ),
    },
    { weight: 1, arbitrary: fc.constant({ $patch: 'delete', name }) },
    { weight: 1, arbitrary: fc.constant({ $patch: 'replace' }) },
    { weight: 1, arbitrary: fc.constant({ image: 'without a name' }) },
  );
const patchedList = fc
  .shuffledSubarray([...NAMES, 'other'], { minLength: 1, maxLength: 3 })
  .chain((names) => fc.tuple(...names.map(patchedContainer)));
const order = fc
  .shuffledSubarray([...NAMES, 'other'], { minLength: 1 })
  .map((names) => names.map((name) => ({ name })));
const strategic = fc.record({
  spec: fc.record(
    { containers: patchedList, initContainers: fc.option(patchedList), '$setElementOrder/containers': order },
    { requiredKeys: ['containers'] },
  ),
});
const ordered = fc.record({ spec: fc.record({ '$setElementOrder/containers': order }) });
const merge = fc.record({
  spec: fc.record({ containers: patchedList, resources: fc.option(resources) }, { requiredKeys: [] }),
});

const pointer = fc.constantFrom(
  '/spec/containers/0/resources',
  '/spec/containers/0/resources/limits',
  '/spec/containers/0/resources/limits/cpu',
  '/spec/containers/-1/image',
  '/spec/containers/1/image',
  '/spec/containers/0',
  '/spec/containers/-',
  '/spec/containers/-1',
  '/spec/nothing/there',
  '/metadata/labels/a~1b',
);
const value = fc.constantFrom('1', { cpu: '1' }, { limits: { cpu: '2' } }, 'a', null);
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value }),
  fc.record({ op: fc.constant('remove'), path: pointer }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }),
);
const json = fc.array(operation, { minLength: 1, maxLength: 2 });

const SEED = { seed: 20261130 };
const cases = [
  ...fc.sample(
    fc.record({ type: fc.constant('strategic'), pod, patch: fc.oneof({ weight: 9, arbitrary: strategic }, ordered) }),
    { ...SEED, numRuns: 150 },
  ),
  ...fc.sample(fc.record({ type: fc.constant('merge'), pod, patch: merge }), { ...SEED, numRuns: 30 }),
  ...fc.sample(fc.record({ type: fc.constant('json'), pod, patch: json }), { ...SEED, numRuns: 120 }),
];
for (const one of cases) process.stdout.write(`${JSON.stringify(one)}\n`);
