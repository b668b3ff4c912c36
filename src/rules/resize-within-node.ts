// A resize that the pod's node can never carry out is Infeasible: accepted, never done, and nobody is told.
//
// Looks at: resources.requests of every container and spec.resources, the node's allocatable, its label kubernetes.io/os,
//           and what the setting `nodes` declares: static CPU or memory manager, swap
// Allowed:  a sum of cpu and of memory within the node's allocatable, on Linux, with nothing changed that the kubelet pins
// Not scheduled: passes. Node not known: advice that it was not checked. A resource that the node does not report: passes
import { z } from 'zod';
import { checksNodeOnResize } from '../model/kubernetes-version.ts';
import { desiredRequests } from '../model/pod-requests.ts';
import { excess } from '../model/resources.ts';
import { declaredNode, kubeletFindings } from './declared-node.ts';
import type { Facts, KnownNode } from './facts.ts';
import { inOrder } from './finding-order.ts';
import { bareWord, quote, subjectOf, word } from './message.ts';
import { roomFinding } from './room-on-node.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';

const OS_LABEL = 'kubernetes.io/os';
const WORDS = { when: '', available: 'allocatable', outcome: '' };

const settings = z.strictObject({
  nodes: z
    .array(declaredNode)
    .max(64)
    .default([])
    .describe(
      'Kubelet settings that the API does not show, by node label; for each setting the first entry that matches counts.',
    ),
});

/** Follows PodResizeValidator of 1.36 (platform, allocatable), on every version, and the kubelet's own Infeasible reasons. */
export const resizeWithinNode = defineRule({
  id: 'resize-within-node',
  summary: "A resize must stay within what the pod's node can ever give.",
  scopes: ['resize'],
  core: checksNodeOnResize,
  settings,
  check(facts, { nodes }) {
    const { node, changes } = facts;
    // A request can also hold nothing but what the API server drops.
    if (node.state === 'unscheduled' || changes.length === 0) return NO_FINDINGS;
    if (node.state === 'unknown') return [uncheckedFinding(facts, node.name)];
    const os = node.labels[OS_LABEL];
    if (os !== undefined && os !== 'linux') return [platformFinding(facts, node, os)];
    const capacity = capacityFindings(facts, node);
    const kubelet = kubeletFindings(facts, node, nodes);
    if (capacity.length === 0) return kubelet;
    return inOrder([...capacity, ...kubelet]);
  },
});

function uncheckedFinding({ pod }: Facts, nodeName: string): Finding {
  const message = `${subjectOf(pod, undefined)} must fit node ${quote(nodeName)}; podrail does not know this node and did not check`;
  return { path: 'spec.nodeName', message, advice: true };
}

function platformFinding({ pod }: Facts, node: KnownNode, os: string): Finding {
  return {
    path: 'spec.nodeName',
    message: `${subjectOf(pod, undefined)} must run on linux to be resized; node ${quote(node.name)} is ${word(os)}`,
    actual: bareWord(os),
    bound: 'linux',
    cause: 'UnsupportedPlatform',
  };
}

function capacityFindings(facts: Facts, node: KnownNode): readonly Finding[] {
  const over = excess(desiredRequests(facts.pod, facts.version), node.allocatable);
  if (over.length === 0) return NO_FINDINGS;
  return over
    .filter(({ resource }) => resource === 'cpu' || resource === 'memory')
    .map((one) => ({ ...roomFinding(facts, node.name, one, WORDS), cause: 'NodeCapacity' as const }));
}
