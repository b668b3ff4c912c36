// Looks for the smallest case that differs as a generated one did.
import fc from 'fast-check';
import type { Judged } from './compare-all.ts';

/** Says both answers to it; undefined where it did not differ again. Takes what is the smallest at the deadline. */
export async function shrunk<Case>(
  arbitrary: fc.Arbitrary<Case>,
  judge: (one: Case) => Promise<Judged>,
  sort: string,
  seed: number,
  index: number,
  deadline: number,
): Promise<string | undefined> {
  let what = '';
  const property = fc.asyncProperty(arbitrary, async (one) => {
    if (performance.now() > deadline) return true;
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
