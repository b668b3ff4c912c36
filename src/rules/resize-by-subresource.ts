// A plain update of a pod cannot change resources; the subresource `resize` can.
//
// Looks at: what an UPDATE of `pods` changes in resources
// Allowed:  an update that leaves resources as they are; one that changes the containers is left to the API server
import { hasSameContainers } from '../model/resize.ts';
import { resourcePath, subjectOf } from './message.ts';
import { defineRule, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows ValidatePodUpdate, which answers with a dump of both specs. */
export const resizeBySubresource = defineRule({
  id: 'resize-by-subresource',
  summary: 'Resources of a pod must be changed through its subresource resize, not by a plain update.',
  scopes: ['update'],
  core: () => true,
  settings: noSettings,
  check({ before, pod, changes }) {
    const first = changes[0];
    if (first === undefined || before === undefined || !hasSameContainers(before, pod)) return NO_FINDINGS;
    return [
      {
        path: resourcePath(first.container, first.list, first.resource),
        message: `${subjectOf(pod, undefined)} must be resized through pods/resize, not by a plain update; use kubectl patch --subresource resize`,
        conclusive: true,
      },
    ];
  },
});
