// Whether a resize changes anything, beside whether Kubernetes raises the generation of the pod.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPod } from '../../src/model/read-pod.ts';
import { compareChange, losesEmptyBlock } from './compare-changes.ts';

const pod = (cpu: string) =>
  readPod({
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'app', resources: { requests: { cpu } } }] },
  });

describe('a resize', () => {
  it('changes something to both or to neither, however its values are written', () => {
    for (const [to, changed] of [
      ['1', false],
      ['1000m', false],
      ['1001m', true],
    ] as const) {
      const kinds = (answer: { readonly changed?: boolean }): readonly string[] =>
        compareChange(pod('1'), pod(to), answer).differences.map(({ kind }) => kind);
      assert.deepEqual(kinds(changed ? { changed } : {}), [], to);
      assert.deepEqual(kinds(changed ? {} : { changed: true }), ['whether anything changes'], to);
    }
  });

  it('that leaves out pod-level resources without a value changes nothing but the generation', () => {
    const withBlock = readPod({ metadata: { name: 'web' }, spec: { resources: {}, containers: [{ name: 'app' }] } });
    const without = readPod({ metadata: { name: 'web' }, spec: { containers: [{ name: 'app' }] } });
    assert.deepEqual(compareChange(withBlock, without, { changed: true }), {
      differences: [],
      exceptions: ['an empty block of pod-level resources that is left out'],
    });
    assert.deepEqual(compareChange(without, without, { changed: true }).exceptions, []);
  });

  it('leaves out an empty block only where it had no value', () => {
    const of = (resources?: object) =>
      readPod({ metadata: { name: 'web' }, spec: { ...(resources && { resources }), containers: [{ name: 'app' }] } });
    const loses = (resources: object | undefined, to?: object): boolean => losesEmptyBlock(of(resources), of(to));
    assert.deepEqual([loses({}), loses({ requests: {} }), loses({}, {}), loses(undefined)], [true, true, false, false]);
    assert.deepEqual([loses({ requests: { cpu: '1' } }), loses({ limits: { cpu: '1' } })], [false, false]);
  });
});
