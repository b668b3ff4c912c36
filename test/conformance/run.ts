// npm run test:conformance: podrail beside Kubernetes' own code, on generated input, in one minor or all of them.
import { parseArgs } from 'node:util';
import { knownMinors, releaseOf } from '../cluster/programs.ts';
import { writeResult } from '../fidelity/results.ts';
import { startOracle } from './oracle.ts';
import { buildOracle } from './oracle-build.ts';
import { reasonOf, tooMany } from './purposes.ts';
import { shrink } from './shrink.ts';
import { type Asked, askAll, type Kind, type Tally } from './stream.ts';
import { PODS, QUANTITIES, RESIZES, type Stream, type SuiteName } from './suites.ts';

const USAGE = `usage: npm run test:conformance [-- OPTIONS]
  --minor 1.37       only this minor; may be given again. All of them by default
  --short            a fiftieth of everything
  --quantities N     how many are to be compared, by default 1000000
  --pods N           by default 100000
  --resizes N        by default 100000; what cannot be stored, or differs on purpose, comes on top of each
  --seed N           by default 1; the same seed makes the same input
`;
interface Plan {
  readonly minors: readonly string[];
  readonly seed: number;
  readonly counts: Readonly<Record<Stream<object>['name'], number>>;
}

const NUMBER = { type: 'string' } as const;
const OPTIONS = {
  minor: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  short: { type: 'boolean' },
  quantities: NUMBER,
  pods: NUMBER,
  resizes: NUMBER,
  seed: NUMBER,
} as const;

/** Throws what parseArgs throws. */
function readPlan(): Plan | undefined {
  const { values } = parseArgs({ options: OPTIONS });
  const share = values.short ? 50 : 1;
  const minors = values.minor === undefined ? knownMinors() : [...new Set(values.minor)];
  const counts = {
    quantities: Number(values.quantities ?? WHOLE.quantities / share),
    pods: Number(values.pods ?? WHOLE.pods / share),
    resizes: Number(values.resizes ?? WHOLE.resizes / share),
  };
  const seed = Number(values.seed ?? 1);
  const isPlan =
    [seed, ...Object.values(counts)].every((count) => Number.isSafeInteger(count) && count >= 0) &&
    minors.every((minor) => knownMinors().includes(minor));
  return isPlan ? { minors, seed, counts } : undefined;
}

const STREAMS = [QUANTITIES, PODS, RESIZES] as const;
const WHOLE = { quantities: 1_000_000, pods: 100_000, resizes: 100_000 } as const;

async function run({ minors, seed, counts }: Plan): Promise<boolean> {
  const asked: Asked[] = [];
  for (const minor of minors) asked.push({ minor, oracle: startOracle(await buildOracle(minor)) });
  try {
    const tallies = new Map(minors.map((minor) => [minor, new Map<SuiteName, Tally>()]));
    await ask(QUANTITIES, counts.quantities, seed, asked, tallies);
    await ask(PODS, counts.pods, seed, asked, tallies);
    await ask(RESIZES, counts.resizes, seed, asked, tallies);
    const over = [...tallies].flatMap(([minor, suites]) =>
      [...suites].flatMap(([suite, { compared, exceptions }]) =>
        tooMany(exceptions, compared).map((what) => `${minor} ${suite}: too many exceptions: ${what}`),
      ),
    );
    const isWhole = STREAMS.every(({ name }) => counts[name] >= WHOLE[name]);
    for (const { minor } of asked) await report(minor, seed, tallies.get(minor) ?? new Map(), isWhole);
    const found = [...tallies.values()].flatMap((suites) =>
      [...suites.values()].flatMap((tally) => [...tally.found.values()]),
    );
    for (const kind of found) await tell(kind, asked);
    for (const what of over) say(`${what}\n`);
    return found.length + over.length === 0;
  } finally {
    await Promise.all(asked.map(({ oracle }) => oracle.close()));
  }
}

async function ask<Question extends object>(
  stream: Stream<Question>,
  count: number,
  seed: number,
  asked: readonly Asked[],
  tallies: ReadonlyMap<string, Map<SuiteName, Tally>>,
): Promise<void> {
  if (count === 0) return;
  const started = performance.now();
  const all = await askAll(stream, count, seed, asked, tallies);
  say(`${all} ${stream.name} asked in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

// What was compared in a shorter run is no evidence for docs/fidelity.md.
async function report(
  minor: string,
  seed: number,
  suites: ReadonlyMap<SuiteName, Tally>,
  isWhole: boolean,
): Promise<void> {
  const release = await releaseOf(minor);
  for (const [suite, { compared, differences, exceptions }] of suites) {
    const named = [...exceptions].map(([name, count]) => ({ name, count, reason: reasonOf(name) }));
    if (isWhole) writeResult({ suite, minor, release, compared, differences, exceptions: named, seed });
    const onPurpose = named.map(({ name, count }) => `${count} ${name}`).join(', ');
    say(
      `${release}  ${suite}: ${compared} compared, ${differences} differences${onPurpose && `; on purpose: ${onPurpose}`}\n`,
    );
  }
}

async function tell({ count, first: found }: Kind, asked: readonly Asked[]): Promise<void> {
  const oracle = asked.find(({ minor }) => minor === found.minor)?.oracle;
  if (oracle === undefined) return;
  const stream = STREAMS.find(({ name }) => name === found.stream) as Stream<object> | undefined;
  if (stream === undefined) return;
  const { question, difference } = await shrink(stream, found, oracle);
  say(
    `\n${found.minor} ${found.suite}: ${difference.kind}: ${count} of them, the smallest (seed ${found.seed})\n  ${difference.detail}\n  ${JSON.stringify(question)}\n`,
  );
}

function say(text: string): void {
  process.stdout.write(text);
}

/** undefined when the command line is none of the usage. */
function planOf(): Plan | undefined {
  try {
    return readPlan();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

const plan = planOf();
if (plan === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else if (!(await run(plan))) process.exitCode = 1;
