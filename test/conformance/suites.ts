// What is asked of the oracle, and how its answers are compared: quantities, pods and resizes.
import fc from 'fast-check';
import type { KubernetesVersion } from '../../src/model/kubernetes-version.ts';
import { InvalidObject } from '../../src/model/invalid-object.ts';
import { allContainers, type Pod } from '../../src/model/pod.ts';
import { parseQuantity, parseQuantityToken } from '../../src/model/quantity.ts';
import { readPod } from '../../src/model/read-pod.ts';
import { asCreated } from '../../src/model/stored.ts';
import { withReadable } from '../cluster/readable.ts';
import { type PodJson, podToCreate } from '../generate/pods.ts';
import { quantityText } from '../generate/quantities.ts';
import { oddity } from '../generate/oddities.ts';
import { resize, type ResizeJson } from '../generate/resizes.ts';
import { withStatus } from '../generate/statuses.ts';
import { both, type FieldError, type Outcome, type PodAnswer, type QuantityAnswer, SAME } from './answers.ts';
import { compareChange } from './compare-changes.ts';
import { compareQuantity } from './compare-quantities.ts';
import { compareHeld, compareQos, compareSums } from './compare-sums.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import { droppedUnreadable } from './dropped-values.ts';
import { UNREAD } from './purposes.ts';
import { factsOfCreate, factsOfResize, findingsOf } from './core-findings.ts';

/** The names under which results are kept. */
export type SuiteName = 'quantities' | 'pod sums' | 'QoS classes' | 'create validation' | 'resize validation';

/** What comparing one answer gave, by suite; a suite that is not there had nothing to compare. */
export type Outcomes = Partial<Readonly<Record<SuiteName, Outcome>>>;

/** A question is what was generated; the oracle is asked it as it is. */
export interface Stream<Question extends object> {
  readonly name: 'quantities' | 'pods' | 'resizes';
  /** What it is asked for; a question may have something for other suites besides. */
  readonly suites: readonly SuiteName[];
  readonly questions: fc.Arbitrary<Question>;
  readonly compare: (question: Question, answer: unknown, minor: string) => Outcomes;
  /** The question with all mended that podrail calls unreadable, where Kubernetes could not read it. */
  readonly mend?: (question: Question, answer: unknown, minor: string) => Question | undefined;
}

interface QuantityQuestion {
  readonly quantity?: string;
  readonly token?: string;
}

