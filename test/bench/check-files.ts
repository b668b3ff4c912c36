// One side of the comparison of `--only check`, as a process of its own: parses the manifests of a folder with `yaml` alone, or checks
// them. Prints one JSON line: processor time around the work, and the most memory the process has held.
import { readFileSync } from 'node:fs';
import { cpuUsage, resourceUsage, stdout } from 'node:process';
import { Command } from 'commander';
import { parseAllDocuments } from 'yaml';
import { findManifests } from '../../src/cluster/manifest-files.ts';
import { addCheck } from '../../src/commands/check.ts';

/** What one side says. */
export interface Measured {
  /** Milliseconds of all threads. */
  readonly cpuMs: number;
  readonly megabytes: number;
  /** Documents parsed, or the closing line of the report. */
  readonly done: string;
}

function parseAlone(folder: string): string {
  let documents = 0;
  for (const { file } of findManifests(folder)) {
    for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
      document.toJS();
      documents++;
    }
  }
  return `${documents} documents`;
}

function check(folder: string): string {
  let last = '';
  const program = new Command();
  addCheck(program, {
    out: (text) => {
      last = text;
    },
    err: (text) => {
      throw new Error(text);
    },
    input: () => '',
    hasColor: false,
    hasProgress: false,
    now: () => new Date(),
    podNamespace: undefined,
    self: 'podrail',
    exit: () => undefined,
  });
  program.parse(['check', folder], { from: 'user' });
  return last.trimEnd();
}

const [side = '', folder = ''] = process.argv.slice(2);
const before = cpuUsage();
const done = side === 'yaml' ? parseAlone(folder) : check(folder);
const { user, system } = cpuUsage(before);
// maxRSS is in KiB.
const measured: Measured = { cpuMs: (user + system) / 1000, megabytes: resourceUsage().maxRSS / 1024, done };
stdout.write(`${JSON.stringify(measured)}\n`);
