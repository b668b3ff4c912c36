// Plays a scene on a real kubelet's node: makes its pods, resizes them one after the other, and has each verdict compared.
import { isDeepStrictEqual } from 'node:util';
import type { ClusterView } from '../../src/admission/cluster-view.ts';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { podsPath } from './pods.ts';
import type { Comparison } from './compare-all.ts';
import { compareWithApiServer } from './compare-with-api-server.ts';
import { compareWithKubelet, type KubeletSays } from './compare-with-kubelet.ts';
import { ASKS_NOTHING, DISTURBED, NO_NEWS, NO_POD, REFUSED } from './exceptions.ts';
import { heardOfNode, hearKubelet, type Stage } from './hear-kubelet.ts';
import { isFinished, isSameSpec, type NodePod, readPods, told, until } from './node-pods.ts';
import { createJudge, type PodrailVerdict } from './podrail-verdict.ts';
import { askedPod, roomFor, toPod } from './scene-pods.ts';
import type { Aim, Scene } from './scenes.ts';
import { areSettled } from './settled-pods.ts';

// A kubelet that missed what its runtime did, on a busy machine, looks again within the minute and a half.
const SETTLE_MS = 100_000;

let played = 0;

/** Gives what came of each resize, in order. Leaves the node empty. */
export async function playScene({ pods, resizes }: Scene, stage: Stage): Promise<readonly Comparison[]> {
  const names = pods.map((_, index) => `scene-${played}-${index}`);
  played++;
  const comparisons: Comparison[] = [];
  try {
    for (const [index, shape] of pods.entries()) {
      const refused = await refusalOf(toPod(shape, names[index] ?? '', stage.kubelet.node), stage);
      if (refused !== undefined) comparisons.push(refused);
    }
    for (const aim of resizes) comparisons.push(await playResize(aim, stage));
  } finally {
    await clear(names, stage);
  }
  return comparisons;
}

/**
 * Creates a pod. Not every shape is one: what the API server refuses as podrail does is not there, nor what the kubelet does not admit.
 * Any other refusal is a difference.
 */
async function refusalOf(pod: object, { api, minor }: Stage): Promise<Comparison | undefined> {
  const answer = await api.post(podsPath(), pod);
  if (answer.code < 300) return undefined;
  const comparison = compareWithApiServer(answer, createJudge(minor, createClusterView([])).create(pod), minor);
  return comparison.kind === 'difference' ? comparison : undefined;
}

async function playResize(aim: Aim, stage: Stage): Promise<Comparison> {
  const { api, kubelet, minor } = stage;
  const pods = await untilSettled(stage);
  const alive = pods.filter(({ pod }) => !isFinished(pod));
  const chosen = alive[aim.pod % alive.length];
  if (chosen === undefined) return uncompared(NO_POD);
  const node = (await api.get(`/api/v1/nodes/${kubelet.node}`)).body as object;
  const view = viewOf(node, pods);
  const room = roomFor(chosen.pod, kubelet.node, view, minor);
  const asked = askedPod(aim, chosen, room, minor);
  if (isSameSpec(asked, chosen.pod)) return uncompared(ASKS_NOTHING);
  const { resourceVersion: _, ...metadata } = asked.metadata;
  const answer = await api.put(podsPath(metadata.name, 'resize'), { ...asked, metadata });
  const ofNode = heardOfNode(answer);
  if (answer.code >= 300 && ofNode === undefined) {
    const comparison = compareWithApiServer(answer, createJudge(minor, view).resize(chosen.pod, asked), minor);
    return comparison.kind === 'difference' ? comparison : uncompared(REFUSED);
  }
  const judgeOf = (seen: readonly NodePod[]): PodrailVerdict => {
    const stored = seen.find(({ pod }) => pod.metadata.uid === metadata.uid)?.pod;
    return createJudge(minor, viewOf(node, seen), stage.guardrail).resize(stored, asked);
  };
  const toldAll = (): PodrailVerdict => judgeOf(pods.map(told));
  const situation = { minor, asked, pods, allocatable: room.allocatable, toldAll };
  const compare = (says: KubeletSays): Comparison => compareWithKubelet(says, judgeOf(pods), situation);
  const says = ofNode ?? (await hearKubelet(chosen, stage, (old) => compare(old).kind !== 'difference'));
  if (says === undefined) return uncompared(NO_NEWS);
  const comparison = compare(says);
  // What the kubelet saw while its other pods were changing was not what podrail saw.
  const isDisturbed = comparison.kind === 'difference' && !(await areSameBeside(chosen, pods, stage));
  return isDisturbed ? uncompared(DISTURBED) : comparison;
}

function uncompared(name: string): Comparison {
  return { kind: 'uncompared', name };
}

function viewOf(node: object, pods: readonly NodePod[]): ClusterView {
  return createClusterView([
    { apiVersion: 'v1', kind: 'Node', ...node },
    ...pods.map(({ pod }) => ({ apiVersion: 'v1', kind: 'Pod', ...pod })),
  ]);
}

async function areSameBeside(chosen: NodePod, before: readonly NodePod[], { api, kubelet }: Stage): Promise<boolean> {
  const others = (pods: readonly NodePod[]): readonly unknown[] =>
    pods
      .filter(({ pod }) => pod.metadata.uid !== chosen.pod.metadata.uid)
      .map(({ pod, allocation }) => [pod.metadata.uid, pod.status, allocation]);
  return isDeepStrictEqual(others(await readPods(api, kubelet)), others(before));
}

async function untilSettled({ api, kubelet }: Stage): Promise<readonly NodePod[]> {
  const settled = await until(async () => {
    const pods = await readPods(api, kubelet);
    // Kubelets count a pod until they have heard that it is gone.
    const isAlone = (await kubelet.heardOf()).size === pods.length;
    return isAlone && areSettled(pods) ? pods : undefined;
  }, SETTLE_MS);
  if (settled !== undefined) return settled;
  const restless = (await readPods(api, kubelet)).filter((one) => !areSettled([one]));
  throw new Error(`pods of ${kubelet.node} do not come to rest: ${JSON.stringify(restless)}`);
}

async function clear(names: readonly string[], { api }: Stage): Promise<void> {
  for (const name of names) await api.remove(podsPath(name));
}
