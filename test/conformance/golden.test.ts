// A sample of what Kubernetes' own code answers, against what podrail does: without Go, and as fast as any other test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownMinors } from '../cluster/programs.ts';
import { type GoldenLine, readGoldenLines } from './golden-lines.ts';
import { PODS, QUANTITIES, RESIZES, type Stream } from './suites.ts';

function streamOf({ stream }: GoldenLine): Stream<object> {
  const found = [QUANTITIES, PODS, RESIZES].find(({ name }) => name === stream);
  assert.ok(found, stream);
  return found as Stream<object>;
}

function differences(line: GoldenLine): readonly string[] {
  const { compare } = streamOf(line);
  return line.answers.flatMap(({ minors, answer }) =>
    minors.flatMap((minor) =>
      Object.values(compare(line.question, answer, minor)).flatMap((outcome) =>
        outcome.differences.map(({ kind, detail }) => `${minor} ${kind} ${detail} ${JSON.stringify(line.question)}`),
      ),
    ),
  );
}

const SAMPLES = [
  ['quantities.jsonl', 'a quantity means what it means to Kubernetes'],
  ['pods.jsonl', 'a new pod counts as much as to Kubernetes, and is refused by both or by neither'],
  ['counted.jsonl', 'a pod with a status holds what it holds to the scheduler'],
  ['resizes.jsonl', 'a resize is refused by Kubernetes and podrail or by neither, for the same field'],
] as const;

const minorsOf = ({ answers }: GoldenLine): readonly string[] => answers.flatMap(({ minors }) => minors).sort();

for (const [name, what] of SAMPLES) {
  const lines = readGoldenLines(name);
  const sampled = lines.slice(0, 1).flatMap(minorsOf);
  test(`${what}: ${lines.length} in ${sampled.join(', ')}`, (context) => {
    for (const line of lines) {
      assert.deepEqual(minorsOf(line), sampled);
      assert.deepEqual(differences(line), []);
    }
    const missing = knownMinors().filter((minor) => !sampled.includes(minor));
    if (missing.length > 0) {
      context.diagnostic(
        `${name} has no answers of ${missing.join(', ')}: node test/conformance/golden.ts asks for them`,
      );
    }
    assert.ok(sampled.length >= 5, sampled.join(', '));
  });
}

for (const line of readGoldenLines('once-differed.jsonl')) {
  test(`podrail and Kubernetes agree: ${line.why}`, () => assert.deepEqual(differences(line), []));
}
