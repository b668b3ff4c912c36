// A sidecar and a container that runs beside it cannot listen on one port: they share the pod's network, and its node's.
//
// Looks at: ports of sidecars and of what runs beside them: main containers, other sidecars, init containers after them
// Allowed:  one port with different protocols; the ports of init containers that have ended before
// hostIP is not looked at
import { type Container, type ContainerPort, containerPath, type Pod } from '../model/pod.ts';
import { subjectOf, word } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

type PortField = 'containerPort' | 'hostPort';

/** The API server compares host ports among main containers only (checkHostPortConflicts), and container ports nowhere. */
export const sidecarPortsUnique = defineRule({
  id: 'sidecar-ports-unique',
  summary: 'A sidecar must not use a port of a container that runs beside it.',
  scopes: ['create'],
  perContainer: true,
  settings: noSettings,
  check({ pod }) {
    let findings = NO_FINDINGS;
    for (const container of pod.initContainers) {
      if (container.kind !== 'sidecar' || container.ports.length === 0) continue;
      findings = [...findings, ...findClashes(pod, container)];
    }
    return findings;
  },
});

function findClashes(pod: Pod, sidecar: Container): readonly Finding[] {
  const others = besides(pod, sidecar);
  return sidecar.ports.flatMap((port, place) => {
    for (const other of others) {
      const field = clashWithAny(port, other.ports);
      if (field === undefined) continue;
      const actual = `${port[field]}/${word(port.protocol)}`;
      const must = `${subjectOf(pod, sidecar)} must use another ${field} than ${subjectOf(pod, other)}`;
      const path = `${containerPath(sidecar)}.ports[${place}].${field}`;
      return [{ path, message: `${must}; both use ${actual}`, actual }];
    }
    return [];
  });
}

// Of two sidecars the later one is told.
function besides({ containers, initContainers }: Pod, { index: own }: Container): readonly Container[] {
  return [
    ...containers,
    ...initContainers.filter(({ kind, index }) => (kind === 'sidecar' ? index < own : index > own)),
  ];
}

function clashWithAny(port: ContainerPort, taken: readonly ContainerPort[]): PortField | undefined {
  const same = taken.filter(({ protocol }) => protocol === port.protocol);
  if (same.some(({ containerPort }) => containerPort === port.containerPort)) return 'containerPort';
  if (port.hostPort === undefined) return undefined;
  return same.some(({ hostPort }) => hostPort === port.hostPort) ? 'hostPort' : undefined;
}
