// What a kubelet makes of one resize: it is heard from the pod's condition, and from the kubelet's own record.
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import type { Answer, ApiClient } from './api-client.ts';
import type { KubeletSays } from './compare-with-kubelet.ts';
import type { Kubelet } from './kubelet.ts';
import { type Condition, isAllocated, isUpToDate, type NodePod, pendingOf, readPods, until } from './node-pods.ts';

/** Where scenes are played. */
export interface Stage {
  readonly api: ApiClient;
  readonly kubelet: Kubelet;
  readonly minor: string;
  /** What podrail is told of the nodes. */
  readonly guardrail: Guardrail;
}

interface Refusal {
  readonly message: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string }[] };
}

const VERDICT_MS = 60_000;
/**
 * For other words than before, once the kubelet has heard of the new spec: it judges at once then, and tells at once. Often there are
 * none, and this is waited in vain.
 */
const NEWS_MS = 5_000;

/**
 * Of a resize that was accepted. `isExpected` tells whether something would be what is expected of it: what a kubelet of 1.33 has said
 * before may then be about it as well, and undefined is given where there are no other words.
 */
export async function hearKubelet(
  chosen: NodePod,
  { api, kubelet }: Stage,
  isExpected: (says: KubeletSays) => boolean,
): Promise<KubeletSays | undefined> {
  const before = pendingOf(chosen.pod);
  const old = before?.observedGeneration === undefined ? before && toSays(before) : undefined;
  const canBeSilent = old !== undefined && isExpected(old);
  const read = async (): Promise<NodePod | undefined> =>
    (await readPods(api, kubelet)).find(({ pod }) => pod.metadata.uid === chosen.pod.metadata.uid);
  let heardAt: number | undefined;
  const heard = await until(async () => {
    const now = await read();
    const says = now && saidOf(now, before);
    if (says !== undefined) return { says };
    if (!canBeSilent || now?.isHeard !== true) return undefined;
    heardAt ??= performance.now();
    return performance.now() - heardAt > NEWS_MS ? { says } : undefined;
  }, VERDICT_MS);
  if (heard !== undefined) return heard.says;
  // It does not change its mind.
  if (old !== undefined) return old;
  throw new Error(`the kubelet says nothing of ${JSON.stringify(await read())}`);
}

function toSays({ reason = '', message = '' }: Condition): KubeletSays {
  return { verdict: reason, message };
}

function saidOf({ pod, allocation }: NodePod, before: Condition | undefined): KubeletSays | undefined {
  if (allocation === undefined) return undefined;
  if (isAllocated(pod, allocation)) return { verdict: 'allocated', message: '' };
  const pending = pendingOf(pod);
  if (pending === undefined || !isUpToDate(pending, pod) || !isNews(pending, before)) return undefined;
  return toSays(pending);
}

/** What a kubelet would have said before the API server looked at nodes; undefined where the refusal is about something else. */
export function heardOfNode({ code, body }: Answer): KubeletSays | undefined {
  if (code < 300) return undefined;
  const { message, details } = body as unknown as Refusal;
  const isForNode = details?.causes?.some(({ reason }) => reason === 'NodeCapacity');
  return isForNode ? { verdict: 'Infeasible', message } : undefined;
}

// 1.33 does not say which spec a condition is about: only other words than before are news.
function isNews({ message, observedGeneration }: Condition, before: Condition | undefined): boolean {
  return observedGeneration !== undefined || message !== before?.message;
}
