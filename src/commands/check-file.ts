// One file of `podrail check`: read, judged, and with its patches written down where that is asked for.
import { readManifest } from '../cluster/manifest-files.ts';
import { replaceFile } from '../cluster/replace-file.ts';
import { toReason } from '../cluster/text-files.ts';
import { createLines } from '../guardrails/places.ts';
import { toUnifiedDiff } from '../manifests/diff.ts';
import { applyEdits } from '../manifests/edited-text.ts';
import { fixManifest } from '../manifests/fix.ts';
import type { ReportedMistake } from '../report/report.ts';
import { type CheckContext, type CheckedText, checkText } from './check-text.ts';

/** What becomes of the patches: nothing, a diff, or other files. */
export type Writing = 'none' | 'diff' | 'fix';

export interface CheckedFile extends CheckedText {
  /** What the patches would change in the file, where that is asked for; empty when nothing. */
  readonly diff: string;
  /** Whether the file has been written. What was found is then about what it holds now. */
  readonly isWritten: boolean;
}

/** Checks a file, or what `input` gives where it is `-`. Nothing is thrown for what is wrong with it. */
export function checkFile(file: string, context: CheckContext, writing: Writing, input: () => string): CheckedFile {
  const read = readManifest(file, input);
  if ('problem' in read) {
    if (read.offset === undefined) return unreadFile(file, read.problem);
    const place = createLines(read.text ?? '')(read.offset);
    return unread({ file, ...place, message: read.problem });
  }
  const checked: CheckedFile = { ...checkText(file, read.text, context), diff: '', isWritten: false };
  if (writing === 'none' || checked.patched.length === 0) return checked;
  return withPatches(checked, read.text, (fixed) => {
    if (writing === 'diff') return undefined;
    replaceFile(file, read.hasMark ? `\uFEFF${fixed}` : fixed);
    return checkText(file, fixed, context, checked.pods);
  });
}

/** A file, or folder, of which nothing could be read. */
export function unreadFile(file: string, problem: string): CheckedFile {
  return unread({ file, line: 0, column: 0, message: problem });
}

function unread(mistake: ReportedMistake): CheckedFile {
  const nothing = { pods: [], others: 0, noObjects: 0, exempt: 0, patched: [], faults: [] };
  return { file: mistake.file, ...nothing, mistakes: [mistake], diff: '', isWritten: false };
}

/** `write` gives what is found in what it has written; undefined when it only wants the diff. */
function withPatches(
  checked: CheckedFile,
  text: string,
  write: (fixed: string) => CheckedText | undefined,
): CheckedFile {
  const { file } = checked;
  const { edits, problems } = fixManifest(checked.patched);
  const toPlace = createLines(text);
  const unfixed = problems.map(({ offset, message }) => ({ file, ...toPlace(offset), message }));
  const all = { ...checked, mistakes: [...checked.mistakes, ...unfixed] };
  if (edits.length === 0) return all;
  try {
    const after = write(applyEdits(text, edits));
    if (after === undefined) return { ...all, diff: toUnifiedDiff(file, text, edits) };
    return { ...after, mistakes: [...after.mistakes, ...unfixed], diff: '', isWritten: true };
  } catch (error) {
    const unwritten = { file, line: 0, column: 0, message: `cannot be written: ${toReason(error)}` };
    return { ...all, mistakes: [...all.mistakes, unwritten] };
  }
}
