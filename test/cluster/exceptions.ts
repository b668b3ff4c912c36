// Where podrail's verdict is meant to differ from the API server's: one table, from which docs/fidelity.md takes the reasons.
import type { Exception } from '../fidelity/results.ts';

/** Rules by which podrail alone refuses, and why. */
export const REFUSED_ON_PURPOSE: Readonly<Record<string, string>> = {
  'quantity-valid': 'the value, or a sum of the pod, is more than Kubernetes can count: the kubelet takes it for zero',
  'quantity-plausible': 'nobody means such a value: cpu in bytes, memory in thousandths of a byte',
  'sidecar-restart-policy': 'a restartPolicy that looks like that of a sidecar and is not one',
  'resize-supported-pod': 'a pod that has finished never runs again, so its resize does nothing',
  'resize-only-cpu-memory': 'through 1.34 a container without requests or limits may gain any resource by a resize',
  'resize-within-node': 'through 1.35 only the kubelet says, later, that a resize can never fit its node',
};

/** What podrail leaves to the API server, which refuses it in any case. */
export const LEFT_TO_KUBERNETES: readonly { readonly name: string; readonly says: RegExp; readonly reason: string }[] =
  [
    {
      name: 'names of resources',
      says: /standard resource|extended resource name|name part must|multiple of hugepages-$|Unsupported value: "(?:ephemeral-|CPU|gpu)/,
      reason: 'a name that Kubernetes does not know is never stored, and no resize may bring another resource',
    },
    {
      name: 'huge pages alone',
      says: /HugePages require cpu or memory/,
      reason: 'no resize leads there: it may not remove cpu or memory',
    },
    {
      name: 'other parts of a pod',
      says: /Duplicate value|Not found|Required value$|may not be set for a windows pod/,
      reason: 'names and references between parts of the pod, which a resize cannot change',
    },
  ];

/** Where Kubernetes says this of a field (`theirs`), podrail says it of another (`ours`). */
export const SAME_FIELDS: readonly { readonly says: RegExp; readonly theirs: RegExp; readonly ours: string }[] = [
  // podrail says that it is no sidecar, which alone may have it.
  {
    says: /may not be set for init containers without restartPolicy=Always/,
    theirs: /\.(?:livenessProbe|readinessProbe|startupProbe|lifecycle)$/,
    ours: '.restartPolicy',
  },
  // podrail says one thing of an entry.
  { says: /must not be set to 'RestartContainer' for non-sidecar/, theirs: /\.restartPolicy$/, ours: '' },
  // It follows from what is wrong with the huge pages of a container, or with the pod's requests of them.
  { says: /aggregate container limits/, theirs: /^.*$/, ours: 'spec' },
  // Said of both lists; podrail says it once.
  {
    says: /must be an integer|positive integer multiple|must be greater than or equal to 0/,
    theirs: /\.(?:limits|requests)\[.*$/,
    ours: '',
  },
  {
    says: /must be less than or equal to pod limits/,
    theirs: /^spec\.resources\.containers\[(\d+)\]\[(.+)\]\.limits$/,
    ours: 'spec.containers[$1].resources.limits[$2]',
  },
];

const OTHERS: Readonly<Record<string, string>> = {
  'a text that is never read':
    'it is no quantity, in a part of the pod that this minor drops: refused before any webhook is asked, and nothing to podrail',
  'containers that have not started':
    'while a resize of such a container is pending, nothing in the API tells what its kubelet has set aside for it',
  'sidecars on 1.33':
    'its kubelet leaves sidecars out of what a node can never hold, and says Deferred for ever; podrail says that it never fits',
  'a resize that changes nothing':
    'Kubernetes refuses it for the pod that it is; podrail has no say where nothing changes',
};

/** What was counted, with its reasons. Throws for a name that has none. */
export function toExceptions(counted: ReadonlyMap<string, number>): readonly Exception[] {
  return [...counted].sort().map(([name, count]) => {
    const reason =
      REFUSED_ON_PURPOSE[name] ?? OTHERS[name] ?? LEFT_TO_KUBERNETES.find((left) => left.name === name)?.reason;
    if (reason === undefined) throw new Error(`no reason is written for the exception "${name}"`);
    return { name, count, reason };
  });
}
