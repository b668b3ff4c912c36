// Whether a resize changes to podrail what it changes to Kubernetes: podrail has no say where nothing does.
import type { Pod } from '../../src/model/pod.ts';
import { changesNothing } from '../../src/model/resize.ts';
import { differs, type Outcome, type PodAnswer, SAME } from './answers.ts';

/** Both pods as they are, or would be, stored, beside whether the generation of the pod is raised; before anybody validates. */
export function compareChange(before: Pod, after: Pod, { changed = false }: PodAnswer): Outcome {
  const ours = !changesNothing(before, after);
  if (ours === changed) return SAME;
  if (changed && losesEmptyBlock(before, after)) return { differences: [], exceptions: [EMPTY_BLOCK] };
  return differs('whether anything changes', ours, changed);
}

/** A kind of difference that is meant. */
export const EMPTY_BLOCK = 'an empty block of pod-level resources that is left out';

/** Whether pod-level resources without a value are left out. */
export function losesEmptyBlock({ podLevel }: Pod, after: Pod): boolean {
  return podLevel?.requests.size === 0 && podLevel.limits.size === 0 && after.podLevel === undefined;
}
