// Where a verdict is meant to differ from Kubernetes', and why: what docs/fidelity.md says of each.
import { reasonOf } from '../conformance/purposes.ts';
import type { Exception } from '../fidelity/results.ts';

/** Kubernetes refuses a resize that podrail lets pass, since it asks for nothing. */
export const UNCHANGED = 'a resize that changes nothing';
/** podrail says Infeasible, and the kubelet Deferred. */
export const SIDECARS_UNCOUNTED = 'sidecars on 1.33';
/** The kubelet has allocated something else than anybody can read. */
export const UNREPORTED = 'containers that have not started';

const OWN_REASONS: Readonly<Record<string, string>> = {
  [UNCHANGED]: 'Kubernetes refuses it for the pod that it is; podrail has no say where nothing changes',
  [SIDECARS_UNCOUNTED]:
    'its kubelet leaves sidecars out of what a node can never hold, and says Deferred for ever; podrail says that it never fits',
  [UNREPORTED]:
    'while a resize of such a container is pending, nothing in the API tells what its kubelet has set aside for it',
};

/** What was counted, with its reasons. Throws for a name that has none. */
export function toExceptions(counted: ReadonlyMap<string, number>): readonly Exception[] {
  return [...counted]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => ({ name, count, reason: OWN_REASONS[name] ?? reasonOf(name) }));
}
