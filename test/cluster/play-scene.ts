// Plays a scene on a real kubelet's node: makes its pods, resizes them one after the other, and has each verdict compared.
import { isDeepStrictEqual } from 'node:util';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { podsPath } from './pods.ts';
import type { Comparison } from './compare-all.ts';
import { compareWithKubelet } from './compare-with-kubelet.ts';
import { hearKubelet, type Stage } from './hear-kubelet.ts';
import { areSettled, isFinished, isSameSpec, type NodePod, readPods, until } from './node-pods.ts';
import { createJudge } from './podrail-verdict.ts';
import { askedPod, roomFor, toPod } from './scene-pods.ts';
import type { Aim, Scene } from './scenes.ts';

const SETTLE_MS = 15_000;

let played = 0;

/** Gives one comparison for each resize that came to a verdict. Leaves the node empty. */
export async function playScene({ pods, resizes }: Scene, stage: Stage): Promise<readonly Comparison[]> {
  const names = pods.map((_, index) => `scene-${played}-${index}`);
  played++;
  const comparisons: Comparison[] = [];
  try {
    // Not every shape is a pod; what the API server refuses, or the kubelet does not admit, is not there.
    for (const [index, shape] of pods.entries()) {
      await stage.api.post(podsPath(), toPod(shape, names[index] ?? '', stage.kubelet.node));
    }
    for (const aim of resizes) {
      const judged = await playResize(aim, stage);
      if (judged !== undefined) comparisons.push(judged);
    }
  } finally {
    await clear(names, stage);
  }
  return comparisons;
}

async function playResize(aim: Aim, stage: Stage): Promise<Comparison | undefined> {
  const { api, kubelet, minor, guardrail } = stage;
  const pods = await untilSettled(stage);
  const alive = pods.filter(({ pod }) => !isFinished(pod));
  const chosen = alive[aim.pod % alive.length];
  if (chosen === undefined) return undefined;
  const node = (await api.get(`/api/v1/nodes/${kubelet.node}`)).body as object;
  const view = createClusterView([
    { apiVersion: 'v1', kind: 'Node', ...node },
    ...pods.map(({ pod }) => ({ apiVersion: 'v1', kind: 'Pod', ...pod })),
  ]);
  const asked = askedPod(aim, chosen, roomFor(chosen.pod, kubelet.node, view, minor), minor);
  if (isSameSpec(asked, chosen.pod)) return undefined;
  const podrail = createJudge(minor, view, guardrail).resize(chosen.pod, asked);
  const { resourceVersion: _, ...metadata } = asked.metadata;
  const answer = await api.put(podsPath(metadata.name, 'resize'), { ...asked, metadata });
  const says = await hearKubelet(chosen, answer, stage);
  if (says === undefined) return undefined;
  const comparison = compareWithKubelet(says, podrail, { minor, asked, pods });
  // What the kubelet saw while its other pods were changing was not what podrail saw.
  if (comparison.kind === 'difference' && !(await areSameBeside(chosen, pods, stage))) return undefined;
  return comparison;
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
