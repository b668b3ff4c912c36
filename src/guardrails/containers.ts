// Leaving single containers out of a rule: of what it finds, of what it fixes, and of the changes that it sees.
import { z } from 'zod';
import { toPointer } from '../model/json-patch.ts';
import { allContainers, containerPath, listOf, type Pod } from '../model/pod.ts';
import type { Change } from '../model/resize.ts';
import type { Facts } from '../rules/facts.ts';
import type { Finding, Rule } from '../rules/rule.ts';
import { LONGEST_GLOB, MOST_ITEMS } from '../rules/settings.ts';
import { NO_SUMS } from '../rules/sum.ts';

/** Names and globs of containers, in the letters that such names have. */
export const containerGlobs = z
  .array(
    z
      .string()
      .regex(/^[a-z0-9*-]+$/, 'must be the name of a container or a glob, such as istio-*')
      .max(LONGEST_GLOB, `must have at most ${LONGEST_GLOB} characters`),
  )
  .max(MOST_ITEMS);

/** Whether a container of that name is left out. */
export type IsLeftOut = (name: string) => boolean;

/**
 * The rule for the other containers alone. Sums of the pod stay whole: a rule that judges the pod as a whole is given back
 * as it is.
 */
export function withoutContainers(rule: Rule, isLeftOut: IsLeftOut): Rule {
  if (!rule.perContainer) return rule;
  const { fix } = rule;
  const others: Rule = {
    ...rule,
    check: (facts, settings) => ofOthers(rule.check(factsOfOthers(facts, isLeftOut), settings), facts, isLeftOut),
    sums: (facts, settings) =>
      ofOthers(rule.sums?.(factsOfOthers(facts, isLeftOut), settings) ?? NO_SUMS, facts, isLeftOut),
  };
  if (fix === undefined) return others;
  return {
    ...others,
    fix(facts, settings) {
      const own = leftOut(facts.pod, isLeftOut).map(toContainerPointer);
      const patch = fix(factsOfOthers(facts, isLeftOut), settings);
      return own.length === 0 ? patch : patch.filter(({ path }) => !own.some((pointer) => path.startsWith(pointer)));
    },
  };
}

/** A finding, or a sum, by the field it is about. */
type AtField = Pick<Finding, 'path'>;

/** Whether the finding is about a container that `isLeftOut` names, by the field it is about. */
export function isAboutContainer({ path }: AtField, { pod }: Facts, isLeftOut: IsLeftOut): boolean {
  return leftOut(pod, isLeftOut).some((container) => path.startsWith(containerPath(container)));
}

function ofOthers<One extends AtField>(findings: readonly One[], facts: Facts, isLeftOut: IsLeftOut): readonly One[] {
  if (findings.length === 0) return findings;
  return findings.filter((finding) => !isAboutContainer(finding, facts, isLeftOut));
}

type Container = ReturnType<typeof allContainers>[number];

function leftOut(pod: Pod, isLeftOut: IsLeftOut): readonly Container[] {
  return allContainers(pod).filter(({ name }) => isLeftOut(name));
}

// With the slash at its end, so that 1 is not taken for 10.
function toContainerPointer(container: Container): string {
  return `${toPointer('spec', listOf(container), container.index)}/`;
}

// Rules that say once for a whole resize what is wrong with its changes must not see those of the others.
function factsOfOthers(facts: Facts, isLeftOut: IsLeftOut): Facts {
  const isOthers = ({ container }: Change): boolean => container === undefined || !isLeftOut(container.name);
  return facts.changes.every(isOthers) ? facts : new FactsOfOthers(facts, facts.changes.filter(isOthers));
}

// A class for the reason that gather-facts.ts gives.
class FactsOfOthers implements Facts {
  readonly scope: Facts['scope'];
  readonly pod: Pod;
  readonly before: Pod | undefined;
  readonly changes: readonly Change[];
  readonly requester: Facts['requester'];
  readonly version: Facts['version'];
  readonly now: Date;
  readonly #facts: Facts;

  constructor(facts: Facts, changes: readonly Change[]) {
    this.scope = facts.scope;
    this.pod = facts.pod;
    this.before = facts.before;
    this.changes = changes;
    this.requester = facts.requester;
    this.version = facts.version;
    this.now = facts.now;
    this.#facts = facts;
  }

  get node(): Facts['node'] {
    return this.#facts.node;
  }

  get namespace(): Facts['namespace'] {
    return this.#facts.namespace;
  }

  get autoscalers(): Facts['autoscalers'] {
    return this.#facts.autoscalers;
  }
}
