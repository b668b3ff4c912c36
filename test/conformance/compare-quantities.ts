// Whether a text means to podrail what it means to Kubernetes.
import {
  isCountable,
  type Quantity,
  roundUpToMilli,
  toCanonical,
  toMillis,
  toUnits,
} from '../../src/model/quantity.ts';
import { both, differs, type Outcome, type QuantityAnswer, SAME } from './answers.ts';
import { UNBOUNDED } from './refused-more.ts';
import { isUnbounded } from './written-amounts.ts';

const FORMATS: Readonly<Record<string, string>> = {
  binary: 'BinarySI',
  decimal: 'DecimalSI',
  exponent: 'DecimalExponent',
};

/** What a text is to both: no quantity for the same reason, or the same value, format and text. */
export function compareQuantity(ours: Quantity, theirs: QuantityAnswer): Outcome {
  if (ours.problem === 'unbounded' && theirs.problem === undefined && isUnbounded(ours.written ?? '')) {
    return { differences: [], exceptions: [UNBOUNDED] };
  }
  if (ours.problem !== undefined || theirs.problem !== undefined) {
    return compareEach('problem', ours.problem, theirs.problem);
  }
  return [
    compareEach('nanos', String(ours.nanos), theirs.nanos),
    // null leaves Kubernetes' quantity without a format.
    compareEach('format', FORMATS[ours.format], theirs.format ?? 'DecimalSI'),
    compareEach('text', toCanonical(ours), theirs.text),
    compareEach('text in a pod', toCanonical(roundUpToMilli(ours)), theirs.inPod),
    // A negative amount is refused wherever it could be counted, and some of them count as 1.
    ...(ours.nanos < 0n ? [] : counts(ours, theirs)),
  ].reduce(both);
}

function counts(ours: Quantity, theirs: QuantityAnswer): readonly Outcome[] {
  return [
    compareCount('units', isCountable('memory', ours), toUnits(ours), theirs.value),
    compareCount('milli-units', isCountable('cpu', ours), toMillis(ours), theirs.milliValue),
  ];
}

function compareEach(what: string, ours: string | undefined, theirs: string | undefined): Outcome {
  return ours === theirs ? SAME : differs(what, ours, theirs);
}

/** What podrail calls countable, Kubernetes counts rightly, and nothing else. */
function compareCount(what: string, isOurs: boolean, exact: bigint, theirs: string | undefined): Outcome {
  return isOurs === (String(exact) === theirs)
    ? SAME
    : differs(`countable in ${what}`, isOurs ? exact.toString() : 'not countable', theirs);
}
