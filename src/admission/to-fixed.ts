// What a fix is said to have done: what was asked for, the rule it broke, and what was given instead.
import type { AppliedRule } from '../guardrails/policy.ts';
import { type Change, changesOf } from '../model/resize.ts';
import type { Facts } from '../rules/facts.ts';
import { actualText, quantityText, resourceField, resourcePath, subjectOf } from '../rules/message.ts';
import type { Finding } from '../rules/rule.ts';
import type { JudgedFinding } from './verdict.ts';

/**
 * What the rule found before and no longer finds, with what stands there now; and what had to follow, such as a request that
 * keeps its ratio to a lowered limit. `actual` is what was asked for.
 */
export function toFixed(
  { rule, guardrail, settings }: AppliedRule,
  before: Facts,
  after: Facts,
): readonly JudgedFinding[] {
  const left = new Set(rule.check(after, settings).map(({ path, message }) => `${path} ${message}`));
  const found = rule
    .check(before, settings)
    .filter(({ path, message, advice }) => !advice && !left.has(`${path} ${message}`));
  const changes = new Map(
    changesOf(before.pod, after.pod).map((change) => [
      resourcePath(change.container, change.list, change.resource),
      change,
    ]),
  );
  const mended = found.map((finding) => withGiven(finding, changes.get(finding.path)));
  const others = [...changes.values()].filter((change) => !found.some(({ path }) => path === pathOf(change)));
  return [...mended, ...others.map((change) => toFollowed(before, change))].map((finding) => ({
    ...finding,
    rule: rule.id,
    guardrail,
    mode: 'fix',
  }));
}

function pathOf({ container, list, resource }: Change): string {
  return resourcePath(container, list, resource);
}

function withGiven(finding: Finding, change: Change | undefined): Finding {
  if (change?.to === undefined) return finding;
  return { ...finding, message: `${finding.message} and is given ${quantityText(change.to)}` };
}

function toFollowed({ pod }: Facts, change: Change): Finding {
  const { container, list, resource, from, to } = change;
  const other = list === 'requests' ? 'its limit' : 'its request';
  const asked = from === undefined ? '' : quantityText(from);
  const given = to === undefined ? '' : quantityText(to);
  const must = `${subjectOf(pod, container)} must set ${resourceField(list, resource)} in its ratio to ${other}`;
  return { path: pathOf(change), message: `${must}; ${actualText(list, asked)} and is given ${given}`, actual: asked };
}
