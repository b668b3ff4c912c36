// Kubernetes' reasons to refuse a pod, each with the rules of podrail that say the same and the field that they name.
import { bareWord, word } from '../../src/rules/message.ts';
import type { Finding } from '../../src/rules/rule.ts';
import type { FieldError } from './answers.ts';

/** What podrail may say of it. */
export interface Covered {
  readonly rule: string;
  /** Whether a finding of that rule is about what the error is about. */
  readonly isSaidBy: (finding: Said) => boolean;
  /** Whether Kubernetes says it once for each container that it is so of, and not of which. */
  readonly isOfEach: boolean;
}

/** Where a finding is, what it says is there, and of whom. */
type Said = Pick<Finding, 'path' | 'actual' | 'message'>;

/** The field of an error taken apart. */
interface Place {
  readonly field: string;
  readonly message: string;
  /** `spec.containers[0]` of whatever is in a container, else the field. */
  readonly container: string;
}

type At = (said: Said, place: Place) => boolean;

interface Reason {
  readonly field: RegExp;
  readonly message: RegExp;
  readonly rule: string;
  /** By default where the path is the field itself. */
  readonly at?: At;
  /** Kubernetes says it once for each container that it is so of, and not of which. */
  readonly isOfEach?: true;
}

const IN_CONTAINER = /^spec\.(?:initContainers|containers)\[\d+\]/;
/** An empty path, as the API server prints it. */
const NO_PATH = /^(?:\[\]|<nil>|)$/;
const LISTS = /\.(?:requests|limits)(?:\[.*\])?$/;

const CONTAINER = /^spec\.(?:initContainers|containers)\[\d+\]$/;

/** Exactly there, as podrail writes it. */
function atPath(path: (place: Place) => string): At {
  return (said, place) => said.path === path(place);
}

/** Of some entry of the list or map that the error is about. */
function atEntry({ path }: Said, { field }: Place): boolean {
  return path.startsWith(`${field}[`) && path.endsWith(']');
}

/** Of the same resource in the list that the error is about or in the other one. */
function inEitherList({ path }: Said, { field }: Place): boolean {
  return withoutList(path) === withoutList(field);
}

function withoutList(path: string): string {
  const [, place, name = ''] = /^(.*)\.(?:requests|limits)(?:\[(.*)\])?$/.exec(path) ?? [];
  return place === undefined ? path : `${place}[${unquoted(name)}]`;
}

function unquoted(name: string): string {
  return word(name.replace(/^"(.*)"$/, '$1'));
}

/** Of the same resource, wherever it is: sums are completed from what containers have. */
function ofSameResource({ path }: Said, { field }: Place): boolean {
  const resourceOf = (text: string): string | undefined => /\[([^\][]*)\]$/.exec(text)?.[1];
  return resourceOf(path) !== undefined && resourceOf(path) === resourceOf(field);
}

/** Kubernetes does not say in which entry, but which value it does not like. */
function inResizePolicy(key: 'resourceName' | 'restartPolicy'): At {
  return ({ path, actual }, { field, message }) => {
    return path.startsWith(`${field}[`) && path.endsWith(`].${key}`) && actual === bareWord(valueIn(message));
  };
}

/** Through 1.33 it is not in quotes. */
function valueIn(message: string): string {
  return /value: "?(.*?)"?(?:: |$)/.exec(message)?.[1] ?? '';
}

/** podrail says of what no entry can name that it cannot be named. */
function atRepeated({ path, actual }: Said, { field, message }: Place): boolean {
  const value = valueIn(message);
  const entry = value === 'cpu' || value === 'memory' ? field : `${field}.resourceName`;
  return path === entry && actual === bareWord(value);
}

/** What no resize changes in a container: other resources, in either list, its claims and its resizePolicy. */
function isFixedField(path: string): boolean {
  const [, resource, field] =
    /\.(?:resources\.(?:(?:requests|limits)\[(.*)\]|(claims))|(?:resizePolicy))$/.exec(path) ?? [];
  if (resource !== undefined) return resource !== 'cpu' && resource !== 'memory';
  return field !== undefined || path.endsWith('.resizePolicy');
}

