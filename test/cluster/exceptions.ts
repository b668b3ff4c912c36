// Where a verdict is meant to differ from Kubernetes', and why: what docs/fidelity.md says of each.
import { type Exception as Meant, tooMany as tooManyOf } from '../conformance/exception.ts';
import { exceptionOf } from '../conformance/purposes.ts';
import type { Exception } from '../fidelity/results.ts';

/** Kubernetes refuses a resize that podrail lets pass, since it asks for nothing. */
export const UNCHANGED = 'a resize that changes nothing';
/** podrail says Infeasible, and the kubelet Deferred, or the same of a smaller sum. */
export const SIDECARS_UNCOUNTED = 'sidecars on 1.33';
/** The kubelet has allocated something else than anybody can read. */
export const UNREPORTED = 'containers that have not started';

const OWN: readonly Meant[] = [
  {
    name: UNCHANGED,
    most: 0.015,
    reason: 'Kubernetes refuses it for the pod that it is; podrail has no say where nothing changes',
  },
  {
    name: SIDECARS_UNCOUNTED,
    most: 0.1,
    reason:
      'its kubelet counts a sidecar as a plain init container in what a node can never hold, and says Deferred for ever, or names a smaller sum; podrail says that it never fits, and the sum',
  },
  {
    name: UNREPORTED,
    most: 0.08,
    reason:
      'while a resize of such a container is pending, nothing in the API tells what its kubelet has set aside for it; podrail told of it says the same',
  },
];

function meant(name: string): Meant {
  return OWN.find((one) => one.name === name) ?? exceptionOf(name);
}

/** No API server stores the pod of a resize. */
export const UNSTORABLE = 'pods that no API server stores';
/** What was made of the pod is what it is already. */
export const ASKS_NOTHING = 'resizes that ask for nothing';
/** Nothing is left on the node that could be resized. */
export const NO_POD = 'scenes without a pod that runs';
/** The kubelet never hears of it. */
export const REFUSED = 'resizes that the API server refuses, as podrail does';
/** The pods beside it changed while the kubelet judged, and its answer was not podrail's. */
export const DISTURBED = 'resizes whose neighbors changed meanwhile';
/** Its condition says what it said before, which podrail says as well, and not which spec it is about. */
export const NO_NEWS = 'resizes of which a kubelet of 1.33 says what it said before';

const WHY_UNCOMPARED: Readonly<Record<string, string>> = {
  [UNSTORABLE]: 'a resize starts from a stored pod',
  [ASKS_NOTHING]: 'no kubelet hears of them',
  [NO_POD]: 'the kubelet has admitted none of them, or the API server none of them',
  [REFUSED]: 'no kubelet hears of them; for what, is compared in the suites on the API server',
  [DISTURBED]: 'what the kubelet saw was not what podrail saw; counted only where they say different things',
  [NO_NEWS]:
    'its condition names no generation, so that nobody knows whether it is about the new spec; podrail says the same of that',
};

/** What was counted, with its reasons. Throws for a name that has none. */
export function toExceptions(counted: ReadonlyMap<string, number>): readonly Exception[] {
  return withReasons(counted, (name) => meant(name).reason);
}

/** Those that are a larger share of what was compared than they may be, in words. Throws for a name that has no reason. */
export function tooMany(counted: ReadonlyMap<string, number>, compared: number): readonly string[] {
  return tooManyOf(counted, compared, (name) => meant(name).most);
}

/** What was not compared, with its reasons. Throws for a name that has none. */
export function toUncompared(counted: ReadonlyMap<string, number>): readonly Exception[] {
  return withReasons(counted, (name) => {
    const reason = WHY_UNCOMPARED[name];
    if (reason === undefined) throw new Error(`no reason is written for leaving out "${name}"`);
    return reason;
  });
}

function withReasons(counted: ReadonlyMap<string, number>, toReason: (name: string) => string): readonly Exception[] {
  return [...counted]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => ({ name, count, reason: toReason(name) }));
}
