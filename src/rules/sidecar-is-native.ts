// A well-known sidecar belongs in initContainers: among the containers of a Job it keeps the pod from ever completing.
//
// Looks at: names and images of the main containers; the pod's owner and restartPolicy
// Allowed:  sidecars as init containers with restartPolicy: Always; a pod that has nothing but them, such as a gateway
import { z } from 'zod';
import { type Container, containerPath, type Pod } from '../model/pod.ts';
import { isKnownAs } from './known-as.ts';
import { subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { someGlobsSetting } from './settings.ts';

const WELL_KNOWN = [
  'istio-proxy',
  'linkerd-proxy',
  'cloudsql-proxy',
  'cloud-sql-proxy',
  'vault-agent',
  'consul-dataplane',
  'kuma-sidecar',
  'daprd',
  '*/istio/proxyv2:*',
  '*/linkerd/proxy:*',
  '*/cloud-sql-proxy:*',
  '*/consul-dataplane:*',
  '*/kuma-dp:*',
  '*/daprd:*',
];

const settings = z.strictObject({
  sidecars: someGlobsSetting
    .prefault(WELL_KNOWN)
    .describe('Names and images of containers that are sidecars, as globs.'),
});
type Settings = z.output<typeof settings>;

/** The kubelet ends sidecars when all main containers have ended (KEP-753); it knows no other helper. */
export const sidecarIsNative = defineRule<Settings>({
  id: 'sidecar-is-native',
  summary: 'A well-known sidecar must be an init container with restartPolicy: Always.',
  scopes: ['create'],
  perContainer: true,
  settings,
  check({ pod }, { sidecars }) {
    if (pod.containers.length < 2) return NO_FINDINGS;
    const found = pod.containers.filter((container) => isKnownAs(sidecars, container));
    if (found.length === 0 || found.length === pod.containers.length) return NO_FINDINGS;
    return found.map((container) => explain(pod, container));
  },
});

function explain(pod: Pod, container: Container): Finding {
  const must = `${subjectOf(pod, container)} must be an init container with restartPolicy: Always`;
  return { path: containerPath(container), message: `${must}; it is in containers, ${consequence(pod)}` };
}

function consequence({ owner, restartPolicy }: Pod): string {
  if (owner?.kind === 'Job') return 'where it keeps its Job from completing';
  if (restartPolicy !== 'Always') return 'where it keeps its pod from completing';
  return 'which start and stop in no order';
}
