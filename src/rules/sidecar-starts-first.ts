// A sidecar should come before the init containers that need it: what is before it has ended when it starts.
//
// Looks at: the order of spec.initContainers, names and images
// Allowed:  sidecars before the init containers of `before`; init containers of `after` anywhere
import { z } from 'zod';
import { type Container, containerPath, type Pod } from '../model/pod.ts';
import { isKnownAs } from './known-as.ts';
import { subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { globsSetting, someGlobsSetting } from './settings.ts';

/** What sidecars themselves wait for: it sets up their network or their secrets. */
const PREPARING = ['istio-init', 'istio-validation', 'linkerd-init', 'linkerd-network-validator', 'vault-agent-init'];

const settings = z.strictObject({
  sidecars: someGlobsSetting.prefault(['*']).describe('The sidecars that come first, by name or image.'),
  before: someGlobsSetting.prefault(['*']).describe('The init containers that they come before, by name or image.'),
  after: globsSetting.prefault(PREPARING).describe('The init containers that may come before them all the same.'),
});
type Settings = z.output<typeof settings>;

/** Init containers run one after the other, each sidecar from its place in that order on (KEP-753). */
export const sidecarStartsFirst = defineRule<Settings>({
  id: 'sidecar-starts-first',
  summary: 'A sidecar must come before the init containers that need it.',
  scopes: ['create'],
  perContainer: true,
  settings,
  check({ pod }, { sidecars, before, after }) {
    let findings = NO_FINDINGS;
    let first: Container | undefined;
    for (const container of pod.initContainers) {
      if (container.kind === 'sidecar') {
        if (first !== undefined && isKnownAs(sidecars, container))
          findings = [...findings, explain(pod, container, first)];
      } else if (isKnownAs(before, container) && !isKnownAs(after, container)) first ??= container;
    }
    return findings;
  },
});

function explain(pod: Pod, sidecar: Container, first: Container): Finding {
  const bound = containerPath(first);
  const must = `${subjectOf(pod, sidecar)} must come before ${subjectOf(pod, first)}, at ${bound}`;
  const message = `${must}; at [${sidecar.index}] it starts when that one has ended`;
  return { path: containerPath(sidecar), message, actual: containerPath(sidecar), bound };
}
