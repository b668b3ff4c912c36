// What would pass in the place of a refused resize does pass, and where several values share a sum, nothing of it is left over.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../src/model/json-fields.ts';
import { applyPatch } from '../../src/trial/apply-patch.ts';
import { asKept } from '../../src/trial/as-sent.ts';
import { type Passing, passingPatch, type ResizePatch } from '../../src/trial/passing-patch.ts';
import { type Trial, tryResize } from '../../src/trial/trial.ts';
import { settingOf } from './guarded.ts';

type Setting = ReturnType<typeof settingOf>;

interface Size {
  readonly cpu: number;
  readonly memory: number;
}
const toAmounts = ({ cpu, memory }: Size) => ({ cpu: `${cpu}m`, memory: `${memory}Mi` });
const NAMES = ['a', 'b', 'c'];

type Kind = 'requests' | 'guaranteed' | 'burstable';
const toResources = (kind: Kind, size: Size): object => {
  const limits = kind === 'guaranteed' ? size : { cpu: size.cpu * 3, memory: size.memory * 3 };
  return { requests: toAmounts(size), ...(kind === 'requests' ? {} : { limits: toAmounts(limits) }) };
};
const podOf = (kind: Kind, sizes: readonly Size[], isSidecar: boolean): JsonObject => {
  const containers = sizes.map((size, index) => ({ name: NAMES[index], resources: toResources(kind, size) }));
  const [first, ...others] = containers;
  const initContainers = isSidecar ? { initContainers: [{ ...first, restartPolicy: 'Always' }] } : {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default' },
    spec: { nodeName: 'n1', ...initContainers, containers: isSidecar ? others : containers },
  };
};

const tryOf = (stored: JsonObject, requested: JsonObject, setting: Setting): { trial: Trial; passing?: Passing } => {
  const trial = tryResize(stored, requested, setting);
  return trial.allowed ? { trial } : { trial, passing: passingPatch(stored, requested, trial, setting) };
};
const isAllowed = (stored: JsonObject, patch: ResizePatch, setting: Setting): boolean =>
  tryResize(stored, applyPatch(asKept(stored, { minor: 37 }), patch, 'strategic'), setting).allowed;

/** All values that the patch sets, with one millicore or Mi more where less than what was asked for was given. */
function withMore(patch: ResizePatch, requested: JsonObject): ResizePatch | undefined {
  let isMore = false;
  const resourcesIn = (pod: JsonObject, list: string, name: unknown): JsonObject => {
    const listed = ((pod['spec'] as JsonObject)[list] ?? []) as readonly JsonObject[];
    return (listed.find((one) => one['name'] === name)?.['resources'] ?? {}) as JsonObject;
  };
  const spec = Object.entries(patch['spec'] as JsonObject).map(([list, containers]) => [
    list,
    (containers as readonly JsonObject[]).map((one) => ({
      ...one,
      resources: Object.fromEntries(
        Object.entries(one['resources'] as JsonObject).map(([key, amounts]) => [
          key,
          Object.fromEntries(
            Object.entries(amounts as Record<string, string>).map(([resource, given]) => {
              const asked = (resourcesIn(requested, list, one['name'])[key] as Record<string, string>)[resource] ?? '';
              const [now, most] = [grades(given), grades(asked)];
              if (now >= most) return [resource, given];
              isMore = true;
              return [resource, resource === 'cpu' ? `${now + 1}m` : `${now + 1}Mi`];
            }),
          ),
        ]),
      ),
    })),
  ]);
  return isMore ? { spec: Object.fromEntries(spec) as JsonObject } : undefined;
}

/** Millicores or Mi. */
function grades(text: string): number {
  if (text.endsWith('Gi')) return Number.parseInt(text, 10) * 1024;
  return text.endsWith('m') || text.endsWith('Mi') ? Number.parseInt(text, 10) : Number(text) * 1000;
}

const size = fc.record({ cpu: fc.integer({ min: 10, max: 2000 }), memory: fc.integer({ min: 16, max: 4096 }) });
const grown = fc.tuple(size, size).map(([from, by]) => ({
  from,
  to: { cpu: from.cpu + by.cpu, memory: from.memory + by.memory },
}));
const pods = fc.record({
  kind: fc.constantFrom<Kind>('requests', 'guaranteed', 'burstable'),
  sizes: fc.array(grown, { minLength: 2, maxLength: 3 }),
  isSidecar: fc.boolean(),
  /** Of what is asked for beyond what is stored, in percent. */
  room: fc.integer({ min: 0, max: 99 }),
  rule: fc.constantFrom('pod-size', 'namespace-budget'),
});

