// Named quantities: reading, sum, maximum, remaining, excess.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvalidObject } from '../../src/model/invalid-object.ts';
import { parseQuantity, quantityOf, roundUpToMilli, toCanonical } from '../../src/model/quantity.ts';
import {
  compareNames,
  excess,
  max,
  NO_RESOURCES,
  type Resources,
  readResources,
  remaining,
  sum,
} from '../../src/model/resources.ts';

const of = (json: Readonly<Record<string, string | number>>): Resources => readResources(json, 'resources');
const said = (resources: Resources) =>
  Object.fromEntries([...resources].map(([name, quantity]) => [name, toCanonical(quantity)]));

const someResources: fc.Arbitrary<Resources> = fc
  .dictionary(fc.constantFrom('cpu', 'memory', 'nvidia.com/gpu'), fc.constantFrom('0', '1', '250m', '1Gi', '-3', '7n'))
  .map(of);

test('a map of quantities is read by name, with values as text, number or null', () => {
  const json = { memory: ' 1Gi ', cpu: '1500m', 'nvidia.com/gpu': 2, 'example.com/a': 1.5, 'example.com/b': null };
  assert.deepEqual(
    readResources(json, 'resources.limits'),
    new Map([
      ['memory', parseQuantity('1Gi')],
      ['cpu', parseQuantity('1500m')],
      ['nvidia.com/gpu', parseQuantity('2')],
      ['example.com/a', parseQuantity('1.5')],
      ['example.com/b', quantityOf(0n, 'decimal')],
    ]),
  );
});

test('quantities are read as a pod stores them, rounded up to milli-units', () => {
  assert.deepEqual(of({ cpu: '0.5m' }), new Map([['cpu', roundUpToMilli(parseQuantity('0.5m'))]]));
  assert.deepEqual(said(of({ cpu: 0.00001, memory: 1e21 })), { cpu: '1m', memory: '1e+21' });
});

test('an absent, null or empty map has no resources', () => {
  for (const json of [undefined, null, {}]) assert.equal(readResources(json, 'requests'), NO_RESOURCES);
});

test('a text that is no quantity is kept, with its problem', () => {
  assert.deepEqual(of({ cpu: '2 cores' }), new Map([['cpu', parseQuantity('2 cores')]]));
});

test('a map that is no map, or a value that is no quantity, is refused with its path', async (t) => {
  const cases: readonly (readonly [json: unknown, path: string, problem: string])[] = [
    [[], 'requests', 'must be a map of quantities, not a list'],
    ['1Gi', 'requests', 'must be a map of quantities, not a string'],
    [0, 'requests', 'must be a map of quantities, not a number'],
    [{ cpu: '1', memory: true }, 'requests.memory', 'must be a quantity, not a boolean'],
    [{ cpu: ['1'] }, 'requests.cpu', 'must be a quantity, not a list'],
    [{ cpu: {} }, 'requests.cpu', 'must be a quantity, not a map'],
  ];
  for (const [json, path, problem] of cases) {
    await t.test(JSON.stringify(json), () => {
      assert.throws(() => readResources(json, 'requests'), new InvalidObject(path, problem));
    });
  }
});

test('names that mean something to JavaScript are names like any other', () => {
  const json: unknown = JSON.parse('{"__proto__": "1", "constructor": "2", "toString": "3"}');
  const resources = readResources(json, 'requests');
  assert.deepEqual([...resources.keys()], ['__proto__', 'constructor', 'toString']);
  assert.deepEqual(resources.get('__proto__'), parseQuantity('1'));
  assert.equal(of({ cpu: '1' }).get('toString'), undefined);
});

test('a sum has the names of both', () => {
  const total = sum(of({ cpu: '500m', memory: '1Gi' }), of({ cpu: '1', 'nvidia.com/gpu': '2' }));
  assert.deepEqual(said(total), { cpu: '1500m', memory: '1Gi', 'nvidia.com/gpu': '2' });
});

