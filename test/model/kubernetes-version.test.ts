import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptsOtherResourcesInNewLists,
  canLowerMemoryLimit,
  canResizeInitContainers,
  canResizePodLevel,
  canResizeWithClaims,
  checksNodeOnResize,
  completesStoredPodLevel,
  countsWholePodTotals,
  dropsContainerRestartPolicies,
  hasContainerRestartPolicies,
  hasPodLevelResources,
  ignoresEmptyPodLevel,
  NEWEST_MINOR,
  OLDEST_MINOR,
  type KubernetesVersion,
  parseKubernetesVersion,
  refusesNodeAllocatableClaims,
  refusesRestartOnInitContainers,
  toVersionText,
} from '../../src/model/kubernetes-version.ts';

test('a version is read from what people and clusters write', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['1.35', 35],
    ['v1.35.4', 35],
    ['1.35.4-gke.100', 35],
    ['v1.33+k3s1', 33],
    ['1.99', 99],
    ['1.32', undefined],
    ['1.9', undefined],
    ['2.0', undefined],
    ['1', undefined],
    ['1.', undefined],
    ['1.35x', undefined],
    ['1.9999', undefined],
    ['', undefined],
  ];
  for (const [text, minor] of cases) {
    assert.deepEqual(parseKubernetesVersion(text), minor === undefined ? undefined : { minor }, text);
  }
});

test('a version is said as major and minor', () => {
  assert.equal(toVersionText({ minor: 36 }), '1.36');
});

function nearestKnown(minor: number): number {
  return Math.min(Math.max(minor, OLDEST_MINOR), NEWEST_MINOR);
}

/** In which of 1.33 … 1.37 each difference holds. */
const differences: readonly (readonly [(version: KubernetesVersion) => boolean, readonly number[]])[] = [
  [canLowerMemoryLimit, [34, 35, 36, 37]],
  [canResizeInitContainers, [36, 37]],
  [hasPodLevelResources, [34, 35, 36, 37]],
  [canResizePodLevel, [36, 37]],
  [completesStoredPodLevel, [37]],
  [ignoresEmptyPodLevel, [37]],
  [canResizeWithClaims, [37]],
  [refusesNodeAllocatableClaims, [36]],
  [acceptsOtherResourcesInNewLists, [33, 34]],
  [hasContainerRestartPolicies, [35, 36, 37]],
  [dropsContainerRestartPolicies, [34]],
  [checksNodeOnResize, [36, 37]],
  [refusesRestartOnInitContainers, [36, 37]],
  [countsWholePodTotals, [37]],
];

for (const [holds, minors] of differences) {
  test(`${holds.name} holds in 1.${minors.join(', 1.')}`, () => {
    assert.deepEqual(
      [33, 34, 35, 36, 37].filter((minor) => holds({ minor })),
      minors,
    );
  });

  test(`${holds.name} outside the known minors is as in the nearest`, () => {
    for (const minor of [30, 32, 38, 45]) {
      assert.equal(holds({ minor }), holds({ minor: nearestKnown(minor) }), `1.${minor}`);
    }
  });
}
