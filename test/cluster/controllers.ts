// Starts the real kube-controller-manager and kube-scheduler, which make pods of a Deployment and bind them to nodes.
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { type Running, startProgram } from './running.ts';

/**
 * Starts the controllers, each with a service account of its own, as kubeadm has it: the pods of a Deployment are made by
 * `system:serviceaccount:kube-system:replicaset-controller`. `controllers` is the flag of that name.
 */
export function startControllerManager(
  { kubernetes, controllerManager, place }: Cluster,
  controllers: readonly string[] = ['*'],
): Running {
  return startProgram(
    'kube-controller-manager',
    join(kubernetes.folder, 'kube-controller-manager'),
    [
      `--kubeconfig=${controllerManager.kubeconfig}`,
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${join(place.folder, 'sa.key')}`,
      `--controllers=${controllers.join(',')}`,
      '--leader-elect=false',
      // It serves nothing.
      '--secure-port=0',
    ],
    place,
  );
}

export function startScheduler({ kubernetes, scheduler, place }: Cluster): Running {
  return startProgram(
    'kube-scheduler',
    join(kubernetes.folder, 'kube-scheduler'),
    [`--kubeconfig=${scheduler.kubeconfig}`, '--leader-elect=false', '--secure-port=0'],
    place,
  );
}
