// Resizes must not come one after the other: each may restart containers, and no PodDisruptionBudget counts them.
//
// Looks at: managedFields of the stored pod, the only trace of when it was last resized; the clock
// Allowed:  a resize when `period` has passed; back to what the kubelet has allocated; more memory for a container that was
//           OOMKilled since, unless exceptOomKilled is false
// Never resized, or the entry was cleared: passes
import { z } from 'zod';
import type { Pod } from '../model/pod.ts';
import type { Change } from '../model/resize.ts';
import { isBackToAllocated, isGrowth } from './direction.ts';
import type { Facts } from './facts.ts';
import { durationText, subjectOf, timeText } from './message.ts';
import { defineRule, NO_FINDINGS } from './rule.ts';
import { durationSetting } from './settings.ts';
import { NO_SUMS, type SumRow } from './sum.ts';

const settings = z.strictObject({
  period: durationSetting.prefault('10m').describe('How long after a resize of a pod the next one may come.'),
  exceptOomKilled: z
    .boolean()
    .default(true)
    .describe(
      'Whether more memory for a container that was OOMKilled since the last resize is allowed at once; a resize that gives it may change other values too.',
    ),
});
type Settings = z.output<typeof settings>;

/** The API server notes the time of a manager's last write through a subresource in whole seconds. */
export const resizeCooldown = defineRule<Settings>({
  id: 'resize-cooldown',
  summary: 'A resize must come no sooner than a period after the last one.',
  scopes: ['resize'],
  perContainer: true,
  settings,
  check(facts, settled) {
    const { pod, before, changes, now } = facts;
    const { period } = settled;
    const last = before?.lastResizedAt;
    if (last === undefined || changes.length === 0) return NO_FINDINGS;
    const until = new Date(last.getTime() + period);
    if (now >= until || isExcused(facts, settled, last)) return NO_FINDINGS;
    const must = `${subjectOf(pod, undefined)} must be resized no sooner than ${timeText(until)}`;
    const ago = durationText(now.getTime() - last.getTime());
    const message = `${must}, ${durationText(period)} after its last resize; that was ${ago} ago`;
    return [{ path: 'spec', message, actual: timeText(last), bound: timeText(until) }];
  },
  sums(facts, settled) {
    const { before, changes, now } = facts;
    const last = before?.lastResizedAt;
    if (last === undefined || changes.length === 0) return NO_SUMS;
    const until = new Date(last.getTime() + settled.period);
    const rows: readonly SumRow[] = [
      { sign: ' ', label: 'last resize', amount: timeText(last) },
      { sign: '+', label: 'period', amount: durationText(settled.period) },
      { sign: '=', label: 'next resize from', amount: timeText(until) },
    ];
    const early = `now it is ${timeText(now)}, ${durationText(until.getTime() - now.getTime())} too early`;
    const isAllowed = isExcused(facts, settled, last) ? `${early}, which this resize may be` : early;
    const conclusion = now >= until ? `now it is ${timeText(now)}, which is late enough` : isAllowed;
    return [{ path: 'spec', title: 'time since the last resize', rows, conclusion }];
  },
});

function isExcused(facts: Facts, { exceptOomKilled }: Settings, last: Date): boolean {
  const { before, changes } = facts;
  if (before === undefined || isBackToAllocated(facts)) return true;
  return exceptOomKilled && changes.some((change) => isRescue(before, change, last));
}

// Pod-level memory is everybody's.
function isRescue({ status }: Pod, change: Change, last: Date): boolean {
  if (change.resource !== 'memory' || !isGrowth(change)) return false;
  const { container } = change;
  return [...status.containers.values()].some(
    ({ name, lastTerminationReason, lastTerminatedAt }) =>
      (container === undefined || container.name === name) &&
      lastTerminationReason === 'OOMKilled' &&
      (lastTerminatedAt === undefined || lastTerminatedAt >= last),
  );
}
