// What a rule is, what it finds, and how one is defined.
import type { z } from 'zod';
import type { PatchOperation } from '../model/json-patch.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { Facts, Scope } from './facts.ts';
import type { Sum } from './sum.ts';

/** One thing that is wrong, said so that the person who sent the request can mend it. */
export interface Finding {
  /** The field as the API server names it: `spec.containers[0].resources.limits[memory]`. */
  readonly path: string;
  /** `<kind> "<name>" must <verb> …; it …`: one line, no full stop, at most 256 characters. */
  readonly message: string;
  /** The value found, as it was written where it was written. */
  readonly actual?: string;
  /** The bound it broke; where one exists, the largest value that would pass. */
  readonly bound?: string;
  /** At most a warning, whatever the rule's mode. */
  readonly advice?: true;
  /** What the API server's own validator calls this; autoscalers look for it in `details.causes`. */
  readonly cause?: 'NodeCapacity' | 'UnsupportedPlatform';
  /** podrail's own reason, in a rule of which Kubernetes would otherwise refuse the same by itself. */
  readonly ours?: true;
  /** Later rules would only repeat this in other words; when it denies, their findings are not said. */
  readonly conclusive?: true;
}

export interface Rule<Settings = unknown> {
  readonly id: string;
  /** One sentence: the first line of the rule's page and of `podrail rules`. */
  readonly summary: string;
  readonly scopes: readonly Scope[];
  /**
   * Whether this version of Kubernetes would refuse the same by itself, or drop what is found, before a validating webhook is
   * called (see `ours`). What it would refuse of a create is said beside its words, and no fix may lead to it.
   */
  readonly core: (version: KubernetesVersion) => boolean;
  readonly settings: z.ZodType<Settings>;
  /** Settings without any of which it finds nothing, so that a guardrail that sets none of them is a mistake. */
  readonly needs?: readonly string[];
  readonly check: (facts: Facts, settings: Settings) => readonly Finding[];
  /** The patch after which `check` finds nothing. Paths are JSON Pointers into the pod. */
  readonly fix?: (facts: Facts, settings: Settings) => readonly PatchOperation[];
  /** How it comes to each bound that concerns the request, kept or not; for a person, never for the verdict. */
  readonly sums?: (facts: Facts, settings: Settings) => readonly Sum[];
  /**
   * It judges each container by itself: a finding whose path is in a container is about that one alone, and what it finds in
   * `facts.changes` does not depend on those of other containers. So a guardrail can leave containers out of it.
   */
  readonly perContainer?: true;
  /** The fix adds only what is true without it, so nobody needs a warning that it was made. */
  readonly quietFix?: true;
}

type RuleDefinition<Settings> = Omit<Rule<Settings>, 'core'> & { readonly core?: Rule['core'] };

/** Makes a rule from its definition; without `core` Kubernetes never refuses the same by itself. */
export function defineRule<Settings>(definition: RuleDefinition<Settings>): Rule<Settings> {
  return { core: () => false, ...definition };
}

/** What a check gives when it finds nothing: one shared list, so that passing costs no allocation. */
export const NO_FINDINGS: readonly Finding[] = [];
