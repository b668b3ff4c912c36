// The kubelet's verdict: what real kubelets make of generated resizes, on nodes with other pods, and what podrail says of them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeResult } from '../fidelity/results.ts';
import { type ApiClient, connect } from './api-client.ts';
import { compareAll } from './compare-all.ts';
import { toExceptions } from './exceptions.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';
import { playScene } from './play-scene.ts';
import { reasonToSkip, releaseOf } from './programs.ts';
import { scenes } from './scenes.ts';
import { clusterForSuite } from './suite-cluster.ts';

const SEED = Number(process.env['PODRAIL_TEST_SEED'] ?? 20_261_130);
const NODES = ['n1', 'n2', 'n3', 'n4'];

describe("the kubelet's verdict is podrail's", { skip: await reasonToSkip(['kubemark']) }, () => {
  // The plugin knows no overhead that a runtime class does not have.
  const started = clusterForSuite({ apiServerFlags: ['--disable-admission-plugins=RuntimeClass'], nodes: NODES });
  let api: ApiClient;
  let kubelets: readonly Kubelet[];

  before(async () => {
    api = await connect(started(), NODES.length * 2);
    kubelets = await Promise.all(NODES.map((node) => startKubelet(started(), node)));
  });
  after(() => api?.close());

  it('of 300 generated resizes', async () => {
    const { minor } = started().kubernetes;
    const judge = (scene: Parameters<typeof playScene>[0], lane: number) => {
      const kubelet = kubelets[lane];
      if (kubelet === undefined) throw new Error(`no node for lane ${lane}`);
      return playScene(scene, { api, kubelet, minor });
    };
    const run = { seed: SEED, cases: 90, lanes: NODES.length, mostShrinks: 25 };
    const tally = await compareAll(scenes(minor !== '1.33'), judge, run);
    writeResult({
      suite: 'resizes on the kubelet',
      minor,
      release: await releaseOf(minor),
      compared: tally.compared,
      differences: tally.differing,
      exceptions: toExceptions(tally.exceptions),
      seed: SEED,
    });
    assert.deepEqual(tally.differences, [], `${tally.differing} of ${tally.compared} differ`);
    assert.ok(tally.compared >= 300, `only ${tally.compared} could be compared`);
  });
});
