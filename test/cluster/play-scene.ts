// Plays a scene on a real kubelet's node: makes its pods, resizes them one after the other, and has each verdict compared.
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import { type Answer, type ApiClient, podPath } from './api-client.ts';
import type { Comparison } from './compare-all.ts';
import { compareWithKubelet, type KubeletSays } from './compare-with-kubelet.ts';
import type { Kubelet } from './kubelet.ts';
import {
  areSettled,
  isAllocated,
  isFinished,
  isSameSpec,
  isUpToDate,
  type NodePod,
  pendingOf,
  readPods,
  type RunningPod,
  until,
} from './node-pods.ts';
import { createJudge } from './podrail-verdict.ts';
import { askedPod, roomFor, toPod } from './scene-pods.ts';
import type { Aim, Scene } from './scenes.ts';

/** Where scenes are played. */
export interface Stage {
  readonly api: ApiClient;
  readonly kubelet: Kubelet;
  readonly minor: string;
  /** What podrail is told of the nodes. */
  readonly guardrail: Guardrail;
}

const SETTLE_MS = 15_000;
const VERDICT_MS = 5_000;
/** How long 1.33, which does not say which spec a condition is about, may take to look again. */
const UNSAID_MS = 1_500;

let played = 0;

/** Gives one comparison for each resize that came to a verdict. Leaves the node empty. */
export async function playScene({ pods, resizes }: Scene, stage: Stage): Promise<readonly Comparison[]> {
  const names = pods.map((_, index) => `scene-${played}-${index}`);
  played++;
  const comparisons: Comparison[] = [];
  try {
    // Not every shape is a pod; what the API server refuses, or the kubelet does not admit, is not there.
    for (const [index, shape] of pods.entries()) {
      await stage.api.post(podPath(''), toPod(shape, names[index] ?? '', stage.kubelet.node));
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
  const answer = await api.put(podPath(metadata.name, 'resize'), { ...asked, metadata });
  const says = await verdictOn(chosen, answer, stage);
  return says && compareWithKubelet(says, podrail, { minor, asked, pods });
}

async function untilSettled({ api, kubelet }: Stage): Promise<readonly NodePod[]> {
  const settled = await until(async () => {
    const pods = await readPods(api, kubelet);
    return areSettled(pods) ? pods : undefined;
  }, SETTLE_MS);
  if (settled !== undefined) return settled;
  const restless = (await readPods(api, kubelet)).filter((one) => !areSettled([one]));
  throw new Error(`pods of ${kubelet.node} do not come to rest: ${JSON.stringify(restless)}`);
}

/** undefined where the API server refuses for a reason that has nothing to do with the node. */
async function verdictOn(chosen: NodePod, { code, body }: Answer, stage: Stage): Promise<KubeletSays | undefined> {
  if (code >= 300) {
    const { message, details } = body as Refusal;
    const isForNode = details?.causes?.some(({ reason }) => reason === 'NodeCapacity');
    return isForNode ? { verdict: 'Infeasible', message } : undefined;
  }
  const { metadata } = body as RunningPod;
  const asked = performance.now();
  const before = pendingOf(chosen.pod)?.message;
  const read = async (): Promise<NodePod | undefined> =>
    (await readPods(stage.api, stage.kubelet)).find(({ pod }) => pod.metadata.uid === metadata.uid);
  const says = await until(async () => {
    const now = await read();
    if (now?.allocation === undefined) return undefined;
    if (isAllocated(now.pod, now.allocation)) return { verdict: 'allocated', message: '' };
    const pending = pendingOf(now.pod);
    if (pending === undefined || !isUpToDate(pending, now.pod)) return undefined;
    const { reason = '', message = '', observedGeneration } = pending;
    const isNews = observedGeneration !== undefined || message !== before || performance.now() - asked > UNSAID_MS;
    return isNews ? { verdict: reason, message } : undefined;
  }, VERDICT_MS);
  if (says !== undefined) return says;
  const { spec, status, allocation } = { ...(await read())?.pod, allocation: (await read())?.allocation };
  throw new Error(`the kubelet says nothing of ${metadata.name}: ${JSON.stringify({ spec, status, allocation })}`);
}

interface Refusal {
  readonly message: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string }[] };
}

// Kubelets count a pod until they have heard that it is gone.
async function clear(names: readonly string[], { api, kubelet }: Stage): Promise<void> {
  const uids = new Set((await readPods(api, kubelet)).map(({ pod }) => pod.metadata.uid));
  for (const name of names) await api.remove(podPath(name));
  await until(
    async () => ([...(await kubelet.heardOf()).keys()].some((uid) => uids.has(uid)) ? undefined : true),
    SETTLE_MS,
  );
}
