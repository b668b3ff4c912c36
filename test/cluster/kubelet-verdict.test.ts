// The kubelet's verdict: what real kubelets make of generated resizes, on nodes with other pods, and what podrail says of them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Guardrail } from '../../src/guardrails/guardrail.ts';
import { resizeFitsNow } from '../../src/rules/resize-fits-now.ts';
import { resizeWithinNode } from '../../src/rules/resize-within-node.ts';
import type { Rule } from '../../src/rules/rule.ts';
import { writeResult } from '../fidelity/results.ts';
import { amount, isShort } from './amount.ts';
import { type ApiClient, connect } from './api-client.ts';
import { agree, compareAll, compareEach } from './compare-all.ts';
import { DISTURBED, NO_NEWS, toExceptions, tooMany, toUncompared } from './exceptions.ts';
import { knownScenes } from './known-scenes.ts';
import { type Kubelet, type Managers, startKubelet } from './kubelet.ts';
import { playScene } from './play-scene.ts';
import { reasonToSkip } from './programs.ts';
import { type Scene, scenes } from './scenes.ts';
import { SEED } from './seed.ts';
import { servedRelease } from './served-release.ts';
import { clusterForSuite } from './suite-cluster.ts';

/** The nodes, and how their kubelets are set. */
const NODES: Readonly<Record<string, Managers>> = {
  n1: {},
  n2: {},
  n3: { cpuManager: 'static' },
  n4: { memoryManager: 'Static' },
};

/** The two rules, and what an operator has to declare of such nodes. */
const GUARDRAIL: Guardrail = {
  name: 'nodes',
  match: {},
  exclude: {},
  rules: [
    {
      rule: resizeWithinNode as Rule,
      mode: 'enforce',
      settings: {
        nodes: Object.entries(NODES).map(([name, managers]) => ({
          selector: { matchLabels: { 'kubernetes.io/hostname': name } },
          ...managers,
        })),
      },
    },
    { rule: resizeFitsNow as Rule, mode: 'warn', settings: {} },
  ],
};

/**
 * As a share of what is compared, and how many in a short run, which is too little for shares. What the generators make of no use does no
 * harm; what nobody can tell the reason of might be a difference.
 */
const MOST_UNCOMPARED = [
  { name: DISTURBED, share: 0.02, inShort: 2 },
  // Of 1.33 alone, where podrail says what the kubelet has said before: about one in six.
  { name: NO_NEWS, share: 0.3, inShort: 15 },
];

describe("the kubelet's verdict is podrail's", { skip: await reasonToSkip(['kubelet']) }, () => {
  // The plugin knows no overhead that a runtime class does not have.
  const started = clusterForSuite({
    apiServerFlags: ['--disable-admission-plugins=RuntimeClass'],
    nodes: Object.keys(NODES),
  });
  let api: ApiClient;
  let kubelets: readonly Kubelet[];

  before(async () => {
    api = await connect(started().admin, 8);
    kubelets = await Promise.all(
      Object.entries(NODES).map(([node, managers]) => startKubelet(started(), node, managers)),
    );
  });
  after(() => api?.close());

  const judge = (scene: Scene, lane: number) => {
    const kubelet = kubelets[lane];
    if (kubelet === undefined) throw new Error(`no node for lane ${lane}`);
    return playScene(scene, { api, kubelet, minor: started().kubernetes.minor, guardrail: GUARDRAIL });
  };

  it('of resizes that were once judged differently', async () => {
    const known = knownScenes(started().kubernetes.minor);
    const tally = await compareEach(known, judge, kubelets.length);
    await agree(tally);
    const asked = known.flatMap(({ resizes }) => resizes).length;
    assert.deepEqual([tally.compared, tally.exceptions.size], [asked, 0]);
  });

  it('of 300 generated resizes', async () => {
    const { minor } = started().kubernetes;
    const run = { seed: SEED, cases: amount(140), lanes: kubelets.length };
    const tally = await compareAll(scenes(minor !== '1.33'), judge, run);
    if (!isShort)
      writeResult({
        suite: 'resizes on the kubelet',
        minor,
        release: await servedRelease(api),
        compared: tally.compared,
        differences: tally.count,
        exceptions: toExceptions(tally.exceptions),
        uncompared: toUncompared(tally.uncompared),
        seed: SEED,
      });
    await agree(tally);
    assert.deepEqual(tooMany(tally.exceptions, tally.compared), []);
    assert.ok(tally.compared >= (isShort ? 20 : 300), `only ${tally.compared} could be compared`);
    for (const { name, share, inShort } of MOST_UNCOMPARED) {
      const count = tally.uncompared.get(name) ?? 0;
      assert.ok(
        count <= (isShort ? inShort : share * tally.compared),
        `${count} ${name}, beside ${tally.compared} that were compared`,
      );
    }
  });
});
