// Where both refuse, and what podrail says of it is podrail's own reason: Kubernetes would refuse only some of what podrail does there.
import type { FieldError } from './answers.ts';
import type { RuleFinding } from './core-findings.ts';
import type { Exception } from './exception.ts';
import type { Seen } from './named-values.ts';
import { NEW_CLAIMS, purposeOf, UNCOUNTABLE } from './refused-more.ts';
import { says } from './refusals.ts';

interface OtherReason extends Exception {
  /** The exception that podrail's reason is where Kubernetes accepts the pod. */
  readonly purpose: string;
  /** What Kubernetes says. */
  readonly message: RegExp;
}

export const OTHER_REASONS: readonly OtherReason[] = [
  {
    name: 'quantity-valid: said to be no whole number',
    purpose: UNCOUNTABLE,
    message: /must be an integer|is not positive integer multiple of/,
    most: 0.004,
    reason:
      'both refuse it: Kubernetes asks whether devices and huge pages are whole by a count that overflows, and finds some of those to be none',
  },
  {
    name: 'resize-only-cpu-memory: new claims of nothing',
    purpose: NEW_CLAIMS,
    message: /^Not found/,
    most: 0.045,
    reason:
      'both refuse it: podrail any claim that is added, Kubernetes through 1.36 only one that its pod does not name',
  },
];

/** The name of the exception that an error is of which only podrail's own findings say the same; undefined where none does. */
export function otherReasonOf(
  error: FieldError,
  own: readonly RuleFinding[],
  minor: string,
  seen: Seen,
): string | undefined {
  const purposes = own
    .filter((finding) => says(finding, error))
    .map((finding) => purposeOf(finding, true, minor, seen));
  return OTHER_REASONS.find(({ purpose, message }) => message.test(error.message) && purposes.includes(purpose))?.name;
}
