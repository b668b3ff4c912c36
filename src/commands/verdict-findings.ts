// What a verdict says of one pod, as findings of a report: everything but the place in the manifest.
import { UnknownNamespace } from '../admission/unknown-namespace.ts';
import type { Fault, JudgedFinding, Verdict } from '../admission/verdict.ts';
import { everyProblem } from '../model/every-problem.ts';
import { InvalidObject } from '../model/invalid-object.ts';
import { readPod } from '../model/read-pod.ts';
import type { Level, ReportedFinding } from '../report/report.ts';

/** A finding at its field of the pod. */
export type PodFinding = Pick<
  ReportedFinding,
  'level' | 'rule' | 'guardrail' | 'message' | 'path' | 'actual' | 'bound'
>;

/** In the order of their weight. `pod` is what was judged, and `field` where in its manifest it should stand. */
export function findingsOf(
  { violations, warnings, fixed, audited, faults }: Verdict,
  pod: unknown,
  field: string,
): readonly PodFinding[] {
  const at = (level: Level) => (finding: JudgedFinding) => toFinding(finding, level);
  return [
    ...violations.map(at('error')),
    ...faults.flatMap((fault) => toFaultFindings(fault, pod, field)),
    ...fixed.map(at('fixed')),
    ...warnings.map(at('warning')),
    ...audited.map(at('audit')),
  ];
}

function toFinding({ rule, guardrail, message, path, actual, bound }: JudgedFinding, level: Level): PodFinding {
  return { level, rule, guardrail, message, path, actual, bound };
}

// As the webhook says it, but for the record that it would point to.
function toFaultFindings(fault: Fault, pod: unknown, field: string): readonly PodFinding[] {
  const { error } = fault;
  if (!(error instanceof InvalidObject)) return [toFaultFinding(fault, faultText(error), '')];
  // The webhook stops at the first; none is left where only a patch has made the pod unreadable.
  const every = everyProblem(pod, readPod);
  return (every.length === 0 ? [error] : every).map(({ path, problem, message }) => {
    const said = path === '' ? [field, problem].filter((part) => part !== '').join(' ') : message;
    return toFaultFinding(fault, `podrail cannot read this pod: ${said}`, path);
  });
}

function toFaultFinding({ rule, guardrail, denies }: Fault, message: string, path: string): PodFinding {
  const level = denies ? 'error' : 'warning';
  return { level, rule: rule ?? 'podrail', guardrail, message, path, actual: undefined, bound: undefined };
}

/** What could not be judged, and what to do about it. */
export function faultText(error: Error): string {
  if (error instanceof InvalidObject) return `podrail cannot read this pod: ${error.message}`;
  if (error instanceof UnknownNamespace) return `${error.message}; --cluster FILE can tell it`;
  return 'podrail could not check this; standard error says why';
}

/** Whether it is a mistake in podrail itself, of which a person must see the stack. */
export function isUnexpected({ error }: Fault): boolean {
  return !(error instanceof InvalidObject) && !(error instanceof UnknownNamespace);
}
