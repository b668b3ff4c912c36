// What Kubernetes refuses and podrail has no say in: how resources and containers may be called, and what only Windows or huge
// pages lack. Each is an exception with its count, since podrail passes what only these are wrong with.
import type { FieldError } from './answers.ts';
import type { Exception } from './exception.ts';

interface Left extends Exception {
  readonly field: RegExp;
  readonly message: RegExp;
}

export const LEFT: readonly Left[] = [
  {
    name: 'left to Kubernetes: names of resources',
    field: /\.(?:requests|limits)\[.*\]$/,
    message: /must be a standard resource|name part must consist|extended resource name standard|^Unsupported value/,
    most: 0.14,
    reason: 'which resources there are, and how others may be called, is no matter of sizes; it is refused in any case',
  },
  {
    name: 'left to Kubernetes: two containers of one name',
    field: /\.name$/,
    message: /^Duplicate value/,
    most: 0.02,
    reason: 'how containers are called is no matter of sizes; it is refused in any case',
  },
  {
    name: 'left to Kubernetes: pod-level resources on Windows',
    field: /^spec\.resources$/,
    message: /may not be set for a windows pod/,
    most: 0.007,
    reason: 'what Windows lacks in a new pod; its resizes are judged',
  },
  {
    name: 'left to Kubernetes: huge pages alone',
    field: /\.resources$/,
    message: /HugePages require cpu or memory/,
    most: 0.18,
    reason: 'podrail judges cpu and memory; huge pages beside none of them are refused in any case',
  },
  {
    name: 'left to Kubernetes: huge pages of no size',
    field: /\.(?:requests|limits)\[hugepages-(?!\d)/,
    message: /is not positive integer multiple of/,
    most: 0.02,
    reason: 'a name of huge pages that says no size is a name, too',
  },
];

/** The name of the exception that an error is; undefined for what podrail must say as well, or nobody knows. */
export function leftToKubernetes({ field, message }: FieldError): string | undefined {
  return LEFT.find((one) => one.field.test(field) && one.message.test(message))?.name;
}
