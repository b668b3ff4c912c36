// Node facts that the Kubernetes API does not show, as the operator declares them by node label: and what a resize breaks there.
import { z } from 'zod';
import { allocatedTo } from '../model/allocated-requests.ts';
import { matchesLabels } from '../model/label-selector.ts';
import { allContainers, type Container, type Pod } from '../model/pod.ts';
import { storedQos } from '../model/qos.ts';
import { compare, type Quantity, quantityOf, toText } from '../model/quantity.ts';
import type { Facts, KnownNode } from './facts.ts';
import { quote, resourcePath, subjectOf } from './message.ts';
import { restartsOn } from './restarts-on.ts';
import { type Finding, NO_FINDINGS } from './rule.ts';
import { labelSelectorSetting } from './label-selector-setting.ts';

/** One entry of the setting `nodes`. What an entry does not say is left to the entries after it. */
export const declaredNode = z.strictObject({
  selector: labelSelectorSetting
    .meta({ examples: ['{ matchLabels: { cpumanager: static } }'] })
    .describe('Which nodes, by their labels; {} is every node.'),
  cpuManager: z.enum(['none', 'static']).optional().describe("The kubelet's cpuManagerPolicy there."),
  memoryManager: z.enum(['None', 'Static']).optional().describe("The kubelet's memoryManagerPolicy there."),
  swap: z.enum(['NoSwap', 'LimitedSwap']).optional().describe("The kubelet's memorySwap.swapBehavior there."),
});

export type DeclaredNode = z.infer<typeof declaredNode>;
type Kubelet = Omit<DeclaredNode, 'selector'>;

const ZERO = quantityOf(0n, 'decimal');
const PINNED = ['cpu', 'memory'] as const;

/** What the kubelet's managers and swap make Infeasible (its podResizesAdmitHandler), or may, where nobody declared it. */
export function kubeletFindings(facts: Facts, node: KnownNode, declared: readonly DeclaredNode[]): readonly Finding[] {
  const { before } = facts;
  if (before === undefined) return NO_FINDINGS;
  const kubelet = kubeletOf(node, declared);
  const qos = storedQos(before, facts.version);
  if (qos === 'Guaranteed' && mayPin(kubelet)) return pinFindings(facts, before, node, kubelet);
  if (qos === 'Burstable' && maySwap(kubelet, node)) return swapFindings(facts, before, node, kubelet);
  return NO_FINDINGS;
}

function mayPin({ cpuManager, memoryManager }: Kubelet): boolean {
  return cpuManager === 'static' || memoryManager === 'Static';
}

function maySwap({ swap }: Kubelet, { hasSwap }: KnownNode): boolean {
  return swap === 'LimitedSwap' || (swap === undefined && hasSwap);
}

function kubeletOf(node: KnownNode, declared: readonly DeclaredNode[]): Kubelet {
  let kubelet: Kubelet = {};
  for (const { selector, ...said } of declared) {
    if (matchesLabels(selector, node.labels)) kubelet = { ...said, ...kubelet };
  }
  return kubelet;
}

function pinFindings(facts: Facts, before: Pod, node: KnownNode, kubelet: Kubelet): readonly Finding[] {
  return allContainers(facts.pod).flatMap((container) =>
    PINNED.flatMap((resource) => {
      const manager = managerOf(resource, kubelet, facts.version.minor);
      const held = heldRequest(before, container, resource);
      const asked = container.requests.get(resource) ?? ZERO;
      if (manager === undefined || compare(held, asked) === 0) return [];
      const keep = `must keep its ${resource} request of ${toText(held)}`;
      const message = `${subjectOf(facts.pod, container)} ${keep} on node ${quote(node.name)}, whose ${manager}`;
      return toFinding(container, resource, `${message}; it requests ${toText(asked)}`, asked, held);
    }),
  );
}

// The kubelet of 1.33 refuses every resize of a Guaranteed pod beside either manager, later ones what the manager has pinned.
function managerOf(resource: 'cpu' | 'memory', kubelet: Kubelet, minor: number): string | undefined {
  const cpu = kubelet.cpuManager === 'static' ? 'CPU manager is static' : undefined;
  const memory = kubelet.memoryManager === 'Static' ? 'memory manager is Static' : undefined;
  if (minor < 34) return cpu ?? memory;
  return resource === 'cpu' ? cpu : memory;
}

function swapFindings(facts: Facts, before: Pod, node: KnownNode, kubelet: Kubelet): readonly Finding[] {
  const stored = new Map(allContainers(before).map((container) => [container.name, container]));
  return allContainers(facts.pod).flatMap((container) => {
    const held = heldRequest(before, container, 'memory');
    const asked = container.requests.get('memory') ?? ZERO;
    if (compare(held, asked) === 0 || restartsOn(container, 'memory')) return [];
    if (!canSwap(container) && !canSwap(stored.get(container.name) ?? container)) return [];
    const who = subjectOf(facts.pod, container);
    const where = `node ${quote(node.name)}`;
    if (kubelet.swap === undefined) {
      const message = `${who} must not swap for its memory request to change in place; ${where} has swap, its use is not declared`;
      return { ...toFinding(container, 'memory', message, asked, held), advice: true as const };
    }
    const keep = `must keep its memory request of ${toText(held)} on ${where}, which swaps`;
    return toFinding(
      container,
      'memory',
      `${who} ${keep}; only RestartContainer for memory lets it change`,
      asked,
      held,
    );
  });
}

/** What the kubelet has set aside: where an earlier resize is pending, going back to it is no change. */
function heldRequest(before: Pod, container: Container, resource: string): Quantity {
  const stored = allContainers(before).find(({ name }) => name === container.name);
  return (allocatedTo(before, container) ?? stored?.requests)?.get(resource) ?? ZERO;
}

// GetContainerSwapBehavior, within a Burstable pod; critical pods never swap, but podrail does not read their priority.
function canSwap({ requests, limits }: Container): boolean {
  return compare(requests.get('memory') ?? ZERO, limits.get('memory') ?? ZERO) !== 0;
}

function toFinding(container: Container, resource: string, message: string, asked: Quantity, held: Quantity): Finding {
  const path = resourcePath(container, 'requests', resource);
  // PodResizeValidator knows nothing of a kubelet's settings.
  return { path, message, actual: toText(asked), bound: toText(held), ours: true };
}
