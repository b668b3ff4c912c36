// Lists of requests and limits for generated tests: equal, in order, one step over, absent, zero, empty.
import fc from 'fast-check';
import { boundValue, brokenText, step, textOfValue, type Wildness, writtenAs } from './quantities.ts';

export type Entries = Readonly<Record<string, string>>;

export interface ResourcesJson {
  readonly requests?: Entries;
  readonly limits?: Entries;
  readonly claims?: readonly { readonly name: string }[];
}

/** What one container asks for of one resource. */
interface Amount {
  readonly request?: string;
  readonly limit?: string;
}

const MILLI = 10n ** 6n;
const UNIT = 10n ** 9n;
const MEBI = 2n ** 20n * UNIT;

// Few enough that equal values, and sums that meet a bound, come up by themselves.
const VALUES: Readonly<Record<string, readonly bigint[]>> = {
  cpu: [0n, MILLI, 100n * MILLI, 250n * MILLI, 500n * MILLI, UNIT, 1500n * MILLI, 2n * UNIT, 4n * UNIT],
  memory: [0n, MEBI, 16n * MEBI, 64n * MEBI, 128n * MEBI, 1024n * MEBI, 4096n * MEBI],
  'ephemeral-storage': [0n, MEBI, 1024n * MEBI, 2048n * MEBI],
  'hugepages-2Mi': [0n, 2n * MEBI, 4n * MEBI, 64n * MEBI],
  'hugepages-1Gi': [1024n * MEBI, 2048n * MEBI],
  'example.com/gpu': [0n, UNIT, 2n * UNIT, 3n * UNIT],
};

/** What can only be requested whole, and as it is limited. */
const UNSHARED = ['hugepages-2Mi', 'hugepages-1Gi', 'example.com/gpu'];
/** The notation in which people write each. */
const USUAL: Readonly<Record<string, string>> = { cpu: 'm', memory: 'Mi', 'ephemeral-storage': 'Gi' };
const STRANGE_NAMES = ['CPU', 'gpu', 'kubernetes.io/foo', 'requests.example.com/gpu', 'hugepages-', 'a b', 'storage'];

/** A value of a resource as a text. */
export function valueOf(resource: string, wildness: Wildness): fc.Arbitrary<string> {
  const value = fc.constantFrom(...(VALUES[resource] ?? VALUES['ephemeral-storage'] ?? []));
  const usual = value.map((nanos) => writtenAs(nanos, USUAL[resource] ?? ''));
  if (wildness === 'calm') return usual;
  const near = fc.tuple(value, step).chain(([nanos, by]) => textOfValue(nanos + by < 0n ? nanos : nanos + by));
  const edges = fc.oneof(
    { weight: 6, arbitrary: usual },
    { weight: 4, arbitrary: value.chain(textOfValue) },
    { weight: 2, arbitrary: near },
    { weight: 1, arbitrary: boundValue.filter((nanos) => nanos >= 0n).chain(textOfValue) },
  );
  if (wildness === 'edges') return edges;
  return fc.oneof({ weight: 8, arbitrary: edges }, { weight: 1, arbitrary: brokenText });
}

function amountOf(resource: string, wildness: Wildness): fc.Arbitrary<Amount> {
  const text = valueOf(resource, wildness);
  const value = fc.constantFrom(...(VALUES[resource] ?? []));
  const suffix = USUAL[resource] ?? '';
  const spell = (nanos: bigint) => (wildness === 'calm' ? fc.constant(writtenAs(nanos, suffix)) : textOfValue(nanos));
  const equal = value.chain((nanos) =>
    fc.tuple(spell(nanos), spell(nanos)).map(([request, limit]) => ({ request, limit })),
  );
  const ordered = fc
    .tuple(value, value)
    .chain(([a, b]) => fc.tuple(spell(a < b ? a : b), spell(a < b ? b : a)))
    .map(([request, limit]) => ({ request, limit }));
  const limitOnly = text.map((limit) => ({ limit }));
  if (UNSHARED.includes(resource) && wildness === 'calm') return fc.oneof(equal, limitOnly);
  const requestOnly = text.map((request) => ({ request }));
  const sound = fc.oneof(
    { weight: 3, arbitrary: ordered },
    { weight: 2, arbitrary: equal },
    { weight: 2, arbitrary: requestOnly },
    { weight: 2, arbitrary: limitOnly },
  );
  if (wildness === 'calm') return sound;
  const nearly = fc
    .tuple(value, step)
    .chain(([limit, by]) => fc.tuple(spell(limit + by < 0n ? limit : limit + by), spell(limit)))
    .map(([request, limit]) => ({ request, limit }));
  return fc.oneof(
    { weight: 9, arbitrary: sound },
    { weight: 2, arbitrary: nearly },
    { weight: 1, arbitrary: fc.record({ request: text, limit: text }) },
  );
}

