// Runs the tests of this folder against a real API server, after building what is missing of it. With KUBEBUILDER_ASSETS
// nothing is built, and the tests that need more than envtest has are skipped.
//
//   node test/cluster/run.ts                 the newest minor
//   node test/cluster/run.ts --minor 1.33    that one; may be given several times
//   node test/cluster/run.ts --all           every minor that has a module in kubernetes/
//   node test/cluster/run.ts --short         a tenth of what is generated
//   node test/cluster/run.ts FILE…           only these files of tests
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPrograms } from './build.ts';
import { runInForeground } from './foreground.ts';
import { knownMinors, PROGRAMS, repository } from './programs.ts';
import { buildUpdater } from './vpa.ts';

// Each file starts a cluster of its own and waits much, so that two cores have room for two. Four take 4 GB of memory.
const SIDE_BY_SIDE = Math.min(4, availableParallelism());

interface Plan {
  /** As asked for; undefined where nobody asked for one. */
  readonly minors: readonly string[] | undefined;
  readonly isShort: boolean;
  readonly files: readonly string[];
}

function readPlan(): Plan | undefined {
  try {
    const { values, positionals } = parseArgs({
      options: {
        minor: { type: 'string', multiple: true },
        all: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const all = globSync('*.test.ts', { cwd: import.meta.dirname }).map((name) => join(import.meta.dirname, name));
    return {
      minors: values.all ? knownMinors() : values.minor && [...new Set(values.minor)],
      isShort: values.short,
      files: positionals.length > 0 ? positionals : all,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

const plan = readPlan();
process.exitCode = plan === undefined ? 2 : await runAll(plan);

async function runAll({ minors, isShort, files }: Plan): Promise<number> {
  const short = isShort ? { PODRAIL_TEST_SHORT: '1' } : {};
  if (process.env['KUBEBUILDER_ASSETS']) {
    if (minors) return complain('KUBEBUILDER_ASSETS decides the version; unset it to choose another');
    return runTests(files, short);
  }
  const known = knownMinors();
  const chosen = minors ?? known.slice(-1);
  const unknown = chosen.filter((minor) => !known.includes(minor));
  if (unknown.length > 0) return complain(`no module for ${unknown.join(', ')}; there are ${known.join(', ')}`);
  await buildUpdater();
  let worst = 0;
  for (const minor of chosen) {
    await buildPrograms(minor, PROGRAMS);
    process.stderr.write(`Kubernetes ${minor}\n`);
    worst = Math.max(worst, await runTests(files, { ...short, PODRAIL_TEST_MINOR: minor }));
  }
  return worst;
}

function complain(problem: string): number {
  process.stderr.write(`${problem}\n`);
  return 2;
}

function runTests(files: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const flags = ['--test', `--test-concurrency=${SIDE_BY_SIDE}`, '--test-timeout=600000', '--test-reporter=spec'];
  return runInForeground(process.execPath, [...flags, ...files], { cwd: repository, env });
}
