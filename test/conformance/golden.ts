// Writes golden/: questions with the answers of every minor, which golden.test.ts compares without Go.
// node test/conformance/golden.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { knownMinors } from '../cluster/programs.ts';
import { type GoldenLine, goldenFolder } from './golden-lines.ts';
import { countedOf, sampleOf } from './golden-sample.ts';
import { type Oracle, startOracle } from './oracle.ts';
import { buildOracle } from './oracle-build.ts';
import { PODS, QUANTITIES, RESIZES, type Stream } from './suites.ts';

/** Of how many generated questions the sample is taken, and how large it may be. */
const PLANS = [
  { stream: QUANTITIES, questions: 20_000, bytes: 250_000 },
  { stream: PODS, questions: 4_000, bytes: 400_000 },
  { stream: RESIZES, questions: 6_000, bytes: 750_000 },
] as const;
/** Of pods that are accepted, for what they count. */
const COUNTED_BYTES = 400_000;
const SEED = 20_261_130;

/** What no comparison looks at, and the API server sets in every pod. */
const DEFAULTS = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'image',
  'imageID',
  'imagePullPolicy',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'terminationGracePeriodSeconds',
  'dnsPolicy',
  'securityContext',
  'schedulerName',
  'enableServiceLinks',
  'ready',
  'restartCount',
  'lastState',
  'lastProbeTime',
  'lastTransitionTime',
]);

function lean(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json, (key, value: unknown) => (DEFAULTS.has(key) ? undefined : plain(value))));
}

// Kubernetes prints pods below the first line of what it says of them, and where in memory a quantity is.
function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/\n[\s\S]*/, '').replaceAll(/\(0x[0-9a-f]+\)/g, '(0x0)');
}

type Oracles = ReadonlyMap<string, Oracle>;

async function linesOf<Question extends object>(
  stream: Stream<Question>,
  questions: readonly Question[],
  oracles: Oracles,
): Promise<readonly GoldenLine[]> {
  const answers = await Promise.all(
    [...oracles].map(async ([minor, oracle]) => [minor, await oracle.ask(questions)] as const),
  );
  return questions.map((question, index) => {
    const byAnswer = new Map<string, string[]>();
    for (const [minor, all] of answers) {
      const text = JSON.stringify(lean(all[index]));
      byAnswer.set(text, [...(byAnswer.get(text) ?? []), minor]);
    }
    return {
      stream: stream.name,
      question: lean(withoutStored(question)) as object,
      answers: [...byAnswer].map(([text, minors]) => ({ minors, answer: JSON.parse(text) as unknown })),
    };
  });
}

// What a resize is compared with is in its answers, as it was stored.
function withoutStored<Question extends object>(question: Question): object {
  const { stored: _, ...rest } = question as Question & { readonly stored?: unknown };
  return rest;
}

async function write<Question extends object>(
  stream: Stream<Question>,
  count: number,
  bytes: number,
  oracles: Oracles,
): Promise<readonly GoldenLine[]> {
  const questions = fc.sample(stream.questions, { seed: SEED, numRuns: count });
  const lines = await linesOf(stream, questions, oracles);
  save(`${stream.name}.jsonl`, sampleOf(lines, bytes));
  return lines;
}

/** Questions of which podrail and Kubernetes once thought differently. */
async function writeOnceDiffered(oracles: Oracles): Promise<void> {
  const written = readFileSync(join(import.meta.dirname, 'once-differed.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const lines: string[] = [];
  for (const text of written) {
    const { why, stream, question } = JSON.parse(text) as {
      readonly why: string;
      readonly stream: string;
      readonly question: object;
    };
    const known = PLANS.find((plan) => plan.stream.name === stream)?.stream as Stream<object> | undefined;
    if (known === undefined) throw new Error(`once-differed.jsonl: there is no stream ${stream}`);
    const [line] = await linesOf(known, [question], oracles);
    lines.push(JSON.stringify({ why, ...line }));
  }
  save('once-differed.jsonl', lines);
}

function save(name: string, lines: readonly string[]): void {
  mkdirSync(goldenFolder, { recursive: true });
  writeFileSync(join(goldenFolder, name), `${lines.join('\n')}\n`);
  process.stdout.write(`${name}: ${lines.length} questions\n`);
}

const oracles = new Map<string, Oracle>();
for (const minor of knownMinors()) oracles.set(minor, startOracle(await buildOracle(minor)));
try {
  await write(QUANTITIES, PLANS[0].questions, PLANS[0].bytes, oracles);
  const pods = await write(PODS, PLANS[1].questions, PLANS[1].bytes, oracles);
  save('counted.jsonl', countedOf(pods, COUNTED_BYTES));
  await write(RESIZES, PLANS[2].questions, PLANS[2].bytes, oracles);
  await writeOnceDiffered(oracles);
} finally {
  await Promise.all([...oracles.values()].map((oracle) => oracle.close()));
}
