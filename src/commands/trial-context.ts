// What a request is tried in: as serve decides, without anything to record.
import type { ReviewContext } from '../admission/review.ts';
import { createRecordIds } from '../audit/record-id.ts';
import { eachAnew } from '../audit/retries.ts';
import type { KubernetesVersion } from '../model/kubernetes-version.ts';
import type { DecisionFiles } from './decision-files.ts';

export function toTrialContext(
  { policy, cluster }: Pick<DecisionFiles, 'policy' | 'cluster'>,
  version: KubernetesVersion,
  now: () => Date,
  ownNamespace = '',
): ReviewContext {
  return {
    policy,
    cluster,
    version,
    ownNamespace,
    onFault: 'deny',
    auditLevel: 'denied',
    now,
    elapsedMs: () => 0,
    recordIds: eachAnew(createRecordIds()),
  };
}
