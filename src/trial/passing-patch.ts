// The nearest resize that would pass, tried: values at the bounds that rules name, and what several share, shared out.
import { toSteps } from '../model/every-problem.ts';
import type { JsonObject } from '../model/json-fields.ts';
import { listOf } from '../model/pod.ts';
import { parseQuantity, type Quantity, toCanonical } from '../model/quantity.ts';
import { type Change, changesOf } from '../model/resize.ts';
import { readPod } from '../model/read-pod.ts';
import type { Finding } from '../rules/rule.ts';
import { joinWords } from '../rules/message.ts';
import type { JudgedFinding } from '../admission/verdict.ts';
import { applyPatch } from './apply-patch.ts';
import { asKept, asSent } from './as-sent.ts';
import { relaxed } from './relax.ts';
import { sharedOut } from './share-out.ts';
import { withValue } from './with-change.ts';
import { type Trial, type TrialSetting, tryResize } from './trial.ts';

/** A bound can break another rule's, which then names its own; no chain of them is longer. */
const MOST_TRIES = 6;

/** Part of a pod: what a strategic merge patch for `pods/resize` holds. */
export type ResizePatch = JsonObject;

export type Passing =
  | { readonly patch: ResizePatch; readonly isShared: boolean }
  /** Why there is none; undefined where nobody could say. */
  | { readonly patch: undefined; readonly reason: string | undefined };

/**
 * A strategic merge patch in the place of a refused one; it has been tried and passes. Every value that a rule names a bound for is set to
 * that; where a rule names one for a sum of several values, each gets the same part of what it asks for (`isShared`). Then each value is
 * brought nearer to what was asked for, or to what is stored where nothing was, as far as it passes.
 */
export function passingPatch(stored: unknown, requested: unknown, refused: Trial, setting: TrialSetting): Passing {
  const { version } = setting.context;
  const kept = asKept(stored, version);
  const attempt = (pod: JsonObject): Trial => tryResize(stored, pod, setting);
  const passes = (pod: JsonObject): boolean => attempt(pod).allowed;
  const wanted = asSent(requested, version);
  const { pod, trial } = boundOf(wanted, refused, attempt);
  const toNearest = (passing: JsonObject): ResizePatch | undefined => {
    const nearest = relaxed(passing, { stored: kept, wanted, version }, passes);
    const changes = changesOf(readPod(kept), readPod(nearest));
    const telling = toPatch(changes.filter(isTelling));
    if (telling === undefined || passes(applyPatch(kept, telling, 'strategic'))) return telling;
    return toPatch(changes);
  };
  const bounded = trial.allowed ? toNearest(pod) : undefined;
  if (bounded !== undefined) return { patch: bounded, isShared: false };
  const shared = sharedOut(kept, pod, passes);
  const patch = toNearest(shared ?? kept);
  return patch === undefined ? { patch, reason: reasonOf(trial) } : { patch, isShared: shared !== undefined };
}

interface Attempt {
  readonly pod: JsonObject;
  readonly trial: Trial;
}

/** With the bounds of single values, as long as rules name some. */
function boundOf(requested: JsonObject, refused: Trial, attempt: (pod: JsonObject) => Trial): Attempt {
  let [pod, trial] = [requested, refused];
  for (let tries = 0; tries < MOST_TRIES && !trial.allowed; tries += 1) {
    const next = withBounds(pod, violationsOf(trial));
    if (next === undefined) return { pod, trial };
    pod = next;
    trial = attempt(pod);
  }
  return { pod, trial };
}

function reasonOf(trial: Trial): string | undefined {
  const violations = violationsOf(trial);
  const rulesOf = (found: readonly JudgedFinding[]): readonly string[] => [...new Set(found.map(({ rule }) => rule))];
  const without = rulesOf(violations.filter(({ bound = '' }) => parseQuantity(bound).problem !== undefined));
  if (without.length > 0) return `${joinWords(without)} ${without.length === 1 ? 'names' : 'name'} none`;
  const others = rulesOf(violations);
  return others.length === 0
    ? undefined
    : `${joinWords(others)} ${others.length === 1 ? 'leaves' : 'leave'} nothing beyond what is stored`;
}

function violationsOf({ phases }: Trial): readonly JudgedFinding[] {
  return phases.at(-1)?.reply.decided?.verdict.violations ?? [];
}

const OF_ONE_VALUE = /^spec\.(?:(?:containers|initContainers)\[\d+\]\.)?resources\.(requests|limits)\[.+\]$/;

/** undefined when no violation names one value. */
function withBounds(pod: JsonObject, violations: readonly Finding[]): JsonObject | undefined {
  const bounds = violations.flatMap((finding) => toBound(finding) ?? []);
  if (bounds.length === 0) return undefined;
  return bounds.reduce((bounded, { steps, value }) => withValue(bounded, steps, value), pod);
}

type Steps = readonly (string | number)[];

function toBound({ path, bound }: Finding): { readonly steps: Steps; readonly value: string } | undefined {
  const quantity = parseQuantity(bound ?? '');
  const [, list] = OF_ONE_VALUE.exec(path) ?? [];
  if (list === undefined || quantity.problem !== undefined) return undefined;
  // A limit of 0 is none to a node: it is no smaller one.
  if (list === 'limits' && quantity.nanos === 0n) return undefined;
  return { steps: toSteps(path), value: toCanonical(quantity) };
}

// A new request of 0 says something only beside a limit, which Kubernetes would make it otherwise.
function isTelling({ container, list, resource, from, to }: Change): boolean {
  const isNewZero = list === 'requests' && from === undefined && to?.nanos === 0n;
  return !isNewZero || container === undefined || container.limits.has(resource);
}

function toPatch(changes: readonly Change[]): ResizePatch | undefined {
  if (changes.length === 0) return undefined;
  const spec: Record<string, unknown> = {};
  for (const [container, ofOne] of Map.groupBy(changes, (change) => change.container)) {
    const resources = toLists(ofOne);
    if (container === undefined) spec['resources'] = resources;
    else {
      const list = listOf(container);
      const before = (spec[list] ?? []) as readonly unknown[];
      spec[list] = [...before, { name: container.name, resources }];
    }
  }
  return { spec };
}

function toLists(changes: readonly Change[]): JsonObject {
  const lists = Map.groupBy(changes, ({ list }) => list);
  return Object.fromEntries(
    [...lists].map(([list, ofList]) => [
      list,
      Object.fromEntries(ofList.map(({ resource, to }) => [resource, toJson(to)])),
    ]),
  );
}

function toJson(quantity: Quantity | undefined): string | null {
  return quantity === undefined ? null : toCanonical(quantity);
}
