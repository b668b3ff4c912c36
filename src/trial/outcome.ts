// What a resize would do besides being allowed or not: what changes, what restarts, whether it fits, what was made of it.
import type { Reply } from '../admission/review.ts';
import type { Policy } from '../guardrails/policy.ts';
import { type Container, containerPath } from '../model/pod.ts';
import type { Quantity } from '../model/quantity.ts';
import { type Change, changesOf } from '../model/resize.ts';
import type { Facts } from '../rules/facts.ts';
import { RULES } from '../rules/index.ts';
import { resizeFitsNow } from '../rules/resize-fits-now.ts';
import { restartingChanges } from '../rules/resize-restarts.ts';
import { restartsOn } from '../rules/restarts-on.ts';
import type { Finding } from '../rules/rule.ts';
import type { Trial } from './trial.ts';

/** One value: stored, asked for, and given by mode `fix`. */
export interface AskedValue {
  readonly container: Container | undefined;
  readonly list: 'requests' | 'limits';
  readonly resource: string;
  readonly stored: Quantity | undefined;
  readonly asked: Quantity | undefined;
  readonly given: Quantity | undefined;
}

/**
 * Whether the pod fits its node: now, later when others make room (Deferred), never (Infeasible); unknown when podrail does not
 * know the node; unscheduled when the pod has none.
 */
export type FitState = 'now' | 'later' | 'never' | 'unknown' | 'unscheduled';

export interface Fit {
  readonly state: FitState;
  readonly node: string | undefined;
  /** Why not now, in the words of the rules. */
  readonly reasons: readonly string[];
}

export interface Restart {
  readonly container: Container;
  readonly resources: readonly string[];
}

export interface Outcome {
  readonly values: readonly AskedValue[];
  readonly restarts: readonly Restart[];
  /** Of a pod on no node, what would restart were it running; undefined of every other. */
  readonly restartsOnceRunning: readonly Restart[] | undefined;
  readonly fit: Fit;
}

/** The facts that the verdict was about, of the last phase that was asked; undefined when podrail has no say. */
export function factsOf({ phases }: Trial): Facts | undefined {
  return phases.at(-1)?.reply.decided?.facts;
}

export function toOutcome(facts: Facts, first: Reply, policy: Policy): Outcome {
  const asked = first.decided?.facts ?? facts;
  return {
    values: toValues(asked, facts),
    restarts: toRestarts(restartingChanges(facts)),
    restartsOnceRunning: toRestartsOnceRunning(facts),
    fit: toFit(facts, policy),
  };
}

function toValues(asked: Facts, given: Facts): readonly AskedValue[] {
  const before = asked.before ?? asked.pod;
  const values = new Map<string, AskedValue>();
  for (const { container, list, resource, from, to } of asked.changes) {
    const value = { container, list, resource, stored: from, asked: to, given: to };
    values.set(keyOf({ container, list, resource }), value);
  }
  for (const { container, list, resource, from, to } of changesOf(asked.pod, given.pod)) {
    const key = keyOf({ container, list, resource });
    const known = values.get(key);
    values.set(
      key,
      known ? { ...known, given: to } : { container, list, resource, stored: from, asked: from, given: to },
    );
  }
  return before === asked.pod ? [] : [...values.values()];
}

function keyOf({ container, list, resource }: Pick<Change, 'container' | 'list' | 'resource'>): string {
  return `${container === undefined ? 'spec' : containerPath(container)} ${list} ${resource}`;
}

function toRestartsOnceRunning({ node, changes }: Facts): readonly Restart[] | undefined {
  if (node.state !== 'unscheduled') return undefined;
  return toRestarts(
    changes.filter(
      ({ container, resource }) =>
        container !== undefined && container.kind !== 'init' && restartsOn(container, resource),
    ),
  );
}

function toRestarts(restarting: readonly Change[]): readonly Restart[] {
  const byContainer = Map.groupBy(restarting, ({ container }) => container);
  return [...byContainer].flatMap(([container, changes]) =>
    container === undefined ? [] : { container, resources: [...new Set(changes.map(({ resource }) => resource))] },
  );
}

const WITHIN = RULES.find(({ id }) => id === 'resize-within-node');

// Asked of the rules themselves, with what every guardrail declares of the node, whatever their mode is.
function toFit(facts: Facts, policy: Policy): Fit {
  const { node } = facts;
  if (node.state === 'unscheduled') return { state: 'unscheduled', node: undefined, reasons: [] };
  if (node.state === 'unknown') return { state: 'unknown', node: node.name, reasons: [] };
  const applied = policy.select(facts).rules.filter(({ rule }) => rule === WITHIN);
  const settings = [WITHIN?.settings.parse({}), ...applied.map((one) => one.settings)];
  const never = settings.flatMap((one) => WITHIN?.check(facts, one) ?? []).filter(({ advice }) => !advice);
  if (never.length > 0) return { state: 'never', node: node.name, reasons: messagesOf(never) };
  const later = resizeFitsNow.check(facts, {});
  return { state: later.length > 0 ? 'later' : 'now', node: node.name, reasons: messagesOf(later) };
}

function messagesOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ message }) => message))];
}
