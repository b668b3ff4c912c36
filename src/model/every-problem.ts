// Everything that keeps JSON from being read, for whom shows a person a file: a reader stops at the first, and is not slowed down to
// find the rest.
import { InvalidObject } from './invalid-object.ts';
import { isMap } from './json-fields.ts';

/** More than anybody mends at once; each costs a reading. */
const MOST_PROBLEMS = 100;

// What is wrong is left out; where it has to be there, it is tried what it may have to be.
const FILLERS: readonly unknown[] = [undefined, {}, [], '-'];

/** The steps of a path as messages have it: `spec.containers[0].resources.limits[nvidia.com/gpu]`. */
export function toSteps(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inBrackets]) =>
    inBrackets === undefined ? step : /^\d+$/.test(inBrackets) ? Number(inBrackets) : inBrackets,
  );
}

/**
 * Every problem that `read` has with this JSON: it is read again without what was wrong, until nothing is. In the order in which `read`
 * comes to them; none when it can be read. What `read` throws beside InvalidObject is thrown.
 */
export function everyProblem(json: unknown, read: (json: unknown) => unknown): readonly InvalidObject[] {
  const problems: InvalidObject[] = [];
  const mended: string[] = [];
  let rest = json;
  for (let readings = 0; readings < MOST_PROBLEMS; readings += 1) {
    const problem = problemOf(rest, read);
    if (problem === undefined) return problems;
    // What is now missing where something was wrong is no problem of its own.
    if (!mended.some((path) => isWithin(problem.path, path))) problems.push(problem);
    const times = mended.filter((path) => path === problem.path).length;
    const next = times < FILLERS.length ? without(rest, toSteps(problem.path), FILLERS[times]) : undefined;
    if (next === undefined) return problems;
    mended.push(problem.path);
    rest = next;
  }
  return problems;
}

function problemOf(json: unknown, read: (json: unknown) => unknown): InvalidObject | undefined {
  try {
    read(json);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidObject) return error;
    throw error;
  }
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** A copy with something else at a path; an item of a list keeps its place. undefined where that changes nothing. */
function without(json: unknown, steps: readonly (string | number)[], filler: unknown): unknown {
  const [step, ...others] = steps;
  if (Array.isArray(json) && typeof step === 'number' && step < json.length) {
    const item = others.length === 0 ? (filler ?? {}) : without(json[step], others, filler);
    return item === undefined ? undefined : json.with(step, item);
  }
  if (!isMap(json) || step === undefined) return undefined;
  const { [step]: own, ...rest } = json;
  if (others.length === 0) return filler === undefined ? rest : { ...rest, [step]: filler };
  const inner = without(own, others, filler);
  return inner === undefined ? undefined : { ...rest, [step]: inner };
}