/** Any that fits may be what podrail says. */
const REASONS: readonly Reason[] = [
  // Of a value.
  {
    field: /\.requests$/,
    message: /must be (?:less than or equal|equal) to .* limit of /,
    rule: 'requests-within-limits',
    at: atPath(({ field, message }) => `${field}[${word(/equal to (.*) limit of /.exec(message)?.[1] ?? '')}]`),
  },
  {
    field: /\.limits$/,
    message: /Limit must be set for non overcommitable/,
    rule: 'requests-within-limits',
    at: atEntry,
  },
  ...['requests-within-limits', 'quantity-valid'].map(
    (rule): Reason => ({
      // Said of the limit as well, which is the same amount or is found to be another one. What Kubernetes cannot count, it does
      // not find to be whole.
      field: LISTS,
      message: /must be an integer|is not positive integer multiple of/,
      rule,
      at: inEitherList,
    }),
  ),
  {
    // What the containers have together completes a pod; podrail says of that sum that nobody can count it.
    field: /^spec\.resources\.(?:requests|limits)\[/,
    message: /must be an integer|is not positive integer multiple of/,
    rule: 'quantity-valid',
    at: ({ path, actual }, { message }) => path === 'spec' && actual === bareWord(valueIn(message)),
  },
  {
    // A sum of multiples is one: podrail names the container whose value is none.
    field: /^spec\.resources\.(?:requests|limits)\[/,
    message: /must be an integer|is not positive integer multiple of/,
    rule: 'requests-within-limits',
    at: ofSameResource,
  },
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
    at: atPath(({ field }) =>
      field.replace(/^spec\.resources\.(containers\[\d+\])(\[.*\])\.limits$/, 'spec.$1.resources.limits$2'),
    ),
  },
  {
    field: /^spec\.overhead\.limits\[/,
    message: /must be greater than or equal to 0/,
    rule: 'quantity-valid',
    at: atPath(({ field }) => field.replace('.limits', '')),
  },
  {
    // What is completed from negative amounts is negative too, and from uncountable ones uncountable.
    field: /^spec\.resources\./,
    message: /must be greater than or equal to 0|is not positive integer multiple of/,
    rule: 'quantity-valid',
    at: ofSameResource,
  },
  {
    // A request that is left out is its limit: said of both, and podrail says it once.
    field: LISTS,
    message: /must be greater than or equal to 0/,
    rule: 'quantity-valid',
    at: inEitherList,
  },

  // Of what a container is.
  {
    field: /\.resizePolicy\[\d+\]$/,
    message: /^Duplicate value/,
    rule: 'resize-policy-valid',
    at: atRepeated,
  },
  {
    field: /\.resizePolicy$/,
    message: /^Unsupported value: .* supported values: "cpu"|^Required value/,
    rule: 'resize-policy-valid',
    at: inResizePolicy('resourceName'),
  },
  {
    field: /\.resizePolicy$/,
    message: /^Unsupported value: .* supported values: "NotRequired"|^Required value|must be 'NotRequired' when/,
    rule: 'resize-policy-valid',
    at: inResizePolicy('restartPolicy'),
  },
  {
    field: /\.resizePolicy\[\d+\]\.restartPolicy$/,
    message: /must not be set to 'RestartContainer' for non-sidecar initContainers/,
    rule: 'resize-policy-valid',
  },
  {
    // No resize can change it, whatever is wrong with the new one.
    field: /\.resizePolicy\b/,
    message: /./,
    rule: 'resize-only-cpu-memory',
    at: atPath(({ container }) => `${container}.resizePolicy`),
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
    at: atPath(({ container }) => `${container}.restartPolicy`),
  },

  // Of what a resize is.
  { field: /^spec$/, message: /Pod QOS Class may not change/, rule: 'resize-keeps-qos' },
  {
    field: /^spec$/,
    message: /node without support for resize/,
    rule: 'resize-supported-pod',
    at: atPath(() => 'status.containerStatuses'),
  },
  {
    field: /^spec$/,
    message: /node allocatable resource claims cannot be resized/,
    rule: 'resize-supported-pod',
    at: atPath(() => 'status.nodeAllocatableResourceClaimStatuses'),
  },
  {
    field: NO_PATH,
    message: /static pods cannot/,
    rule: 'resize-supported-pod',
    at: atPath(() => 'metadata.annotations[kubernetes.io/config.mirror]'),
  },
  {
    field: NO_PATH,
    message: /windows pods cannot/,
    rule: 'resize-supported-pod',
    at: atPath(() => 'spec.os.name'),
  },
  {
    field: NO_PATH,
    message: /pods with pod-level resources/,
    rule: 'resize-supported-pod',
    at: atPath(() => 'spec.resources'),
  },
  {
    field: /^spec\.(?:initContainers|containers)$/,
    message: /may not be added or removed on resize|^Required value/,
    rule: 'resize-keeps-containers',
    at: ({ path }, { field }) => CONTAINER.test(path) && path.startsWith(`${field}[`),
  },
  {
    field: /^spec\.(?:initContainers|containers)\[\d+\]\.name$/,
    message: /may not be renamed or reordered on resize/,
    rule: 'resize-keeps-containers',
    at: atPath(({ container }) => container),
  },
  {
    field: /\.(?:requests|limits)$/,
    message: /resource (?:requests|limits) cannot be removed/,
    rule: 'resize-keeps-resources',
    at: atEntry,
  },
  {
    field: /^spec\.resources$/,
    message: /resources cannot be removed/,
    rule: 'resize-keeps-resources',
    at: ({ path }) => /^spec\.resources\.(?:requests|limits)\[/.test(path),
  },
  {
    field: /\.limits\[memory\]$/,
    message: /memory limits cannot be (?:added|decreased) unless/,
    rule: 'resize-memory-limit',
  },
  {
    field: /^spec$/,
    message: /resources for non-sidecar init containers are immutable/,
    rule: 'resize-init-container',
    at: ({ path }) => /^spec\.initContainers\[\d+\]\.resources$/.test(path),
    isOfEach: true,
  },
  {
    field: /^spec$/,
    message: /resources for non-sidecar init containers are immutable/,
    rule: 'resize-only-cpu-memory',
    at: ({ path, message }) =>
      message.startsWith('init container ') && /\.(?:resources\.claims|resizePolicy)$/.test(path),
    isOfEach: true,
  },
  ...['resize-init-container', 'resize-only-cpu-memory'].map(
    (rule): Reason => ({
      field: IN_CONTAINER,
      message: /non-sidecar init containers with a resize policy of RestartContainer/,
      rule,
      at: atPath(({ container }) => `${container}.resizePolicy`),
    }),
  ),
  // Said of each container that differs once its cpu and memory are put back, whatever more exact is said of it as well. One with claims
  // differs from itself, since the comparison leaves them out on one side.
  ...['resize-only-cpu-memory', 'resize-supported-pod', 'resize-keeps-resources'].flatMap((rule): readonly Reason[] => [
    {
      field: /^spec$/,
      message: /only cpu and memory resources are mutable$/,
      rule,
      at: ({ path }) => path.startsWith('spec.containers[') && isFixedField(path),
      isOfEach: true,
    },
    {
      // Through 1.35 it is of no field, and only sidecars have it.
      field: /^spec$/,
      message: /only cpu and memory resources for sidecar containers are mutable$/,
      rule,
      at: ({ path, message }) => message.startsWith('sidecar ') && isFixedField(path),
      isOfEach: true,
    },
    {
      field: /^spec\.initContainers\[\d+\]$/,
      message: /only cpu and memory resources for init or sidecar containers are mutable$/,
      rule,
      at: ({ path }, { field }) => path.startsWith(`${field}.`) && isFixedField(path),
    },
  ]),
  {
    // To Kubernetes a block with nothing in it is another one than none.
    field: /^spec$/,
    message: /only cpu and memory resources are mutable$/,
    rule: 'resize-only-cpu-memory',
    at: atPath(() => 'spec.resources'),
  },
  ...['resize-only-cpu-memory', 'resize-keeps-resources'].map(
    (rule): Reason => ({
      field: /^spec$/,
      message: /only cpu and memory resources are mutable at pod-level/,
      rule,
      at: ({ path }) => path.startsWith('spec.resources.') && isFixedField(path),
    }),
  ),
  {
    field: /\.resources\.claims\[\d+\]$/,
    message: /^Not found/,
    rule: 'resize-only-cpu-memory',
    at: atPath(({ container }) => `${container}.resources.claims`),
  },
];

/** What podrail may say instead of this error; none when nobody knows it, or it is left to Kubernetes. */
export function coveredBy({ field, message }: FieldError): readonly Covered[] {
  const place: Place = { field, message, container: IN_CONTAINER.exec(field)?.[0] ?? field };
  const isAtField = ({ path }: Said): boolean => path === field;
  return REASONS.filter((reason) => reason.field.test(field) && reason.message.test(message)).map(
    ({ rule, at, isOfEach = false }) => ({
      rule,
      isSaidBy: at === undefined ? isAtField : (said) => at(said, place),
      isOfEach,
    }),
  );
}

/** Rules of what a resize does to the stored containers, which Kubernetes compares only where they are all there. */
const OF_STORED_CONTAINERS = [
  'resize-init-container',
  'resize-keeps-resources',
  'resize-memory-limit',
  'resize-only-cpu-memory',
];

/** Whether the API server, having said this, says nothing of what a finding is about. */
export function isLast(
  { field, message }: FieldError,
  { rule, path }: Pick<Finding, 'path'> & { readonly rule: string },
): boolean {
  if (NO_PATH.test(field) || message.includes('for a windows pod')) return true;
  if (!message.endsWith('on resize')) return false;
  return OF_STORED_CONTAINERS.includes(rule) || (rule === 'resize-supported-pod' && path.endsWith('.resources.claims'));
}

/** Whether a finding is what the error says, of the same field. */
export function says(finding: Said & { readonly rule: string }, error: FieldError): boolean {
  return coveredBy(error).some(({ rule, isSaidBy }) => rule === finding.rule && isSaidBy(finding));
}
