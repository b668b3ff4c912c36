// The smallest question that still shows a difference.
import fc from 'fast-check';
import type { Difference } from './answers.ts';
import { compareAnswers } from './ask-again.ts';
import type { Oracle } from './oracle.ts';
import { BATCH, type Found } from './stream.ts';
import type { Stream } from './suites.ts';

export interface Shrunk {
  readonly question: object;
  readonly difference: Difference;
}

/** Makes the batch again in which the difference was found, and shrinks it there. */
export async function shrink<Question extends object>(
  stream: Stream<Question>,
  { kind, seed, suite, minor, question, detail }: Found,
  oracle: Oracle,
): Promise<Shrunk> {
  let smallest: Shrunk = { question, difference: { kind, detail } };
  const property = fc.asyncProperty(stream.questions, async (asked) => {
    const [outcomes] = await compareAnswers(stream, [asked], await oracle.ask([asked]), minor, oracle);
    const difference = outcomes?.[suite]?.differences.find((one) => one.kind === kind);
    if (difference !== undefined) smallest = { question: asked, difference };
    return difference === undefined;
  });
  // What it says itself is not needed: the last question that fails is the smallest.
  await fc.check(property, {
    seed,
    numRuns: BATCH,
    plugins: [fc.interruptAfterTimeLimit(20_000)],
  });
  return smallest;
}
