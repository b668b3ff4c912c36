// Work that is done step by step, so that whoever has other things to do can do them between two steps.

/** Gives its result at the end; what is between two steps takes milliseconds. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** The result, with one step right after the other. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
