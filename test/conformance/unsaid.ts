// What podrail leaves unsaid where it refuses for another reason that Kubernetes has as well.
import type { FieldError } from './answers.ts';
import type { RuleFinding } from './core-findings.ts';
import type { Exception } from './exception.ts';

/**
 * A resize that does not send the stored containers: those that are not where they were are new ones to Kubernetes, which validates them
 * as such, while podrail says only that a resize must send what is stored.
 */
const STOP = 'resize-keeps-containers';

interface Pair extends Exception {
  readonly field: RegExp;
  readonly message: RegExp;
  /** By default every minor. */
  readonly minors?: readonly [first: number, last: number];
  /** Which containers the resize must have moved: some of the list that the error is in, or so many that there are more or fewer. */
  readonly moved: 'in its list' | 'number' | 'either';
}

export const PAIRS: readonly Pair[] = [
  {
    name: 'resize-keeps-containers: claims of other containers',
    field: /^spec\.(?:initContainers|containers)\[\d+\]\.resources\.claims\[\d+\]$/,
    message: /^Not found/,
    moved: 'in its list',
    most: 0.0006,
    reason:
      'both refuse it: resize-only-cpu-memory compares the claims of a container with those that are stored of it, and of this one none are',
  },
  {
    name: 'resize-keeps-containers: what other containers must be',
    field:
      /^spec\.(?:initContainers|containers)\[\d+\]\.(?:resizePolicy\b.*|restartPolicy|startupProbe|livenessProbe|readinessProbe|lifecycle)$/,
    message: /./,
    moved: 'either',
    most: 0.0008,
    reason:
      'both refuse it: resize-policy-valid and sidecar-restart-policy judge only new pods, whose containers these are not',
  },
  {
    name: 'resize-keeps-containers: new pod-level resources',
    field: /^(?:\[\]|<nil>|)$/,
    message: /pods with pod-level resources/,
    minors: [34, 35],
    moved: 'number',
    most: 0.013,
    reason:
      'both refuse it: these minors drop new pod-level resources from a resize, unless there are more or fewer containers',
  },
];

/** The name of the exception that an error is which podrail has not found; undefined where it should have. */
export function unsaidOf(
  { field, message }: FieldError,
  core: readonly RuleFinding[],
  minor: string,
): string | undefined {
  const number = Number(minor.slice(2));
  const stops = core.filter(({ rule, conclusive }) => rule === STOP && conclusive);
  const list = /^spec\.(?:initContainers|containers)\[/.exec(field)?.[0];
  const inList = stops.some(({ path }) => list !== undefined && path.startsWith(list));
  const ofNumber = stops.some((stop) => /must not be (?:removed|added) by a resize;/.test(stop.message));
  return PAIRS.find(
    (pair) =>
      pair.field.test(field) &&
      pair.message.test(message) &&
      (pair.minors === undefined || (pair.minors[0] <= number && number <= pair.minors[1])) &&
      ((pair.moved !== 'number' && inList) || (pair.moved !== 'in its list' && ofNumber)),
  )?.name;
}

/** A class that one of both gives a pod for what both refuse. */
export const NEGATIVE: Exception = {
  name: 'quantity-valid: classes of negative amounts',
  most: 0.0015,
  reason: 'both refuse the amount: to the class of the pod it is none to Kubernetes through 1.36, and one to podrail',
};

/** Whether both refuse a negative amount, in a minor that leaves those out of the class. */
export function haveNegative(core: readonly RuleFinding[], errors: readonly FieldError[], minor: string): boolean {
  const areOurs = core.some(({ rule, bound, conclusive }) => rule === 'quantity-valid' && bound === '0' && conclusive);
  const areTheirs = errors.some(({ message }) => message.endsWith('must be greater than or equal to 0'));
  return Number(minor.slice(2)) <= 36 && areOurs && areTheirs;
}
