// Kubernetes' reasons to refuse a pod, each with the rule of podrail that says the same and the field that it names.
import { word } from '../../src/rules/message.ts';
import type { FieldError } from './answers.ts';

/** A reason that podrail answers for. */
export interface Covered {
  readonly rules: readonly string[];
  /** The path of a finding is this one, or below it. */
  readonly path: string;
}

/** The field of an error taken apart. */
interface Place {
  readonly field: string;
  readonly message: string;
  /** `spec.containers[0]` of whatever is in a container, else the field. */
  readonly container: string;
}

interface Reason {
  readonly field: RegExp;
  readonly message: RegExp;
  readonly rules: readonly string[];
  /** By default the field itself. */
  readonly path?: (place: Place) => string;
}

const IN_CONTAINER = /^spec\.(?:initContainers|containers)\[\d+\]/;
const LISTS = /\.(?:requests|limits)(?:\[.*\])?$/;
const ANYWHERE = () => '';

/** In this order: the first that fits counts. */
const REASONS: readonly Reason[] = [
  {
    field: /\.requests$/,
    message: /must be (?:less than or equal|equal) to .* limit of /,
    rules: ['requests-within-limits'],
    path: ({ field, message }) => `${field}[${word(/equal to (.*) limit of /.exec(message)?.[1] ?? '')}]`,
  },
  { field: /\.limits$/, message: /Limit must be set for non overcommitable/, rules: ['requests-within-limits'] },
  {
    // Said of the limit as well, which is the same amount or is found to be another one.
    field: LISTS,
    message: /must be an integer|is not positive integer multiple of/,
    // What Kubernetes cannot count, it does not find to be whole.
    rules: ['requests-within-limits', 'quantity-valid'],
    path: ({ field }) => field.replace(LISTS, ''),
  },
  {
    field: /^spec\.resources\.requests\[/,
    message: /greater than or equal to aggregate container requests/,
    rules: ['requests-within-limits'],
  },
  {
    field: /^spec\.resources\.limits\[/,
    message: /greater than or equal to aggregate container limits/,
    rules: ['requests-within-limits'],
  },
  {
    // Kubernetes writes spec.resources.containers[0][cpu].limits.
    field: /^spec\.resources\.containers\[\d+\]\[.*\]\.limits$/,
    message: /less than or equal to pod limits/,
    rules: ['requests-within-limits'],
    path: ({ field }) =>
      field.replace(/^spec\.resources\.(containers\[\d+\])(\[.*\])\.limits$/, 'spec.$1.resources.limits$2'),
  },
  {
    field: /^spec\.overhead\.limits\[/,
    message: /must be greater than or equal to 0/,
    rules: ['quantity-valid'],
    path: ({ field }) => field.replace('.limits', ''),
  },
  {
    // A request that is left out is its limit: said of both, and podrail says it once.
    field: LISTS,
    message: /must be greater than or equal to 0/,
    rules: ['quantity-valid'],
    path: ({ field, container }) => (container === field ? field : container),
  },
  { field: /\.resizePolicy\b/, message: /./, rules: ['resize-policy-valid', 'resize-only-cpu-memory'] },
  {
    field: /\.restartPolicy$/,
    message: /Unsupported value|may not be set for non-init containers/,
    rules: ['sidecar-restart-policy'],
  },
  {
    field: /\.(?:startupProbe|livenessProbe|readinessProbe|lifecycle)$/,
    message: /may not be set for init containers without restartPolicy=Always/,
    rules: ['sidecar-restart-policy'],
    path: ({ container }) => container,
  },
  { field: /^spec$/, message: /Pod QOS Class may not change/, rules: ['resize-keeps-qos'] },
  {
    field: /^spec$/,
    message: /node without support for resize/,
    rules: ['resize-supported-pod'],
    path: () => 'status.containerStatuses',
  },
  {
    field: /^spec$/,
    message: /node allocatable resource claims cannot be resized/,
    rules: ['resize-supported-pod'],
    path: () => 'status.nodeAllocatableResourceClaimStatuses',
  },
  // These have an empty path, which the API server prints as `[]` or `<nil>`.
  {
    field: /^(?:\[\]|<nil>|)$/,
    message: /(?:static|windows) pods cannot|pods with pod-level resources/,
    rules: ['resize-supported-pod'],
    path: ANYWHERE,
  },
  {
    field: /^spec\.(?:initContainers|containers)(?:\[\d+\]\.name)?$/,
    message: /may not be (?:added or removed|renamed or reordered) on resize|^Required value/,
    rules: ['resize-keeps-containers'],
    path: ({ field }) => field.replace(/\.name$/, ''),
  },
  {
    field: /\.(?:requests|limits)$/,
    message: /resource (?:requests|limits) cannot be removed/,
    rules: ['resize-keeps-resources'],
  },
  {
    field: /\.limits\[memory\]$/,
    message: /memory limits cannot be (?:added|decreased) unless/,
    rules: ['resize-memory-limit'],
  },
  {
    field: /^spec$/,
    message: /resources for non-sidecar init containers are immutable/,
    rules: ['resize-init-container', 'resize-only-cpu-memory'],
    path: () => 'spec.initContainers',
  },
  {
    field: IN_CONTAINER,
    message: /non-sidecar init containers with a resize policy of RestartContainer/,
    rules: ['resize-init-container'],
  },
  // A container with claims differs from itself, since the comparison leaves them out on one side.
  {
    field: /^spec$|^spec\.initContainers\[\d+\]$/,
    message: /only cpu and memory resources/,
    rules: ['resize-only-cpu-memory', 'resize-supported-pod'],
  },
  { field: /\.resources\.claims\[\d+\]$/, message: /^Not found/, rules: ['resize-only-cpu-memory'], path: claimsOf },
];

function claimsOf({ container }: Place): string {
  return `${container}.resources.claims`;
}

/** What is not podrail's business: how resources and containers may be called, and what only Windows or huge pages lack. */
const OUTSIDE: readonly Pick<Reason, 'field' | 'message'>[] = [
  {
    field: /\.(?:requests|limits)\[.*\]$/,
    message: /must be a standard resource|name part must consist|extended resource name standard|^Unsupported value/,
  },
  { field: /\.name$/, message: /^Duplicate value/ },
  { field: /^spec\.resources$/, message: /may not be set for a windows pod/ },
  { field: /\.resources$/, message: /HugePages require cpu or memory/ },
  { field: /\.(?:requests|limits)\[hugepages-(?!\d)/, message: /is not positive integer multiple of/ },
];

/** What podrail has to say to this error: what to look for, `outside` when it is not its business, undefined when nobody knows. */
export function coveredBy({ field, message }: FieldError): Covered | 'outside' | undefined {
  const fits = (reason: Pick<Reason, 'field' | 'message'>) => reason.field.test(field) && reason.message.test(message);
  if (OUTSIDE.some(fits)) return 'outside';
  const reason = REASONS.find(fits);
  if (reason === undefined) return undefined;
  const container = IN_CONTAINER.exec(field)?.[0] ?? field;
  return { rules: reason.rules, path: reason.path?.({ field, message, container }) ?? field };
}

/** After these the API server looks no further, so that it is silent about everything else. */
export function endsValidation({ field, message }: FieldError): boolean {
  return /^(?:\[\]|<nil>|)$/.test(field) || /on resize$|for a windows pod/.test(message);
}
