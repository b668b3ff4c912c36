// What podrail's core rules say of a request: the rules of which Kubernetes would refuse the same by itself.
import { EMPTY_CLUSTER } from '../../src/admission/cluster-view.ts';
import { gatherFacts } from '../../src/admission/gather-facts.ts';
import type { AdmissionRequest } from '../../src/admission/request.ts';
import { BASELINE_MODES } from '../../src/guardrails/baseline.ts';
import type { KubernetesVersion } from '../../src/model/kubernetes-version.ts';
import type { Pod } from '../../src/model/pod.ts';
import { readPod } from '../../src/model/read-pod.ts';
import type { Facts } from '../../src/rules/facts.ts';
import { RULES } from '../../src/rules/index.ts';
import type { Finding } from '../../src/rules/rule.ts';

export interface RuleFinding extends Finding {
  readonly rule: string;
}

/** What would be refused in the mode of the baseline. */
export interface Findings {
  /** What Kubernetes is expected to refuse too. */
  readonly core: readonly RuleFinding[];
  /** What podrail alone refuses. */
  readonly own: readonly RuleFinding[];
  /** What they were found in, where that is at hand. */
  readonly facts?: Facts;
}

const ENFORCED = RULES.filter(({ id }) => BASELINE_MODES[id] === 'enforce').map((rule) => ({
  rule,
  settings: rule.settings.parse({}),
}));

const NOBODY = { name: 'dev-lee', groups: [] };
const NOW = new Date('2026-11-30T09:00:00Z');

/** The facts of a pod that is sent to be created. */
export function factsOfCreate(pod: unknown, version: KubernetesVersion): Facts {
  return factsOf({ scope: 'create', object: readPod(pod), oldObject: undefined }, version);
}

/** The facts of a pod that is sent to pods/resize. */
export function factsOfResize(stored: unknown, asked: unknown, version: KubernetesVersion): Facts {
  return factsOf({ scope: 'resize', object: readPod(asked), oldObject: readPod(stored) }, version);
}

function factsOf(
  request: Pick<AdmissionRequest, 'scope' | 'object'> & { readonly oldObject: Pod | undefined },
  version: KubernetesVersion,
): Facts {
  const rest = { uid: '1', namespace: 'team-blue', dryRun: false, requester: NOBODY };
  return gatherFacts({ ...rest, ...request }, EMPTY_CLUSTER, version, NOW);
}

/** Every rule is asked, as if no reason were conclusive. */
export function findingsOf(facts: Facts): Findings {
  const core: RuleFinding[] = [];
  const own: RuleFinding[] = [];
  for (const { rule, settings } of ENFORCED) {
    if (!rule.scopes.includes(facts.scope)) continue;
    for (const finding of rule.check(facts, settings)) {
      if (finding.advice) continue;
      const isCore = rule.core(facts.version) && !finding.ours;
      (isCore ? core : own).push({ ...finding, rule: rule.id });
    }
  }
  return { core, own, facts };
}
