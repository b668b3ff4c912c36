// What would pass instead is the nearest to what was asked: over guardrails, pods and patches.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../src/model/json-fields.ts';
import { MILLI, quantityOf, UNIT } from '../../src/model/quantity.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { type Change, changesOf } from '../../src/model/resize.ts';
import { applyPatch } from '../../src/trial/apply-patch.ts';
import { asKept, asSent } from '../../src/trial/as-sent.ts';
import { passingPatch, type ResizePatch } from '../../src/trial/passing-patch.ts';
import { tryResize } from '../../src/trial/trial.ts';
import { withChange } from '../../src/trial/with-change.ts';
import { settingOf } from './guarded.ts';

const VERSION = { minor: 37 };
const NAMES = ['app', 'side'];

type Amounts = Readonly<Record<string, string>>;
interface Resources {
  readonly requests?: Amounts;
  readonly limits?: Amounts;
}
const podOf = (resources: readonly Resources[]): JsonObject =>
  asKept(
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default' },
      spec: { containers: resources.map((one, index) => ({ name: NAMES[index], resources: one })) },
    },
    VERSION,
  );
const patchOf = (resources: readonly Resources[]): ResizePatch => ({
  spec: {
    containers: resources.flatMap((one, index) =>
      Object.keys(one).length > 0 ? [{ name: NAMES[index], resources: one }] : [],
    ),
  },
});

const millis = fc.integer({ min: 1, max: 60 }).map((one) => `${one * 50}m`);
const sizes = fc.oneof(
  fc.integer({ min: 1, max: 64 }).map((one) => `${one * 64}Mi`),
  fc.integer({ min: 65_536, max: 2_097_152 }).map((one) => `${one}Ki`),
);
const amounts = fc.record({ cpu: millis, memory: sizes }, { requiredKeys: [] });
const resources = fc.record({ requests: amounts, limits: amounts }, { requiredKeys: [] });
const factor = fc.integer({ min: 11, max: 40 }).map((tenths) => tenths / 10);
const ratios = fc
  .record({ cpu: factor, memory: factor }, { requiredKeys: [] })
  .filter((one) => 'cpu' in one || 'memory' in one);
const filled = amounts.filter((one) => Object.keys(one).length > 0);
const rules = fc
  .record(
    {
      'container-size': fc.oneof(
        filled.map((max) => ({ max })),
        filled.map((min) => ({ min })),
      ),
      'pod-size': fc.oneof(
        filled.map((requests) => ({ max: { requests } })),
        filled.map((limits) => ({ max: { limits } })),
      ),
      'resize-step': fc.record({
        grow: factor.map((one) => ({ factor: one })),
        shrink: factor.map((one) => ({ factor: one })),
      }),
      'limit-request-ratio': ratios,
      'namespace-budget': filled.map((requests) => ({ requests })),
    },
    { requiredKeys: [] },
  )
  .filter((one) => Object.keys(one).length > 0);
const asked = fc
  .array(fc.tuple(resources, resources), { minLength: 1, maxLength: 2 })
  .map((pairs) => ({ stored: podOf(pairs.map(([one]) => one)), patch: patchOf(pairs.map(([, one]) => one)) }));

/** One millicore; of memory the largest of Mi, Ki and bytes that both values are whole in. */
const grainOf = ({ resource, from, to }: Change): bigint => {
  if (resource === 'cpu') return MILLI;
  const [least, most] = [from?.nanos ?? 0n, to?.nanos ?? 0n];
  return [1_048_576n * UNIT, 1024n * UNIT].find((size) => least % size === 0n && most % size === 0n) ?? UNIT;
};
/** Both by the finer grain of the two. */
const pairNearer = (pod: JsonObject, one: Change, other: Change): JsonObject => {
  const grain = [one, other].map(grainOf).reduce((a, b) => (a < b ? a : b));
  return [one, other].map((change) => oneGrainNearer(change, grain)).reduce(withChange, pod);
};
const oneGrainNearer = (change: Change, grain = grainOf(change)): Change => {
  const [from, to] = [change.from?.nanos ?? 0n, change.to?.nanos ?? 0n];
  return { ...change, to: quantityOf(from + (to > from ? grain : -grain), change.to?.format ?? 'decimal') };
};
const nameOf = ({ container, list, resource }: Change): string => `${container?.name} ${list} ${resource}`;

