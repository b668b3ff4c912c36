// Writes docs/fidelity.md, and the results it is made of, from what the suites have compared on this machine:
//
//   node test/fidelity/page.ts
//
// What was not compared here keeps its last result.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Exception, readResults, type Result } from './results.ts';
import { FEWEST } from './suites.ts';

const root = resolve(import.meta.dirname, '../..');
/** The last result of each suite and minor, committed so that the page can be made again anywhere. */
export const RESULTS_FILE = join(import.meta.dirname, 'results.json');
export const PAGE_FILE = join(root, 'docs/fidelity.md');

export function readCommitted(): readonly Result[] {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as readonly Result[];
}

/** The newer in place of the older of the same suite and minor, in order. A suite that is no more is left out. */
export function merged(older: readonly Result[], newer: readonly Result[]): readonly Result[] {
  const key = ({ suite, minor }: Result): string => `${suite} ${minor}`;
  const known = [...older, ...newer].filter(({ suite }) => Object.hasOwn(FEWEST, suite));
  const all = new Map(known.map((result) => [key(result), result]));
  return [...all.values()].sort((a, b) => compareTexts(key(a), key(b)));
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
| resizes on the kubelet | real kubelets on nodes with neighbors, sidecars, init containers, overhead, static managers and pending resizes: Infeasible, Deferred or allocated | \`npm run test:cluster\` |
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
  const results = merged(readCommitted(), readResults());
  writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE_FILE, toPage(results));
}
