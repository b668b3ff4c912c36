// The list of rules, in the order in which their findings are shown.
import { containerSize } from './container-size.ts';
import { limitRequestRatio } from './limit-request-ratio.ts';
import { namespaceBudget } from './namespace-budget.ts';
import { podSize } from './pod-size.ts';
import { quantityPlausible } from './quantity-plausible.ts';
import { quantityValid } from './quantity-valid.ts';
import { requestsWithinLimits } from './requests-within-limits.ts';
import { resizeActor } from './resize-actor.ts';
import { resizeAutoscaled } from './resize-autoscaled.ts';
import { resizeBySubresource } from './resize-by-subresource.ts';
import { resizeCooldown } from './resize-cooldown.ts';
import { resizeFitsNow } from './resize-fits-now.ts';
import { resizeFrozen } from './resize-frozen.ts';
import { resizeInitContainer } from './resize-init-container.ts';
import { resizeKeepsContainers } from './resize-keeps-containers.ts';
import { resizeKeepsQos } from './resize-keeps-qos.ts';
import { resizeKeepsResources } from './resize-keeps-resources.ts';
import { resizeMemoryLimit } from './resize-memory-limit.ts';
import { resizeOomKilled } from './resize-oom-killed.ts';
import { resizeOnlyCpuMemory } from './resize-only-cpu-memory.ts';
import { resizePending } from './resize-pending.ts';
import { resizePolicyDeclared } from './resize-policy-declared.ts';
import { resizePolicyValid } from './resize-policy-valid.ts';
import { resizeRestarts } from './resize-restarts.ts';
import { resizeStep } from './resize-step.ts';
import { resizeSupportedPod } from './resize-supported-pod.ts';
import { resizeWithinNode } from './resize-within-node.ts';
import { resourcesRequired } from './resources-required.ts';
import type { Rule } from './rule.ts';
import { sidecarHasRequests } from './sidecar-has-requests.ts';
import { sidecarHasStartupProbe } from './sidecar-has-startup-probe.ts';
import { sidecarIsNative } from './sidecar-is-native.ts';
import { sidecarPortsUnique } from './sidecar-ports-unique.ts';
import { sidecarRestartPolicy } from './sidecar-restart-policy.ts';
import { sidecarStartsFirst } from './sidecar-starts-first.ts';

/**
 * Every rule. Its settings' type is known only to itself: whoever calls `check` or `fix` passes what `settings.parse` gave.
 */
export const RULES = [
  quantityValid,
  quantityPlausible,
  requestsWithinLimits,
  resizePolicyValid,
  resizePolicyDeclared,
  sidecarRestartPolicy,
  sidecarHasRequests,
  sidecarHasStartupProbe,
  sidecarStartsFirst,
  sidecarIsNative,
  sidecarPortsUnique,
  resizeBySubresource,
  resizeSupportedPod,
  resizeKeepsContainers,
  resizeOnlyCpuMemory,
  resizeKeepsResources,
  resizeKeepsQos,
  resizeInitContainer,
  resizeMemoryLimit,
  resizeWithinNode,
  resizeFitsNow,
  resizePending,
  resizeOomKilled,
  resizeAutoscaled,
  resizeRestarts,
  resizeStep,
  resizeCooldown,
  resizeActor,
  containerSize,
  podSize,
  limitRequestRatio,
  resourcesRequired,
  namespaceBudget,
  resizeFrozen,
] as readonly Rule[];
