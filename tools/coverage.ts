// Every line of the pure folders is run by a test: `npm run coverage`. Unlike node's own threshold it also sees
// files that no test has loaded, and names each line that was not run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const report = join(root, 'coverage/lcov.info');
const FOLDERS = ['model', 'rules', 'guardrails', 'admission'];
/** These start processes of their own and take long; they cover nothing in this one. */
const SLOW = ['test/package.test.ts', 'test/start.test.ts'];

/** Runs the tests; true when they passed. Prints node's plain summary, and writes the report. */
async function runTests(): Promise<boolean> {
  mkdirSync(dirname(report), { recursive: true });
  const files = globSync('test/{*,!(bench|cluster)/**/*}.test.ts', { cwd: root }).filter(
    (file) => !SLOW.includes(file),
  );
  const args = [
    '--test',
    '--test-timeout=180000',
    '--experimental-test-coverage',
    ...FOLDERS.map((folder) => `--test-coverage-include=src/${folder}/**`),
    '--test-reporter=dot',
    '--test-reporter-destination=stdout',
    '--test-reporter=lcov',
    `--test-reporter-destination=${report}`,
    ...files,
  ];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [code: number | null];
  return code === 0;
}

/** lcov → the lines of each file, with how often each was run. */
function linesOf(lcov: string): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const files = new Map<string, Map<number, number>>();
  let lines = new Map<number, number>();
  for (const row of lcov.split('\n')) {
    if (row.startsWith('SF:')) files.set(row.slice(3).replaceAll('\\', '/'), (lines = new Map<number, number>()));
    const [line, count] = row.startsWith('DA:') ? row.slice(3).split(',').map(Number) : [];
    if (line !== undefined && count !== undefined) lines.set(line, (lines.get(line) ?? 0) + count);
  }
  return files;
}

/** Whether nothing is left of a file without its types and comments. */
function hasOnlyTypes(file: string): boolean {
  const code = stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'));
  return code.replace(/\/\*[^]*?\*\/|\/\/.*|export \{\};?|import .*?;/g, '').trim() === '';
}

const passed = await runTests();
const seen = linesOf(readFileSync(report, 'utf8'));
const files = globSync(`src/{${FOLDERS.join(',')}}/**/*.ts`, { cwd: root }).sort();
const loaded = files.filter((file) => !hasOnlyTypes(file));
const missed = loaded.flatMap((file) => {
  const lines = seen.get(file);
  if (lines === undefined) return [`${file}: no test loads it`];
  return [...lines].filter(([, count]) => count === 0).map(([line]) => `${file}:${line}: no test runs this line`);
});
const total = loaded.reduce((sum, file) => sum + (seen.get(file)?.size ?? 0), 0);

process.stdout.write(`\n${missed.map((line) => `${line}\n`).join('')}`);
process.stdout.write(
  missed.length === 0
    ? `coverage: all ${total} lines of ${loaded.length} pure files are run by a test\n`
    : `coverage: ${missed.length} gaps in the pure folders, listed above\n`,
);
process.exitCode = passed && missed.length === 0 ? 0 : 1;
