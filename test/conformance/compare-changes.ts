// Whether a resize changes to podrail what it changes to Kubernetes: podrail has no say where nothing does.
import type { Pod } from '../../src/model/pod.ts';
import { changesNothing } from '../../src/model/resize.ts';
import { differs, type Outcome, type PodAnswer, SAME } from './answers.ts';

/** Both pods as they are, or would be, stored, beside whether the generation of the pod is raised; before anybody validates. */
export function compareChange(before: Pod, after: Pod, { changed = false }: PodAnswer): Outcome {
  const ours = !changesNothing(before, after);
  return ours === changed ? SAME : differs('whether anything changes', ours, changed);
}
