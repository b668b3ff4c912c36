// What a pod belongs to, as far as the pod itself tells: its controller, and the Deployment behind a ReplicaSet.
import type { Pod } from './pod.ts';

export interface Workload {
  readonly kind: string;
  readonly name: string;
}

const HASH = 'pod-template-hash';

/**
 * The controller, and of a Deployment's ReplicaSet the Deployment too. A Deployment names its ReplicaSets by itself and the hash
 * that it also puts on their pods (getNewReplicaSet of the deployment controller), so nobody needs to be asked.
 */
export function workloadsOf({ owner, labels }: Pick<Pod, 'owner' | 'labels'>): readonly Workload[] {
  if (owner === undefined) return [];
  const { kind, name } = owner;
  const suffix = Object.hasOwn(labels, HASH) ? `-${labels[HASH]}` : '';
  const isOfDeployment = kind === 'ReplicaSet' && suffix !== '' && name.endsWith(suffix) && name !== suffix;
  const deployment = { kind: 'Deployment', name: name.slice(0, name.length - suffix.length) };
  return isOfDeployment ? [{ kind, name }, deployment] : [{ kind, name }];
}
