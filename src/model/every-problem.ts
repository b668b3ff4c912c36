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
function without(json: unknown, [step, ...others]: readonly (string | number)[], filler: unknown): unknown {
  if (Array.isArray(json)) return withoutItem(json, step, others, filler);
  if (!isMap(json) || step === undefined) return undefined;
  const { [step]: own, ...rest } = json;
  const inner = others.length === 0 ? filler : without(own, others, filler);
  if (inner !== undefined) return { ...rest, [step]: inner };
  return others.length === 0 ? rest : undefined;
}

function withoutItem(list: unknown[], step: unknown, others: readonly (string | number)[], filler: unknown): unknown {
  if (typeof step !== 'number' || step >= list.length) return undefined;
  const item = others.length === 0 ? (filler ?? {}) : without(list[step], others, filler);
  return item === undefined ? undefined : list.with(step, item);
}
