// One resize at a time: while the last one is not done, the next one changes what nobody has seen take effect.
//
// Looks at: the conditions PodResizePending and PodResizeInProgress; requests of the stored pod against allocated ones
// Allowed:  the first resize, and the next once the last is done; one that replaces what is stuck (Infeasible, or failing with
//           Error); back to what the kubelet has allocated
// No status of a container: taken as done
import { allocatedTo } from '../model/allocated-requests.ts';
import { allContainers, type Container, type Pod } from '../model/pod.ts';
import { compare, quantityOf } from '../model/quantity.ts';
import type { Resources } from '../model/resources.ts';
import { isBackToAllocated } from './direction.ts';
import { subjectOf } from './message.ts';
import { defineRule, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

const ZERO = quantityOf(0n, 'decimal');
const RESIZED = ['cpu', 'memory'] as const;

/** What the kubelet says of a resize in the pod's conditions (KEP-1287); before it says anything, the requests differ. */
export const resizePending = defineRule({
  id: 'resize-pending',
  summary: 'A resize must not come before the last one is done.',
  scopes: ['resize'],
  settings: noSettings,
  check(facts) {
    const { pod, before, changes } = facts;
    if (before === undefined || changes.length === 0) return NO_FINDINGS;
    const state = stateOfLast(before);
    if (state === undefined || isBackToAllocated(facts)) return NO_FINDINGS;
    const must = `${subjectOf(pod, undefined)} must be done with its last resize, or go back to what it has allocated`;
    return [{ path: 'spec', message: `${must}; that resize ${state}` }];
  },
});

/** What the last resize is waiting for; undefined when it is done or stuck. */
function stateOfLast(before: Pod): string | undefined {
  let isStuck = false;
  for (const { type, status, reason } of before.status.conditions) {
    if (status === 'False' || (type !== 'PodResizePending' && type !== 'PodResizeInProgress')) continue;
    if (reason === 'Infeasible' || reason === 'Error') isStuck = true;
    else return type === 'PodResizePending' ? 'is deferred until its node has room' : 'is in progress';
  }
  return isStuck || !isUnseen(before) ? undefined : 'has not been seen by its node yet';
}

function isUnseen(before: Pod): boolean {
  return allContainers(before).some((container) => container.kind !== 'init' && isUnseenIn(before, container));
}

function isUnseenIn(before: Pod, container: Container): boolean {
  const allocated = allocatedTo(before, container);
  return allocated !== undefined && RESIZED.some((resource) => differs(resource, container.requests, allocated));
}

function differs(resource: string, requests: Resources, allocated: Resources): boolean {
  return compare(requests.get(resource) ?? ZERO, allocated.get(resource) ?? ZERO) !== 0;
}
