// Scenes for a kubelet that are played every time, since few generated ones are like them.
import { canResizePodLevel, countsWholePodTotals } from '../../src/model/kubernetes-version.ts';
import { versionOf } from './scene-pods.ts';
import type { Aim, Amounts, PodShape, Scene } from './scenes.ts';

const NONE: Amounts = { cpu: undefined, memory: undefined };

function plainPod(...containers: readonly Partial<Amounts>[]): PodShape {
  const shapes = containers.map((own) => ({ requests: { ...NONE, ...own }, isLimited: false, isSidecar: false }));
  return { containers: shapes, initContainers: [], overhead: NONE, podLevel: undefined, isGuaranteed: false };
}

function aimAt(pod: number, more: Partial<Aim> & Pick<Aim, 'resource' | 'at'>): Aim {
  return { pod, container: 0, isPodLevel: false, step: 0, value: 0, ...more };
}

const KNOWN_SCENES: readonly Scene[] = [
  {
    // A container that runs with nothing waits for all of the node: until then its kubelet counts nothing for it.
    pods: [plainPod({ memory: 64 }, {}), plainPod({ cpu: 100, memory: 64 })],
    resizes: [
      aimAt(0, { container: 1, resource: 'cpu', at: 'node' }),
      aimAt(1, { resource: 'cpu', at: 'value', value: 350 }),
    ],
  },
];

const withPodLevel = (cpu: number, memory: number, isLimited = false): PodShape => ({
  ...plainPod({ cpu: 50, memory: 64 }),
  podLevel: { requests: { cpu, memory }, isLimited },
});

/** Resizes of what the pod itself requests: to what is free, past it, past what the node has, back, and less. */
const POD_LEVEL_SCENES: readonly Scene[] = (['cpu', 'memory'] as const).map((resource) => ({
  pods: [withPodLevel(200, 512), withPodLevel(200, 512, true), plainPod({ cpu: 100, memory: 256 })],
  resizes: [
    aimAt(0, { isPodLevel: true, resource, at: 'free' }),
    aimAt(0, { isPodLevel: true, resource, at: 'free', step: 1 }),
    aimAt(0, { isPodLevel: true, resource, at: 'node', step: 1 }),
    aimAt(0, { isPodLevel: true, resource, at: 'allocated' }),
    aimAt(1, { isPodLevel: true, resource, at: 'node' }),
    aimAt(1, { isPodLevel: true, resource, at: 'value', value: 150 }),
    aimAt(2, { resource, at: 'free', step: 1 }),
    aimAt(2, { resource, at: 'free' }),
  ],
}));

// A neighbor that was resized counts there with its overhead twice, so that the node holds more than it has once all is given away:
// then every change of a pod waits, save for the one back to what it has.
const OVERFULL_SCENES: readonly Scene[] = [
  {
    pods: [{ ...plainPod({ cpu: 50, memory: 64 }), overhead: { cpu: 50, memory: 1 } }, withPodLevel(250, 512)],
    resizes: [
      aimAt(0, { resource: 'cpu', at: 'free' }),
      aimAt(1, { resource: 'cpu', at: 'value', value: 100 }),
      aimAt(1, { resource: 'cpu', at: 'allocated' }),
      aimAt(1, { isPodLevel: true, resource: 'cpu', at: 'value', value: 350 }),
      aimAt(1, { resource: 'cpu', at: 'allocated' }),
    ],
  },
];

/** Those of a minor. */
export function knownScenes(minor: string): readonly Scene[] {
  const version = versionOf(minor);
  return [
    ...KNOWN_SCENES,
    ...(canResizePodLevel(version) ? POD_LEVEL_SCENES : []),
    ...(countsWholePodTotals(version) ? OVERFULL_SCENES : []),
  ];
}