/** Texts as a person writes them, and raw tokens of a manifest. */
export const QUANTITIES: Stream<QuantityQuestion> = {
  name: 'quantities',
  suites: ['quantities'],
  questions: fc.oneof(
    { weight: 9, arbitrary: quantityText.map((quantity) => ({ quantity })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(quantityText, fc.constantFrom<(text: string) => string>(bare, quoted, padded))
        .map(([text, toToken]) => ({ token: toToken(text) })),
    },
  ),
  compare({ quantity, token = '' }, answer) {
    const theirs = answer as QuantityAnswer;
    const ours = quantity === undefined ? parseQuantityToken(token) : parseQuantity(quantity);
    return { quantities: compareQuantity(ours, theirs) };
  },
};

function bare(text: string): string {
  return text;
}

function quoted(text: string): string {
  return `"${text}"`;
}

function padded(text: string): string {
  return `" ${text}\t"`;
}

interface PodQuestion {
  readonly pod: PodJson;
}

const WILDNESS = ['calm', 'edges', 'edges', 'broken'] as const;

/** Pods that somebody creates; each has a status besides, for what it would hold with it. */
export const PODS: Stream<PodQuestion> = {
  name: 'pods',
  suites: ['create validation', 'pod sums', 'QoS classes'],
  questions: fc
    .oneof(...WILDNESS.map((wildness) => podToCreate({ wildness }).chain((pod) => withStatus(pod, 'edges'))))
    .map((pod) => ({ pod })),
  compare({ pod }, answer, minor) {
    const theirs = answer as PodAnswer;
    const version = versionOf(minor);
    const facts = attempt(() => factsOfCreate(pod, version));
    const verdicts = compareVerdicts(facts && findingsOf(facts), theirs, minor);
    if (facts === undefined || !isCounted(facts.pod, theirs)) return { 'create validation': verdicts };
    return {
      'create validation': verdicts,
      'pod sums': both(
        compareSums(facts.pod, version, theirs),
        compareHeld(asCreated(readPod(pod), version), version, theirs),
      ),
      'QoS classes': compareQos(facts.pod, version, theirs),
    };
  },
  mend({ pod }, answer, minor) {
    if ((answer as PodAnswer).decode === undefined) return undefined;
    const facts = attempt(() => factsOfCreate(pod, versionOf(minor)));
    return facts && { pod: withReadable(pod, findingsOf(facts).core) };
  },
};

/** Resizes of pods as a real API server would have stored them; those that it would not are left out. */
export const RESIZES: Stream<ResizeJson> = {
  name: 'resizes',
  suites: ['resize validation'],
  questions: fc
    .tuple(
      fc.oneof(
        { weight: 2, arbitrary: resize({ wildness: 'edges', stored: 'calm' }) },
        { weight: 1, arbitrary: resize({ wildness: 'calm', stored: 'calm' }) },
        { weight: 1, arbitrary: resize({ wildness: 'edges', stored: 'edges' }) },
        { weight: 1, arbitrary: resize({ wildness: 'broken', stored: 'calm' }) },
      ),
      oddity,
    )
    .map(([{ stored, asked }, change]) => ({ stored: change(stored), asked: change(asked) })),
  compare({ asked }, answer, minor) {
    const theirs = answer as PodAnswer;
    if (theirs.unstorable !== undefined) return {};
    const version = versionOf(minor);
    if (theirs.decode !== undefined && droppedUnreadable(readPod(asked), version).length > 0) {
      return { 'resize validation': { differences: [], exceptions: [UNREAD] } };
    }
    const facts = attempt(() => factsOfResize(theirs.stored, asked, version));
    const verdicts = compareVerdicts(facts && findingsOf(facts), theirs, minor);
    if (facts?.before === undefined || !isCounted(facts.pod, theirs)) return { 'resize validation': verdicts };
    return {
      'resize validation': both(verdicts, compareChange(facts.before, facts.pod, theirs)),
      'pod sums': both(
        compareSums(facts.pod, version, theirs),
        theirs.held === undefined ? SAME : compareHeld(facts.pod, version, theirs),
      ),
      'QoS classes': compareQos(facts.pod, version, theirs),
    };
  },
  mend({ stored, asked }, answer, minor) {
    const theirs = answer as PodAnswer;
    if (theirs.decode === undefined) return undefined;
    const version = versionOf(minor);
    const facts = attempt(() => factsOfResize(theirs.stored, asked, version));
    if (facts === undefined) return undefined;
    const named = findingsOf(facts).core;
    const dropped = droppedUnreadable(readPod(asked), version).map((path) => ({ rule: 'quantity-valid', path }));
    return { stored, asked: withReadable(asked, [...named, ...dropped]) };
  },
};

/** A pod that is refused for its quantities or its names counts nowhere. */
function isCounted(pod: Pod, { decode, errors = [] }: PodAnswer): boolean {
  return decode === undefined && isSound(pod) && !errors.some(isTwin);
}

function isTwin({ field, message }: FieldError): boolean {
  return field.endsWith('.name') && message.startsWith('Duplicate');
}

/** Whether podrail has expanded all of its quantities, and none is negative: of those Kubernetes does not always speak. */
function isSound(pod: Pod): boolean {
  const lists = [...allContainers(pod), ...(pod.podLevel ? [pod.podLevel] : [])];
  const all = [pod.overhead, ...lists.flatMap(({ requests, limits }) => [requests, limits])];
  return all.every((resources) =>
    [...resources.values()].every(({ problem, nanos }) => problem === undefined && nanos >= 0n),
  );
}

function versionOf(minor: string): KubernetesVersion {
  return { minor: Number(minor.slice(2)) };
}

/** undefined when podrail cannot read what it is about. Throws whatever else goes wrong: that is no answer. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidObject) return undefined;
    throw error;
  }
}
