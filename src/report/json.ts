// The report for a program: one JSON object, written as it is found.
import type { Report, ReportedFile, ReportedFinding, ReportedMistake, ReportedPod } from './report.ts';

/** `podrail.dev/check/v1`: findings, then what could not be read, then the sums. */
export function createJsonReport(): Report {
  const mistakes: ReportedMistake[] = [];
  let separator = '\n    ';
  return {
    begin: () => '{\n  "schema": "podrail.dev/check/v1",\n  "findings": [',
    add(file) {
      mistakes.push(...file.mistakes);
      let text = '';
      for (const finding of file.pods.flatMap((pod) => findingsOf(file, pod))) {
        text += separator + JSON.stringify(finding);
        separator = ',\n    ';
      }
      return text;
    },
    end: (totals) =>
      `${separator.startsWith(',') ? '\n  ' : ''}],\n  "mistakes": ${JSON.stringify(mistakes)},\n  "totals": ${JSON.stringify(totals)}\n}\n`,
  };
}

function findingsOf({ file }: ReportedFile, { kind, namespace, name, findings }: ReportedPod): readonly object[] {
  return findings.map((finding) => ({ file, ...toJson(finding), object: { kind, namespace, name } }));
}

function toJson({ source: _shown, guardrail, actual, bound, ...finding }: ReportedFinding): object {
  return { ...finding, guardrail: guardrail ?? null, actual: actual ?? null, bound: bound ?? null };
}
