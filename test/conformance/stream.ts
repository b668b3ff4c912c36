// A stream of generated questions, asked of one or more oracles at once, and what came of it.
import fc from 'fast-check';
import type { Difference } from './answers.ts';
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

export interface Tally {
  compared: number;
  differences: number;
  readonly exceptions: Map<string, number>;
  /** The first of each kind. */
  readonly found: Map<string, Found>;
}

/** Tallies by minor and suite. */
export type Tallies = ReadonlyMap<string, ReadonlyMap<SuiteName, Tally>>;

export const BATCH = 1000;

/** Asks `count` questions made from `seed`, a batch at a time, each of all; adds what comes of it to the tallies. */
export async function askAll<Question extends object>(
  stream: Stream<Question>,
  count: number,
  seed: number,
  asked: readonly Asked[],
  tallies: ReadonlyMap<string, Map<SuiteName, Tally>>,
): Promise<void> {
  let previous: Promise<unknown> = Promise.resolve();
  for (let done = 0; done < count; done += BATCH) {
    const batchSeed = seed + done / BATCH;
    const questions = fc.sample(stream.questions, { seed: batchSeed, numRuns: Math.min(BATCH, count - done) });
    const answers = asked.map(({ oracle }) => oracle.ask(questions));
    // The next batch is made while the oracles are at work on this one.
    await previous;
    previous = Promise.all(answers).then((all) => {
      for (const [at, { minor }] of asked.entries()) {
        const into = tallies.get(minor) ?? new Map<SuiteName, Tally>();
        addBatch(stream, minor, batchSeed, questions, all[at] ?? [], into);
      }
    });
    // Whoever fails is heard of when it is awaited.
    previous.catch(() => undefined);
  }
  await previous;
}

function addBatch<Question extends object>(
  stream: Stream<Question>,
  minor: string,
  seed: number,
  questions: readonly Question[],
  answers: readonly unknown[],
  into: Map<SuiteName, Tally>,
): void {
  for (const [index, question] of questions.entries()) {
    const outcomes = stream.compare(question, answers[index], minor);
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
  const tally: Tally = { compared: 0, differences: 0, exceptions: new Map(), found: new Map() };
  into.set(suite, tally);
  return tally;
}

function addOutcome(tally: Tally, outcomes: Outcomes, where: Omit<Found, keyof Difference>): void {
  const { differences = [], exceptions = [] } = outcomes[where.suite] ?? {};
  tally.compared += 1;
  if (differences.length > 0) tally.differences += 1;
  for (const name of exceptions) tally.exceptions.set(name, (tally.exceptions.get(name) ?? 0) + 1);
  for (const difference of differences) {
    if (!tally.found.has(difference.kind)) tally.found.set(difference.kind, { ...where, ...difference });
  }
}
