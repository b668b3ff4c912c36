// Runs many generated cases past a judge, several at once, counts what came of them, and shrinks what differs.
import fc from 'fast-check';

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
  /** Each sort with how many there are and its smallest case, for somebody to read. */
  readonly differences: readonly string[];
  /** How many differ. */
  readonly count: number;
}

export interface Run {
  readonly seed: number;
  readonly cases: number;
  /** How many at once. */
  readonly lanes: number;
  /** How many times a differing case may be judged again to make it smaller. */
  readonly mostShrinks?: number;
}

/** Throws what differs, all of it. */
export function agree({ count, compared, differences }: Tally): void {
  if (count > 0) throw new Error(`${count} of ${compared} differ\n\n${differences.join('\n\n')}`);
}

/** Every case once, several at once. `lane` says for which of the lanes: within a lane one case comes after the other. */
export async function compareEach<Case>(
  cases: readonly Case[],
  judge: (one: Case, lane: number) => Promise<Judged>,
  lanes: number,
): Promise<Tally> {
  const { sorts, ...counted } = await judgeEach(cases, judge, lanes);
  const differences = [...sorts].map(([sort, { count, index, what }]) => {
    return `${sort}: ${count} of them, the first\n${what}\n${JSON.stringify(cases[index])}`;
  });
  return { ...counted, differences };
}

/** Generated cases; one that differs is judged again and again, smaller each time. */
export async function compareAll<Case>(
  arbitrary: fc.Arbitrary<Case>,
  judge: (one: Case, lane: number) => Promise<Judged>,
  { seed, cases, lanes, mostShrinks = 200 }: Run,
): Promise<Tally> {
  const generated = fc.sample(arbitrary, { seed, numRuns: cases });
  const { sorts, ...counted } = await judgeEach(generated, judge, lanes);
  const differences: string[] = [];
  for (const [sort, { count, index, what }] of sorts) {
    const smaller = await shrunk(arbitrary, (one) => judge(one, 0), sort, seed, index, mostShrinks);
    const example = smaller ?? `case ${index} of seed ${seed} differed once, and not again: ${what}`;
    differences.push(`${sort}: ${count} of them, the smallest\n${example}`);
  }
  return { ...counted, differences };
}

interface Counted extends Omit<Tally, 'differences'> {
  readonly sorts: ReadonlyMap<string, Sort>;
}

/** How many differ in one way, and the first of them. */
interface Sort {
  readonly count: number;
  readonly index: number;
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
        sorts.set(judged.sort, withOne(sorts.get(judged.sort), judged, index));
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
function withOne(before: Sort | undefined, { what }: Difference, index: number): Sort {
  if (before === undefined) return { count: 1, index, what };
  const first = before.index <= index ? before : { index, what };
  return { ...first, count: before.count + 1 };
}

async function shrunk<Case>(
  arbitrary: fc.Arbitrary<Case>,
  judge: (one: Case) => Promise<Judged>,
  sort: string,
  seed: number,
  index: number,
  mostShrinks: number,
): Promise<string | undefined> {
  let [shrinks, what] = [0, ''];
  const property = fc.asyncProperty(arbitrary, async (one) => {
    if (shrinks++ > mostShrinks) return true;
    for (const judged of await judge(one)) {
      if (judged.kind !== 'difference' || judged.sort !== sort) continue;
      what = judged.what;
      return false;
    }
    return true;
  });
  const { counterexample, counterexamplePath } = await fc.check(property, { seed, path: `${index}`, numRuns: 1 });
  const [smallest] = counterexample ?? [];
  if (smallest === undefined) return undefined;
  return `${what}\nseed ${seed}, case ${counterexamplePath}:\n${JSON.stringify(smallest)}`;
}
