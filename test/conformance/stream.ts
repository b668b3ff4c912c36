// A stream of generated questions, asked of one or more oracles at once, and what came of it.
import fc from 'fast-check';
import type { Difference } from './answers.ts';
import { compareAnswers } from './ask-again.ts';
import type { Oracle } from './oracle.ts';
import type { Outcomes, Stream, SuiteName } from './suites.ts';

/** One minor and its oracle. */
export interface Asked {
  readonly minor: string;
  readonly oracle: Oracle;
}

/** Enough to make the same question again, and smaller ones. */
export interface Found extends Difference {
  readonly stream: string;
  readonly suite: SuiteName;
  readonly minor: string;
  /** The seed of its batch. */
  readonly seed: number;
  readonly question: object;
}

/** Differences of one kind. */
export interface Kind {
  count: number;
  readonly first: Found;
}

export interface Tally {
  /** All of them, whatever came of it. */
  compared: number;
  /** Those of them of which podrail says something else on purpose. */
  excused: number;
  differences: number;
  readonly exceptions: Map<string, number>;
  readonly found: Map<string, Kind>;
}

/** Tallies by minor and suite. */
export type Tallies = ReadonlyMap<string, ReadonlyMap<SuiteName, Tally>>;

export const BATCH = 1000;

/** Of so many times what is wanted, some must be comparable. */
const PATIENCE = 3;

/**
 * Asks questions made from `seed`, a batch at a time, each of all, until `wanted` of them were compared in each suite of the
 * stream and by each minor: those that cannot be compared and those that differ on purpose come on top. Adds what comes of it to
 * the tallies, and gives how many were asked. Throws when it gets nowhere.
 */
export async function askAll<Question extends object>(
  stream: Stream<Question>,
  wanted: number,
  seed: number,
  asked: readonly Asked[],
  tallies: ReadonlyMap<string, Map<SuiteName, Tally>>,
): Promise<number> {
  const numRuns = Math.min(BATCH, wanted);
  let previous: Promise<unknown> = Promise.resolve();
  let [batches, unheard] = [0, 0];
  while (true) {
    // The next batch is made while the oracles are at work on this one, unless this one may be enough.
    if (unheard > 0 && leastCompared(stream, asked, tallies) + unheard >= wanted) await previous;
    if (leastCompared(stream, asked, tallies) >= wanted) break;
    if (batches * numRuns > PATIENCE * wanted + BATCH) throw new Error(`${stream.name}: too few can be compared`);
    const batchSeed = seed + batches;
    const questions = fc.sample(stream.questions, { seed: batchSeed, numRuns });
    batches += 1;
    const answers = asked.map(({ oracle }) => oracle.ask(questions));
    await previous;
    unheard = numRuns;
    previous = Promise.all(answers).then(async (all) => {
      const compared = await Promise.all(
        asked.map(({ minor, oracle }, at) => compareAnswers(stream, questions, all[at] ?? [], minor, oracle)),
      );
      for (const [at, { minor }] of asked.entries()) {
        const into = tallies.get(minor) ?? new Map<SuiteName, Tally>();
        addBatch(stream, minor, batchSeed, questions, compared[at] ?? [], into);
      }
      unheard = 0;
    });
    // Whoever fails is heard of when it is awaited.
    previous.catch(() => undefined);
  }
  await previous;
  return batches * numRuns;
}

/** In the suite and the minor that have the fewest, without what differs on purpose. */
function leastCompared(
  { suites }: Pick<Stream<object>, 'suites'>,
  asked: readonly Asked[],
  tallies: ReadonlyMap<string, ReadonlyMap<SuiteName, Tally>>,
): number {
  const counts = asked.flatMap(({ minor }) =>
    suites.map((suite) => {
      const { compared = 0, excused = 0 } = tallies.get(minor)?.get(suite) ?? {};
      return compared - excused;
    }),
  );
  return Math.min(...counts);
}

function addBatch<Question extends object>(
  stream: Stream<Question>,
  minor: string,
  seed: number,
  questions: readonly Question[],
  compared: readonly Outcomes[],
  into: Map<SuiteName, Tally>,
): void {
  for (const [index, question] of questions.entries()) {
    const outcomes = compared[index] ?? {};
    for (const suite of suitesOf(outcomes))
      addOutcome(tallyOf(into, suite), outcomes, { stream: stream.name, suite, minor, seed, question });
  }
}

export function suitesOf(outcomes: Outcomes): readonly SuiteName[] {
  return Object.keys(outcomes) as readonly SuiteName[];
}

function tallyOf(into: Map<SuiteName, Tally>, suite: SuiteName): Tally {
  const known = into.get(suite);
  if (known !== undefined) return known;
  const tally: Tally = { compared: 0, excused: 0, differences: 0, exceptions: new Map(), found: new Map() };
  into.set(suite, tally);
  return tally;
}

function addOutcome(tally: Tally, outcomes: Outcomes, where: Omit<Found, keyof Difference>): void {
  const { differences = [], exceptions = [] } = outcomes[where.suite] ?? {};
  tally.compared += 1;
  if (differences.length > 0) tally.differences += 1;
  else if (exceptions.length > 0) tally.excused += 1;
  for (const name of exceptions) tally.exceptions.set(name, (tally.exceptions.get(name) ?? 0) + 1);
  for (const difference of differences) {
    const kind = tally.found.get(difference.kind);
    if (kind === undefined) tally.found.set(difference.kind, { count: 1, first: { ...where, ...difference } });
    else kind.count += 1;
  }
}
