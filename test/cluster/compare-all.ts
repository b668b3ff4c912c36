// Runs many generated cases past a judge, several at once, counts what came of them, and shrinks what differs.
import fc from 'fast-check';
import { shrunk } from './shrink.ts';

/** What Kubernetes and podrail say of one request: the same, something else, something else on purpose, or nothing to compare. */
export type Comparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'exception'; readonly names: readonly string[] }
  | { readonly kind: 'uncompared'; readonly name: string }
  | Difference;

export interface Difference {
  readonly kind: 'difference';
  /** Differences of one sort are counted together. */
  readonly sort: string;
  /** Both answers. */
  readonly what: string;
}

/** What came of one case: mostly one comparison. */
export type Judged = readonly Comparison[];

export interface Tally {
  readonly compared: number;
  /** By the name of the exception. */
  readonly exceptions: ReadonlyMap<string, number>;
  /** Why nothing was compared, and how often. */
  readonly uncompared: ReadonlyMap<string, number>;
  /** Each sort with how many there are and its first case, for somebody to read. */
  readonly differences: readonly string[];
  /** The same with smaller cases, which takes time. */
  readonly smaller: () => Promise<readonly string[]>;
  /** How many differ. */
  readonly count: number;
}

export interface Run {
  readonly seed: number;
  readonly cases: number;
  /** How many at once. */
  readonly lanes: number;
  /** For how long differing cases may be judged again to make them smaller. */
  readonly shrinkMs?: number;
}

/** Throws what differs, all of it. Says it before it is made smaller, for which a test may have no time left. */
export async function agree(tally: Tally, say: (text: string) => void = toStandardError): Promise<void> {
  const { count, compared, differences, smaller } = tally;
  if (count === 0) return;
  say(`${count} of ${compared} differ\n\n${differences.join('\n\n')}\n`);
  throw new Error(`${count} of ${compared} differ\n\n${(await smaller()).join('\n\n')}`);
}

function toStandardError(text: string): void {
  process.stderr.write(text);
}

/** Every case once, several at once. `lane` says for which of the lanes: within a lane one case comes after the other. */
export async function compareEach<Case>(
  cases: readonly Case[],
  judge: (one: Case, lane: number) => Promise<Judged>,
  lanes: number,
): Promise<Tally> {
  const { sorts, ...counted } = await judgeEach(cases, judge, lanes);
  const differences = firstOfEach(sorts, cases);
  return { ...counted, differences, smaller: () => Promise.resolve(differences) };
}

/** Generated cases; to make one that differs smaller, it is judged again and again. */
export async function compareAll<Case>(
  arbitrary: fc.Arbitrary<Case>,
  judge: (one: Case, lane: number) => Promise<Judged>,
  { seed, cases, lanes, shrinkMs = 120_000 }: Run,
): Promise<Tally> {
  const generated = fc.sample(arbitrary, { seed, numRuns: cases });
  const { sorts, ...counted } = await judgeEach(generated, judge, lanes);
  const smaller = async (): Promise<readonly string[]> => {
    const differences: string[] = [];
    const deadline = performance.now() + shrinkMs;
    for (const [sort, { count, index, lane, what }] of sorts) {
      const smallest = await shrunk(arbitrary, (one) => judge(one, lane), sort, seed, index, deadline);
      const example = smallest ?? `case ${index} of seed ${seed} did not differ again in time: ${what}`;
      differences.push(`${sort}: ${count} of them, the smallest\n${example}`);
    }
    return differences;
  };
  return { ...counted, differences: firstOfEach(sorts, generated), smaller };
}

function firstOfEach(sorts: ReadonlyMap<string, Sort>, cases: readonly unknown[]): readonly string[] {
  return [...sorts].map(
    ([sort, { count, index, what }]) =>
      `${sort}: ${count} of them, the first\n${what}\ncase ${index}: ${JSON.stringify(cases[index])}`,
  );
}

interface Counted extends Omit<Tally, 'differences' | 'smaller'> {
  readonly sorts: ReadonlyMap<string, Sort>;
}

/** How many differ in one way, and the first of them. */
interface Sort {
  readonly count: number;
  readonly index: number;
  /** A lane may be what makes it differ. */
  readonly lane: number;
  readonly what: string;
}

async function judgeEach<Case>(
  cases: readonly Case[],
  judge: (one: Case, lane: number) => Promise<Judged>,
  lanes: number,
): Promise<Counted> {
  const exceptions = new Map<string, number>();
  const uncompared = new Map<string, number>();
  const sorts = new Map<string, Sort>();
  let [next, compared, count] = [0, 0, 0];
  const work = async (_: unknown, lane: number): Promise<void> => {
    while (next < cases.length) {
      const index = next++;
      for (const judged of await judge(cases[index] as Case, lane)) {
        if (judged.kind === 'uncompared') addAll(uncompared, [judged.name]);
        else compared++;
        if (judged.kind === 'exception') addAll(exceptions, judged.names);
        if (judged.kind !== 'difference') continue;
        count++;
        sorts.set(judged.sort, withOne(sorts.get(judged.sort), judged, index, lane));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return { compared, exceptions, uncompared, sorts, count };
}

function addAll(counts: Map<string, number>, names: readonly string[]): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}

// Lanes overtake each other.
function withOne(before: Sort | undefined, { what }: Difference, index: number, lane: number): Sort {
  if (before === undefined) return { count: 1, index, lane, what };
  const first = before.index <= index ? before : { index, lane, what };
  return { ...first, count: before.count + 1 };
}