describe('the nearest that would pass instead', () => {
  it('passes, no value nor a request with its limit can be brought nearer, and what was not asked to change only does where it must', () => {
    let suggested = 0;
    fc.assert(
      fc.property(rules, asked, (own, { stored, patch }) => {
        const setting = settingOf(own);
        const passes = (pod: JsonObject): boolean => tryResize(stored, pod, setting).allowed;
        const requested = applyPatch(stored, patch, 'strategic');
        const refused = tryResize(stored, requested, setting);
        // A pod that Kubernetes does not store is no pod to resize.
        fc.pre(!refused.allowed && passes(stored));
        const { patch: nearest } = passingPatch(stored, requested, refused, setting);
        const given = nearest === undefined ? stored : applyPatch(stored, nearest, 'strategic');
        if (nearest !== undefined) suggested += 1;
        assert.ok(passes(given));
        const wanted = readPod(asSent(requested, VERSION));
        const asksFor = changesOf(readPod(stored), wanted);
        const gives = changesOf(readPod(stored), readPod(given));
        const newLimits = asksFor.filter(({ list, from, to }) => list === 'limits' && from === undefined && to);
        for (const limit of newLimits) {
          const request = gives.find((one) => nameOf(one) === nameOf({ ...limit, list: 'requests' }));
          const isLimited = gives.some((one) => nameOf(one) === nameOf(limit));
          assert.ok(request === undefined || request.from !== undefined || isLimited, `${nameOf(limit)} is left out`);
        }
        const zeros = gives.filter(({ to }) => to?.nanos === 0n);
        assert.deepEqual(zeros.filter(({ list }) => list === 'limits').map(nameOf), []);
        const away = changesOf(readPod(given), wanted).filter(({ to }) => to !== undefined);
        // A new request beside a new limit comes with it.
        const limitOf = (request: Change): Change | undefined =>
          away.find((change) => nameOf(change) === nameOf({ ...request, list: 'limits' }));
        const isWithItsLimit = (change: Change): boolean => {
          const limit = limitOf(change);
          return change.list === 'requests' && change.from === undefined && limit !== undefined && !limit.from;
        };
        for (const change of away.filter((one) => !isWithItsLimit(one)))
          assert.equal(passes(withChange(given, oneGrainNearer(change))), false, nameOf(change));
        for (const request of away.filter(({ list }) => list === 'requests')) {
          const limit = limitOf(request);
          if (limit)
            assert.equal(passes(pairNearer(given, request, limit)), false, `${nameOf(request)} with its limit`);
        }
        const ofAsked = asksFor.map(nameOf);
        const unasked = away.filter((change) => !ofAsked.includes(nameOf(change)));
        for (const change of unasked) assert.equal(passes(withChange(given, change)), false, nameOf(change));
        assert.ok(unasked.length === 0 || !passes(unasked.reduce(withChange, given)));
      }),
      { numRuns: 300 },
    );
    assert.ok(suggested > 50, `${suggested} suggestions`);
  });

  const cases: readonly (readonly [
    title: string,
    rules: object,
    stored: readonly Resources[],
    asked: readonly Resources[],
    expected: readonly Resources[],
  ])[] = [
    [
      'a limit stays as it is where only the refused request is too far below it',
      { 'container-size': { min: { memory: '512Mi' } }, 'limit-request-ratio': { memory: 4 } },
      [{ requests: { memory: '1Gi' }, limits: { memory: '2Gi' } }],
      [{ requests: { memory: '256Mi' } }],
      [{ requests: { memory: '512Mi' } }],
    ],
    [
      'a limit that must come down comes down no further than it must',
      { 'resize-step': { shrink: { factor: 3 } }, 'limit-request-ratio': { cpu: 3 } },
      [{ requests: { cpu: '500m' }, limits: { cpu: '1' } }],
      [{ requests: { cpu: '100m' } }],
      [{ requests: { cpu: '167m' }, limits: { cpu: '501m' } }],
    ],
    [
      'a limit is as high as its own bound, however little the request is given of what is shared',
      { 'pod-size': { max: { requests: { memory: '1536Mi' }, limits: { memory: '3Gi' } } } },
      [{ requests: { memory: '1Gi' }, limits: { memory: '2Gi' } }],
      [{ requests: { memory: '2Gi' }, limits: { memory: '4Gi' } }],
      [{ requests: { memory: '1536Mi' }, limits: { memory: '3Gi' } }],
    ],
    [
      'a request and a limit that hold each other within a ratio go as far as the sum goes, beside one that has no room',
      { 'limit-request-ratio': { cpu: 1.1 }, 'namespace-budget': { requests: { cpu: '750m' } } },
      [{}, { requests: { memory: '64Mi' } }],
      [{ limits: { cpu: '50m' } }, { requests: { cpu: '1350m' }, limits: { cpu: '1500m' } }],
      [
        { requests: { cpu: '50m' }, limits: { cpu: '50m' } },
        { requests: { cpu: '700m' }, limits: { cpu: '770m' } },
      ],
    ],
    [
      'and down as far as each may go',
      { 'limit-request-ratio': { memory: 1.01 }, 'container-size': { min: { memory: '1Gi' } } },
      [{ requests: { memory: '100Gi' }, limits: { memory: '101Gi' } }],
      [{ requests: { memory: '1Mi' }, limits: { memory: '2Mi' } }],
      [{ requests: { memory: '1Gi' }, limits: { memory: '1Gi' } }],
    ],
    [
      'also where one of the two is written in a finer unit',
      { 'limit-request-ratio': { memory: 1.01 }, 'container-size': { min: { memory: '2Mi' } } },
      [{ requests: { memory: '102912Ki' }, limits: { memory: '101Mi' } }],
      [{ requests: { memory: '1537Ki' }, limits: { memory: '2Mi' } }],
      [{ requests: { memory: '2Mi' }, limits: { memory: '2Mi' } }],
    ],
    [
      'a limit for which there is no room is left out: to a node one of 0 is none',
      { 'pod-size': { max: { limits: { cpu: '1' } } } },
      [{ requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1' } }, { requests: { cpu: '100m' } }],
      [{ requests: { memory: '128Mi' } }, { limits: { cpu: '500m' } }],
      [{ requests: { memory: '128Mi' } }],
    ],
    [
      'and with it the request that Kubernetes completes from it: nobody asked for one without a limit',
      { 'pod-size': { max: { limits: { cpu: '1' } } } },
      [{ requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1' } }, { requests: { memory: '64Mi' } }],
      [{ requests: { memory: '128Mi' } }, { limits: { cpu: '500m' } }],
      [{ requests: { memory: '128Mi' } }],
    ],
    [
      'a limit is shared out, and not left out, while there is room',
      { 'pod-size': { max: { limits: { cpu: '1' } } } },
      [{ requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '600m' } }, { requests: { memory: '64Mi' } }],
      [{ limits: { cpu: '1' } }, { limits: { cpu: '500m' } }],
      [{ limits: { cpu: '778m' } }, { requests: { cpu: '222m' }, limits: { cpu: '222m' } }],
    ],
    [
      'a request for which there is no room is left out as well',
      { 'pod-size': { max: { requests: { cpu: '100m' } } } },
      [{ requests: { cpu: '100m', memory: '64Mi' } }, { requests: { memory: '64Mi' } }],
      [{ requests: { memory: '128Mi' } }, { requests: { cpu: '500m' } }],
      [{ requests: { memory: '128Mi' } }],
    ],
    [
      'but is 0 beside its limit, which Kubernetes would make it otherwise',
      { 'pod-size': { max: { requests: { cpu: '100m' } } } },
      [{ requests: { cpu: '100m' } }, { requests: { memory: '64Mi' } }],
      [{}, { limits: { cpu: '500m' } }],
      [{}, { requests: { cpu: '0' }, limits: { cpu: '500m' } }],
    ],
  ];
  for (const [title, own, before, wanted, expected] of cases) {
    it(title, () => {
      const setting = settingOf(own);
      const stored = podOf(before);
      const requested = applyPatch(stored, patchOf(wanted), 'strategic');
      const { patch } = passingPatch(stored, requested, tryResize(stored, requested, setting), setting);
      assert.deepEqual(patch, patchOf(expected));
    });
  }
});