test('a quantity that only one of both has stays as it was written', () => {
  const written = of({ memory: '0.5Gi' });
  assert.deepEqual(sum(of({ cpu: '1' }), written).get('memory'), parseQuantity('0.5Gi'));
  assert.equal(sum(written, NO_RESOURCES), written);
  assert.equal(sum(NO_RESOURCES, written), written);
  assert.equal(max(written, NO_RESOURCES), written);
  assert.equal(max(NO_RESOURCES, written), written);
});

test('a maximum has the names of both, and the first where both are equal', () => {
  const most = max(of({ cpu: '1000m', memory: '1Gi' }), of({ cpu: '1', memory: '2Gi', pods: '3' }));
  assert.deepEqual(
    most,
    new Map([
      ['cpu', parseQuantity('1000m')],
      ['memory', parseQuantity('2Gi')],
      ['pods', parseQuantity('3')],
    ]),
  );
});

test('what remains has the names of the total, and may be negative', () => {
  const total = of({ cpu: '4', memory: '1Gi', pods: '110' });
  const left = remaining(total, of({ cpu: '4500m', memory: '1Mi', 'nvidia.com/gpu': '1' }));
  assert.deepEqual(said(left), { cpu: '-500m', memory: '1023Mi', pods: '110' });
  assert.equal(remaining(total, NO_RESOURCES), total);
});

test('an excess is said of every name that is available and of which more is wanted: cpu, memory, then by name', () => {
  const wanted = of({ 'b.com/x': '2', memory: '2Gi', 'a.com/x': '2', cpu: '2', pods: '1', 'ephemeral-storage': '1' });
  const available = of({ 'b.com/x': '1', 'a.com/x': '1', pods: '1', memory: '1Gi', cpu: '1999m', hugepages: '0' });
  assert.deepEqual(excess(wanted, available), [
    { resource: 'cpu', wanted: parseQuantity('2'), available: parseQuantity('1999m') },
    { resource: 'memory', wanted: parseQuantity('2Gi'), available: parseQuantity('1Gi') },
    { resource: 'a.com/x', wanted: parseQuantity('2'), available: parseQuantity('1') },
    { resource: 'b.com/x', wanted: parseQuantity('2'), available: parseQuantity('1') },
  ]);
});

test('there is no excess of what is not wanted or not known', () => {
  assert.deepEqual(excess(of({ cpu: '1' }), of({ memory: '1' })), []);
  assert.deepEqual(excess(of({ cpu: '1' }), of({ cpu: '1000m' })), []);
});

test('resource names are ordered cpu, memory, then by name', () => {
  const names = ['pods', 'memory', 'Pods', 'cpu', 'a.com/x', 'cpu'];
  assert.deepEqual(names.sort(compareNames), ['cpu', 'cpu', 'memory', 'Pods', 'a.com/x', 'pods']);
  assert.equal(compareNames('pods', 'pods'), 0);
});

test('sums and maxima do not depend on order, and change neither operand', () => {
  const values = (resources: Resources) => new Map([...resources].map(([name, { nanos }]) => [name, nanos]));
  fc.assert(
    fc.property(someResources, someResources, someResources, (a, b, c) => {
      const before = [values(a), values(b), values(c)];
      for (const combine of [sum, max]) {
        assert.deepEqual(values(combine(a, b)), values(combine(b, a)));
        assert.deepEqual(values(combine(combine(a, b), c)), values(combine(a, combine(b, c))));
      }
      assert.deepEqual([values(a), values(b), values(c)], before);
    }),
  );
});

test('what is wanted fits when nothing remains negative', () => {
  fc.assert(
    fc.property(someResources, someResources, (wanted, available) => {
      const short = [...remaining(available, wanted)].filter(([name, left]) => wanted.has(name) && left.nanos < 0n);
      const names = short.map(([name]) => name).sort(compareNames);
      assert.deepEqual(
        excess(wanted, available).map(({ resource }) => resource),
        names,
      );
    }),
  );
});