const COMMON = [['cpu', 'memory'], ['cpu'], ['memory'], ['cpu', 'memory', 'ephemeral-storage'], []];
const RARE = [
  ['cpu', 'memory', 'example.com/gpu'],
  ['memory', 'hugepages-2Mi'],
  ['cpu', 'hugepages-2Mi', 'hugepages-1Gi'],
  ['cpu', 'memory', 'hugepages-2Mi', 'example.com/gpu', 'ephemeral-storage'],
];
/** With nothing that makes huge pages acceptable. */
const LONELY = [['hugepages-2Mi'], ['example.com/gpu'], ['ephemeral-storage']];

function namesOf(wildness: Wildness): fc.Arbitrary<readonly string[]> {
  const common = { weight: 10, arbitrary: fc.constantFrom(...COMMON) };
  if (wildness === 'calm') return fc.oneof(common, { weight: 1, arbitrary: fc.constantFrom(...RARE.slice(0, 2)) });
  const rare = { weight: 3, arbitrary: fc.constantFrom(...RARE, ...LONELY) };
  if (wildness === 'edges') return fc.oneof(common, rare);
  const strange = fc.constantFrom(...STRANGE_NAMES).map((name) => ['cpu', name]);
  return fc.oneof(common, rare, { weight: 1, arbitrary: strange });
}

/** Requests and limits of these resources. */
function listsOf(names: readonly string[], wildness: Wildness): fc.Arbitrary<ResourcesJson> {
  return fc
    .tuple(fc.tuple(...names.map((name) => amountOf(knownName(name), wildness))), emptiness(wildness))
    .map(([amounts, empty]) => {
      const requests: Record<string, string> = {};
      const limits: Record<string, string> = {};
      for (const [index, { request, limit }] of amounts.entries()) {
        const name = names[index] ?? '';
        if (request !== undefined) requests[name] = request;
        if (limit !== undefined) limits[name] = limit;
      }
      return {
        ...((empty || Object.keys(requests).length > 0) && { requests }),
        ...((empty || Object.keys(limits).length > 0) && { limits }),
      };
    });
}

function knownName(name: string): string {
  return VALUES[name] === undefined ? 'example.com/gpu' : name;
}

/** Whether a list with nothing in it is written as an empty map. */
function emptiness(wildness: Wildness): fc.Arbitrary<boolean> {
  return wildness === 'calm'
    ? fc.constant(false)
    : fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean());
}

/** `resources` of one container. */
export function resources(wildness: Wildness): fc.Arbitrary<ResourcesJson> {
  return namesOf(wildness).chain((names) => listsOf(names, wildness));
}

const POD_LEVEL = [['cpu', 'memory'], ['cpu'], ['memory'], ['cpu', 'hugepages-2Mi'], ['cpu', 'ephemeral-storage'], []];
/** More than the containers of any calm pod add up to. */
const AMPLE: readonly ResourcesJson[] = [
  { limits: { cpu: '64', memory: '64Gi' } },
  { requests: { cpu: '64', memory: '64Gi' } },
  { requests: { cpu: '32', memory: '32Gi' }, limits: { cpu: '64', memory: '64Gi' } },
  { requests: { memory: '64Gi' }, limits: { cpu: '64', memory: '64Gi' } },
];

/** `spec.resources`: cpu, memory and huge pages, and in anything but calm pods what is not allowed there. */
export function podLevelResources(wildness: Wildness): fc.Arbitrary<ResourcesJson> {
  const ample = fc.constantFrom(...AMPLE);
  if (wildness === 'calm') return ample;
  return fc.oneof(
    ample,
    fc.constantFrom(...POD_LEVEL).chain((names) => listsOf(names, wildness)),
  );
}

/** `spec.overhead`, or what a status says was allocated: one amount a resource. */
export function entriesOf(names: readonly string[], wildness: Wildness): fc.Arbitrary<Entries> {
  return fc
    .subarray([...names])
    .chain((some) => fc.tuple(...some.map((name) => valueOf(name, wildness).map((text) => [name, text] as const))))
    .map((entries) => Object.fromEntries(entries));
}