describe('what would pass instead', () => {
  it('passes, and leaves nothing of a sum that several values share', () => {
    fc.assert(
      fc.property(pods, ({ kind, sizes, isSidecar, room, rule }) => {
        const sum = (of: 'from' | 'to', resource: keyof Size): number =>
          sizes.map((one) => one[of][resource]).reduce((a, b) => a + b);
        const bound = (resource: keyof Size): number =>
          Math.floor(sum('from', resource) + ((sum('to', resource) - sum('from', resource)) * room) / 100);
        const requests = toAmounts({ cpu: bound('cpu'), memory: bound('memory') });
        const setting = settingOf({ [rule]: rule === 'pod-size' ? { max: { requests } } : { requests } });
        const stored = podOf(
          kind,
          sizes.map(({ from }) => from),
          isSidecar,
        );
        const requested = podOf(
          kind,
          sizes.map(({ to }) => to),
          isSidecar,
        );
        const { passing } = tryOf(stored, requested, setting);
        assert.ok(passing !== undefined);
        if (passing.patch === undefined) {
          assert.equal(passing.reason, `${rule} leaves nothing beyond what is stored`);
          assert.ok(
            room * Math.max(...sizes.flatMap(({ from, to }) => [to.cpu - from.cpu, to.memory - from.memory])) < 500,
          );
          return;
        }
        assert.equal(isAllowed(stored, passing.patch, setting), true, JSON.stringify(passing.patch));
        const more = withMore(passing.patch, requested);
        assert.ok(more === undefined || !isAllowed(stored, more, setting), JSON.stringify([passing.patch, more]));
      }),
      { numRuns: 60 },
    );
  });

  const cases: readonly (readonly [title: string, rules: object, asked: readonly Size[], expected: object])[] = [
    [
      'two containers that grow share what a pod may have, in proportion to what they ask for',
      { 'pod-size': { max: { requests: { cpu: '1' } } } },
      [
        { cpu: 1100, memory: 64 },
        { cpu: 600, memory: 64 },
      ],
      { a: { cpu: '600m' }, b: { cpu: '400m' } },
    ],
    [
      'a resource that is not refused is given in full',
      { 'pod-size': { max: { requests: { cpu: '1' } } } },
      [
        { cpu: 1100, memory: 128 },
        { cpu: 600, memory: 64 },
      ],
      { a: { cpu: '600m', memory: '128Mi' }, b: { cpu: '400m' } },
    ],
    [
      'several resources are shared out at once',
      { 'pod-size': { max: { requests: { cpu: '1', memory: '228Mi' } } } },
      [
        { cpu: 1100, memory: 164 },
        { cpu: 600, memory: 164 },
      ],
      { a: { cpu: '600m', memory: '114Mi' }, b: { cpu: '400m', memory: '114Mi' } },
    ],
    [
      'a bound of one container is kept beside one of the sum',
      { 'pod-size': { max: { requests: { cpu: '1' } } }, 'container-size': { max: { cpu: '500m' } } },
      [
        { cpu: 1300, memory: 64 },
        { cpu: 700, memory: 64 },
      ],
      { a: { cpu: '500m' }, b: { cpu: '500m' } },
    ],
    [
      'what shrinks is given in full beside what grows',
      { 'pod-size': { max: { requests: { cpu: '500m' } } } },
      [
        { cpu: 1300, memory: 64 },
        { cpu: 100, memory: 64 },
      ],
      { a: { cpu: '400m' }, b: { cpu: '100m' } },
    ],
    [
      'two that fit no node share what the node has',
      {},
      [
        { cpu: 17100, memory: 64 },
        { cpu: 14600, memory: 64 },
      ],
      { a: { cpu: '8600m' }, b: { cpu: '7400m' } },
    ],
  ];
  for (const [title, rules, asked, expected] of cases) {
    it(title, () => {
      const stored = podOf(
        'requests',
        [
          { cpu: 100, memory: 64 },
          { cpu: 200, memory: 64 },
        ],
        false,
      );
      const { passing } = tryOf(stored, podOf('requests', asked, false), settingOf(rules));
      const { containers } = (passing?.patch?.['spec'] ?? { containers: [] }) as {
        readonly containers: readonly { readonly name: string; readonly resources: { readonly requests: object } }[];
      };
      assert.deepEqual(
        Object.fromEntries(containers.map(({ name, resources }) => [name, resources.requests])),
        expected,
      );
    });
  }

  const hopeless: readonly (readonly [rules: object, reason: string])[] = [
    [{ 'resize-frozen': { reason: 'CHG-1' } }, 'resize-frozen names none'],
    [
      { 'resize-frozen': { reason: 'CHG-1' }, 'resize-actor': { grow: { groups: ['sre'] } } },
      'resize-actor and resize-frozen name none',
    ],
    [{ 'pod-size': { max: { requests: { cpu: '300m' } } } }, 'pod-size leaves nothing beyond what is stored'],
  ];
  for (const [rules, reason] of hopeless) {
    it(`is nothing, and says why: ${reason}`, () => {
      const sizes = [
        { cpu: 100, memory: 64 },
        { cpu: 200, memory: 64 },
      ];
      const asked = sizes.map(({ cpu, memory }) => ({ cpu: cpu + 100, memory }));
      const { passing } = tryOf(podOf('requests', sizes, false), podOf('requests', asked, false), settingOf(rules));
      assert.deepEqual(passing, { patch: undefined, reason });
    });
  }
});
