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

const VERDICT_MS = 15_000;
/** For other words than before. */
const NEWS_MS = 4_000;

/**
 * undefined where the API server refuses for a reason that has nothing to do with the node, and where nobody can tell what
 * the condition is about.
 */
export async function hearKubelet(
  chosen: NodePod,
  { code, body }: Answer,
  { api, kubelet }: Stage,
): Promise<KubeletSays | undefined> {
  if (code >= 300) return ofNode(body as unknown as Refusal);
  const before = pendingOf(chosen.pod);
  const read = async (): Promise<NodePod | undefined> =>
    (await readPods(api, kubelet)).find(({ pod }) => pod.metadata.uid === chosen.pod.metadata.uid);
  const says = await until(
    async () => {
      const now = await read();
      if (now?.allocation === undefined) return undefined;
      if (isAllocated(now.pod, now.allocation)) return { verdict: 'allocated', message: '' };
      const pending = pendingOf(now.pod);
      if (pending === undefined || !isUpToDate(pending, now.pod) || !isNews(pending, before)) return undefined;
      return { verdict: pending.reason ?? '', message: pending.message ?? '' };
    },
    before === undefined || before.observedGeneration !== undefined ? VERDICT_MS : NEWS_MS,
  );
  const now = await read();
  if (says !== undefined || (now !== undefined && pendingOf(now.pod) !== undefined)) return says;
  throw new Error(`the kubelet says nothing of ${JSON.stringify(now)}`);
}

/** What a kubelet would have said before the API server looked at nodes. */
function ofNode({ message, details }: Refusal): KubeletSays | undefined {
  const isForNode = details?.causes?.some(({ reason }) => reason === 'NodeCapacity');
  return isForNode ? { verdict: 'Infeasible', message } : undefined;
}

// 1.33 does not say which spec a condition is about: only other words than before are news.
function isNews({ message, observedGeneration }: Condition, before: Condition | undefined): boolean {
  return observedGeneration !== undefined || message !== before?.message;
}
