// What a verdict says of one pod, as findings of a report: everything but the place in the manifest.
import { UnknownNamespace } from '../admission/unknown-namespace.ts';
import type { Fault, JudgedFinding, Verdict } from '../admission/verdict.ts';
import { InvalidObject } from '../model/invalid-object.ts';
import type { Level, ReportedFinding } from '../report/report.ts';

/** A finding at its field of the pod. */
export type PodFinding = Pick<
  ReportedFinding,
  'level' | 'rule' | 'guardrail' | 'message' | 'path' | 'actual' | 'bound'
>;

/** In the order of their weight. */
export function findingsOf({ violations, warnings, fixed, audited, faults }: Verdict): readonly PodFinding[] {
  const at = (level: Level) => (finding: JudgedFinding) => toFinding(finding, level);
  return [
    ...violations.map(at('error')),
    ...faults.map(toFaultFinding),
    ...fixed.map(at('fixed')),
    ...warnings.map(at('warning')),
    ...audited.map(at('audit')),
  ];
}

function toFinding({ rule, guardrail, message, path, actual, bound }: JudgedFinding, level: Level): PodFinding {
  return { level, rule, guardrail, message, path, actual, bound };
}

// As the webhook says it, but for the record that it would point to.
function toFaultFinding({ rule, guardrail, error, denies }: Fault): PodFinding {
  return {
    level: denies ? 'error' : 'warning',
    rule: rule ?? 'podrail',
    guardrail,
    message: faultText(error),
    path: error instanceof InvalidObject ? error.path : '',
    actual: undefined,
    bound: undefined,
  };
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
