// Kubernetes' reasons to refuse a pod, each with the rules of podrail that say the same and the field that they name.
import { word } from '../../src/rules/message.ts';
import type { FieldError } from './answers.ts';

/** What podrail may say of it. */
export interface Covered {
  readonly rule: string;
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
  readonly rule: string;
  /** By default the field itself. */
  readonly path?: (place: Place) => string;
}

const IN_CONTAINER = /^spec\.(?:initContainers|containers)\[\d+\]/;
/** An empty path, as the API server prints it. */
const NO_PATH = /^(?:\[\]|<nil>|)$/;
const LISTS = /\.(?:requests|limits)(?:\[.*\])?$/;

/** Any that fits may be what podrail says. */
const REASONS: readonly Reason[] = [
  // Of a value.
  {
    field: /\.requests$/,
    message: /must be (?:less than or equal|equal) to .* limit of /,
    rule: 'requests-within-limits',
    path: ({ field, message }) => `${field}[${word(/equal to (.*) limit of /.exec(message)?.[1] ?? '')}]`,
  },
  { field: /\.limits$/, message: /Limit must be set for non overcommitable/, rule: 'requests-within-limits' },
  ...['requests-within-limits', 'quantity-valid'].map(
    (rule): Reason => ({
      // Said of the limit as well, which is the same amount or is found to be another one. What Kubernetes cannot count, it does
      // not find to be whole.
      field: LISTS,
      message: /must be an integer|is not positive integer multiple of/,
      rule,
      path: ({ field }) => field.replace(LISTS, ''),
    }),
  ),
  {
    field: /^spec\.resources\.(?:requests|limits)\[/,
    message: /greater than or equal to aggregate container/,
    rule: 'requests-within-limits',
  },
  {
    // Kubernetes writes spec.resources.containers[0][cpu].limits.
    field: /^spec\.resources\.containers\[\d+\]\[.*\]\.limits$/,
    message: /less than or equal to pod limits/,
    rule: 'requests-within-limits',
    path: ({ field }) =>
      field.replace(/^spec\.resources\.(containers\[\d+\])(\[.*\])\.limits$/, 'spec.$1.resources.limits$2'),
  },
  {
    field: /^spec\.overhead\.limits\[/,
    message: /must be greater than or equal to 0/,
    rule: 'quantity-valid',
    path: ({ field }) => field.replace('.limits', ''),
  },
  {
    // What is completed from negative amounts is negative too, and from uncountable ones uncountable.
    field: /^spec\.resources\./,
    message: /must be greater than or equal to 0|is not positive integer multiple of/,
    rule: 'quantity-valid',
    path: () => '',
  },
  {
    // A request that is left out is its limit: said of both, and podrail says it once.
    field: LISTS,
    message: /must be greater than or equal to 0/,
    rule: 'quantity-valid',
    path: ({ field, container }) => (container === field ? field : container),
  },

  // Of what a container is.
  { field: /\.resizePolicy\b/, message: /./, rule: 'resize-policy-valid' },
  {
    field: /\.resizePolicy\b/,
    message: /./,
    rule: 'resize-only-cpu-memory',
    path: ({ container }) => `${container}.resizePolicy`,
  },
  {
    field: /\.restartPolicy$/,
    message: /Unsupported value|may not be set for non-init containers/,
    rule: 'sidecar-restart-policy',
  },
  {
    field: /\.(?:startupProbe|livenessProbe|readinessProbe|lifecycle)$/,
    message: /may not be set for init containers without restartPolicy=Always/,
    rule: 'sidecar-restart-policy',
    path: ({ container }) => container,
  },

  // Of what a resize is.
  { field: /^spec$/, message: /Pod QOS Class may not change/, rule: 'resize-keeps-qos' },
  {
    field: /^spec$/,
    message: /node without support for resize/,
    rule: 'resize-supported-pod',
    path: () => 'status.containerStatuses',
  },
  {
    field: /^spec$/,
    message: /node allocatable resource claims cannot be resized/,
    rule: 'resize-supported-pod',
    path: () => 'status.nodeAllocatableResourceClaimStatuses',
  },
  {
    field: NO_PATH,
    message: /(?:static|windows) pods cannot|pods with pod-level resources/,
    rule: 'resize-supported-pod',
    path: () => '',
  },
  {
    field: /^spec\.(?:initContainers|containers)(?:\[\d+\]\.name)?$/,
    message: /may not be (?:added or removed|renamed or reordered) on resize|^Required value/,
    rule: 'resize-keeps-containers',
    path: ({ field }) => field.replace(/\.name$/, ''),
  },
  {
    field: /\.(?:requests|limits)$/,
    message: /resource (?:requests|limits) cannot be removed/,
    rule: 'resize-keeps-resources',
  },
  { field: /^spec\.resources$/, message: /resources cannot be removed/, rule: 'resize-keeps-resources' },
  {
    field: /\.limits\[memory\]$/,
    message: /memory limits cannot be (?:added|decreased) unless/,
    rule: 'resize-memory-limit',
  },
  ...['resize-init-container', 'resize-only-cpu-memory'].map(
    (rule): Reason => ({
      field: /^spec$/,
      message: /resources for non-sidecar init containers are immutable/,
      rule,
      path: () => 'spec.initContainers',
    }),
  ),
  ...['resize-init-container', 'resize-only-cpu-memory'].map(
    (rule): Reason => ({
      field: IN_CONTAINER,
      message: /non-sidecar init containers with a resize policy of RestartContainer/,
      rule,
    }),
  ),
  // A container with claims differs from itself, since the comparison leaves them out on one side; and a removed resource is
  // no other one.
  ...['resize-only-cpu-memory', 'resize-supported-pod', 'resize-keeps-resources'].map(
    (rule): Reason => ({
      field: /^spec$|^spec\.initContainers\[\d+\]$/,
      message: /only cpu and memory resources/,
      rule,
    }),
  ),
  {
    field: /\.resources\.claims\[\d+\]$/,
    message: /^Not found/,
    rule: 'resize-only-cpu-memory',
    path: ({ container }) => `${container}.resources.claims`,
  },
];

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

/** What podrail may say instead of this error, none when nobody knows it; `outside` when it is not podrail's business. */
export function coveredBy({ field, message }: FieldError): readonly Covered[] | 'outside' {
  const fits = (reason: Pick<Reason, 'field' | 'message'>) => reason.field.test(field) && reason.message.test(message);
  if (OUTSIDE.some(fits)) return 'outside';
  const container = IN_CONTAINER.exec(field)?.[0] ?? field;
  return REASONS.filter(fits).map(({ rule, path }) => ({ rule, path: path?.({ field, message, container }) ?? field }));
}

/** After these the API server looks no further, so that it is silent about everything else. */
export function endsValidation({ field, message }: FieldError): boolean {
  return NO_PATH.test(field) || /on resize$|for a windows pod/.test(message);
}
