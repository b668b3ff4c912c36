// The run of `podrail check`: file after file, each reported and forgotten before the next is read.
import { findManifests } from '../cluster/manifest-files.ts';
import { toMistakeText } from '../guardrails/mistake.ts';
import type { Report, Totals } from '../report/report.ts';
import { type CheckedFile, checkFile, unreadFile, type Writing } from './check-file.ts';
import type { CheckContext } from './check-text.ts';
import { createProgress } from './progress.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface CheckRun {
  readonly context: CheckContext;
  readonly report: Report;
  /** Where the report goes. */
  readonly say: (text: string) => void;
  readonly writing: Writing;
  readonly terminal: Terminal;
}

// A wrong path, or a chart that gives nothing, must not look like manifests in which all is well.
const NOTHING_TO_CHECK = 'holds nothing to check: no document in it is a Kubernetes object';

/** Checks what the paths name, to the end, whatever is wrong with some of it. Gives the code to end with. */
export function checkFiles(paths: readonly string[], run: CheckRun): ExitCode {
  const { context, report, say, writing, terminal } = run;
  const sums = createSums();
  const progress = createProgress(terminal);
  say(report.begin());
  for (const path of paths) {
    for (const named of path === '-' ? [{ file: path }] : findManifests(path)) {
      progress.show(sums.files());
      const checked =
        'problem' in named
          ? unreadFile(named.file, named.problem)
          : checkFile(named.file, context, writing, terminal.input);
      sums.add(checked);
      tell(checked, run, progress.clear);
    }
  }
  if (sums.isEmpty()) {
    for (const path of paths) {
      const empty = unreadFile(path, NOTHING_TO_CHECK);
      sums.addMistakes(empty);
      tell(empty, run, progress.clear);
    }
  }
  progress.clear();
  const totals = sums.totals();
  say(report.end(totals));
  if (totals.mistakes > 0) return 2;
  return totals.findings.error > 0 ? 1 : 0;
}

function tell(checked: CheckedFile, { report, say, terminal }: CheckRun, clear: () => void): void {
  const aside = [
    ...checked.mistakes.map(toMistakeText),
    ...checked.faults.map(({ error }) => `podrail: ${error.stack ?? error.message}`),
    ...(checked.isWritten ? [`${checked.file} has been fixed`] : []),
  ];
  const text = report.add(checked);
  if (text + checked.diff === '' && aside.length === 0) return;
  clear();
  for (const line of aside) terminal.err(`${line}\n`);
  if (checked.diff !== '') terminal.out(checked.diff);
  if (text !== '') say(text);
}

interface Sums {
  readonly add: (checked: CheckedFile) => void;
  /** Of what is no file of its own. */
  readonly addMistakes: (checked: CheckedFile) => void;
  /** Whether no object was found, and nothing that could not be read. */
  readonly isEmpty: () => boolean;
  readonly files: () => number;
  readonly totals: () => Totals;
}

function createSums(): Sums {
  const findings = { error: 0, warning: 0, fixed: 0, audit: 0 };
  const sums = { files: 0, pods: 0, others: 0, noObjects: 0, exempt: 0, mistakes: 0 };
  return {
    add({ pods, others, noObjects, exempt, mistakes }) {
      sums.files++;
      sums.pods += pods.length;
      sums.others += others;
      sums.noObjects += noObjects;
      sums.exempt += exempt;
      sums.mistakes += mistakes.length;
      for (const pod of pods) for (const { level } of pod.findings) findings[level]++;
    },
    addMistakes: ({ mistakes }) => {
      sums.mistakes += mistakes.length;
    },
    isEmpty: () => sums.pods + sums.others + sums.exempt + sums.mistakes === 0,
    files: () => sums.files,
    totals: () => ({ ...sums, findings }),
  };
}
