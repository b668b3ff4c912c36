// Writes docs/fidelity.md, and the results it is made of, from what the suites have compared on this machine:
//
//   node test/fidelity/page.ts
//
// What was not compared here keeps its last result. It says what it takes, and of what it leaves why.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { knownMinors, releaseOf } from '../cluster/programs.ts';
import { type Exception, readResults, type Result } from './results.ts';
import { FEWEST } from './suites.ts';

const root = resolve(import.meta.dirname, '../..');
/** The last result of each suite and minor, committed so that the page can be made again anywhere. */
export const RESULTS_FILE = join(import.meta.dirname, 'results.json');
export const PAGE_FILE = join(root, 'docs/fidelity.md');

export function readCommitted(): readonly Result[] {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as readonly Result[];
}

/** Those taken in place of the others of the same suite and minor, in order. A suite that is no more is left out. */
export function merged(committed: readonly Result[], taken: readonly Result[]): readonly Result[] {
  const known = [...committed, ...taken].filter(({ suite }) => Object.hasOwn(FEWEST, suite));
  const all = new Map(known.map((result) => [keyOf(result), result]));
  return [...all.values()].sort((a, b) => compareTexts(keyOf(a), keyOf(b)));
}

/**
 * Why a result of this machine is not taken: what lies here may be older than what was committed, on whatever machine, or no evidence.
 * `release` is the one that its minor is tested with now, if it is one that is tested.
 */
export function reasonToLeave(
  result: Result,
  release: string | undefined,
  committed: readonly Result[],
): string | undefined {
  const { suite, minor, compared, at = '' } = result;
  const fewest = FEWEST[suite];
  if (fewest === undefined) return 'there is no such suite any more';
  if (result.release !== release) return `it is of ${result.release}; ${minor} is tested with ${release ?? 'nothing'}`;
  if (compared < fewest) return `${compared} were compared, of ${fewest}`;
  const { at: last = '' } = committed.find((one) => keyOf(one) === keyOf(result)) ?? {};
  return at < last ? `it is of ${at || 'nobody knows when'}, and there is one of ${last}` : undefined;
}

/** By minor, the release that it is tested with. */
export async function testedReleases(): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all(knownMinors().map(async (minor) => [minor, await releaseOf(minor)] as const)));
}

function keyOf({ suite, minor }: Result): string {
  return `${suite} ${minor}`;
}

/** The page, of results in any order. */
export function toPage(results: readonly Result[]): string {
  const releases = [...new Map(results.map(({ minor, release }) => [minor, release])).entries()].sort(([a], [b]) =>
    compareTexts(a, b),
  );
  const suites = [...new Set(results.map(({ suite }) => suite))].sort(compareTexts);
  const minors = releases.map(([minor]) => minor);
  return `${INTRODUCTION}
## What was compared

${table(
  ['', ...releases.map(([, release]) => release)],
  suites.map((suite) => [suite, ...minors.map((minor) => countText(find(results, suite, minor)))]),
)}

A number is how many were compared; all of them agree, save for what is listed below, and where the table says otherwise.

## Where podrail differs on purpose

${suites.flatMap((suite) => listOf(suite, results, minors, ({ exceptions }) => exceptions)).join('\n')}
## What could not be compared

These are in none of the numbers above.

${suites.flatMap((suite) => listOf(suite, results, minors, ({ uncompared = [] }) => uncompared)).join('\n')}`;
}

const INTRODUCTION = `<!-- Made by test/fidelity/page.ts. Do not edit. -->
# How close podrail is to Kubernetes

Kubernetes is the judge of podrail: every suite below asks Kubernetes itself, in each minor, and compares the answer with podrail's.

| suite | asks | run by |
|---|---|---|
| creates, resizes, known resizes on the API server | a real kube-apiserver without podrail: who refuses, and which fields they name | \`npm run test:cluster\` |
| resizes on the kubelet | real kubelets on nodes with neighbors, sidecars, init containers, overhead, static managers and pending resizes: Infeasible, Deferred or allocated, and which resource is short by how much | \`npm run test:cluster\` |
| quantities, pod sums, QoS classes, create and resize validation | Kubernetes' own code, compiled into one program a minor | \`npm run test:conformance\` |

Input is generated from a seed, so every number can be had again. \`node test/fidelity/page.ts\` makes this page from what was compared last.
`;

function listOf(
  suite: string,
  results: readonly Result[],
  minors: readonly string[],
  of: (result: Result) => readonly Exception[],
): readonly string[] {
  const own = results.filter((result) => result.suite === suite);
  const reasons = new Map(own.flatMap((result) => of(result).map(({ name, reason }) => [name, reason] as const)));
  if (reasons.size === 0) return [];
  const count = (name: string, minor: string): string => {
    const result = find(own, suite, minor);
    return numberText(result && of(result).find((one) => one.name === name)?.count);
  };
  const names = [...reasons.keys()].sort(compareTexts);
  const rows = names.map((name) => [name, ...minors.map((minor) => count(name, minor)), reasons.get(name) ?? '']);
  return [`### ${suite}\n\n${table(['', ...minors, 'why'], rows)}\n`];
}

function find(results: readonly Result[], suite: string, minor: string): Result | undefined {
  return results.find((result) => result.suite === suite && result.minor === minor);
}

function countText(result: Result | undefined): string {
  if (result === undefined) return '';
  const { compared, differences } = result;
  return differences === 0 ? numberText(compared) : `${numberText(compared)}, **${numberText(differences)} differ**`;
}

function numberText(count: number | undefined): string {
  return count === undefined ? '' : count.toLocaleString('en-US');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

// `1.9` comes before `1.33`.
function compareTexts(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

if (import.meta.main) {
  const committed = readCommitted();
  const releases = await testedReleases();
  const taken = readResults().filter((result) => {
    const reason = reasonToLeave(result, releases.get(result.minor), committed);
    process.stderr.write(
      `${reason === undefined ? 'takes' : 'leaves'} ${keyOf(result)}${reason ? `: ${reason}` : ''}\n`,
    );
    return reason === undefined;
  });
  const results = merged(committed, taken);
  writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE_FILE, toPage(results));
}
