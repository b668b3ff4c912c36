// A sidecar that others need should hold them back until it works: only a startupProbe or a postStart hook does that.
//
// Looks at: startupProbe, postStart, readinessProbe and ports of every sidecar, and what starts after it
// Allowed:  a startupProbe or lifecycle.postStart; a sidecar that nothing points at: no port, no readinessProbe, no init
//           container after it
import { type Container, containerPath, type Pod } from '../model/pod.ts';
import { joinWords, subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** A sidecar counts as started when it runs, its postStart hook has ended and its startupProbe has succeeded (KEP-753). */
export const sidecarHasStartupProbe = defineRule({
  id: 'sidecar-has-startup-probe',
  summary: 'A sidecar that later containers need must set a startupProbe, since nothing else makes them wait.',
  scopes: ['create'],
  perContainer: true,
  settings: noSettings,
  check({ pod }) {
    let findings = NO_FINDINGS;
    for (const container of pod.initContainers) {
      if (container.kind !== 'sidecar' || container.hasPostStart || container.hooks.includes('startupProbe')) continue;
      const signs = signsOfUse(pod, container);
      if (signs.length > 0) findings = [...findings, explain(pod, container, signs)];
    }
    return findings;
  },
});

function signsOfUse({ initContainers }: Pod, sidecar: Container): readonly string[] {
  const port = sidecar.ports[0]?.containerPort;
  return [
    ...(port === undefined ? [] : [`has port ${port}`]),
    ...(sidecar.hooks.includes('readinessProbe') ? ['has a readinessProbe'] : []),
    ...(sidecar.index + 1 < initContainers.length ? ['comes before other init containers'] : []),
  ];
}

function explain(pod: Pod, sidecar: Container, signs: readonly string[]): Finding {
  const next = pod.initContainers[sidecar.index + 1] ?? pod.containers[0];
  const follower = next === undefined ? 'what comes next' : subjectOf(pod, next);
  const message = `${subjectOf(pod, sidecar)} must set startupProbe; it ${joinWords(signs)}, and ${follower} starts without waiting for it`;
  return { path: `${containerPath(sidecar)}.startupProbe`, message };
}
