// What tells the API server's retry of a request from a client who asks again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordId } from '../../src/admission/record.ts';
import { createRetries, eachAnew } from '../../src/audit/retries.ts';
import { contextOf, post, resizeReview } from '../admission/reviewing.ts';
import { RECORD } from './writing.ts';

const BOB = { ...RECORD, user: { ...RECORD.user, name: 'dev-bob' } };

type Call = readonly [content: typeof RECORD, version: string, generation: string, timeMs: number];

/** What each call is given, with ids by number. */
function idsOf(calls: readonly Call[]): readonly RecordId[] {
  let count = 0;
  const recordIds = createRetries(() => `id-${(count += 1)}`);
  return calls.map(([content, resourceVersion, generation, timeMs]) =>
    recordIds(content, { resourceVersion, generation }, timeMs),
  );
}

const made = (id: string): RecordId => ({ id, retryOf: null });
const retried = (id: string, retryOf: string): RecordId => ({ id, retryOf });

describe('a retry of the API server', () => {
  const FIRST: Call = [RECORD, '10', '1', 1_000];
  const SECOND: readonly (readonly [name: string, call: Call, given: RecordId])[] = [
    ['is about a newer version of the pod, a moment later', [RECORD, '11', '1', 1_005], retried('id-2', 'id-1')],
    ['comes within a second', [RECORD, '11', '1', 1_999], retried('id-2', 'id-1')],
    ['is not what comes later', [RECORD, '11', '1', 2_000], made('id-2')],
    ['is not what comes earlier, by a clock that stepped back', [RECORD, '11', '1', 999], made('id-2')],
    ['is not about the same version: that is a client who asks again', [RECORD, '10', '1', 1_005], made('id-2')],
    ['is not about another spec: that is another resize', [RECORD, '11', '2', 1_005], made('id-2')],
    ['is not what says anything else', [BOB, '11', '1', 1_005], made('id-2')],
  ];
  for (const [name, call, given] of SECOND) {
    it(name, () => {
      assert.deepEqual(idsOf([FIRST, call]), [made('id-1'), given]);
    });
  }

  it('may come several times, each within a second of the one before', () => {
    const calls: readonly Call[] = [
      FIRST,
      [RECORD, '11', '1', 1_900],
      [RECORD, '12', '1', 2_800],
      [RECORD, '13', '1', 3_800],
    ];
    assert.deepEqual(idsOf(calls), [made('id-1'), retried('id-2', 'id-1'), retried('id-3', 'id-1'), made('id-4')]);
  });

  it('is of what was asked last, where a client has asked twice', () => {
    const calls: readonly Call[] = [FIRST, FIRST, [RECORD, '11', '1', 1_005]];
    assert.deepEqual(idsOf(calls), [made('id-1'), made('id-2'), retried('id-3', 'id-2')]);
  });

  it('is not the next request of a client, where the one before was retried', () => {
    const calls: readonly Call[] = [FIRST, [RECORD, '11', '1', 1_005], [RECORD, '11', '1', 1_010]];
    assert.deepEqual(idsOf(calls), [made('id-1'), retried('id-2', 'id-1'), made('id-3')]);
  });

  it('is never one of a request that creates a pod, of which no version is stored', () => {
    const create: Call = [RECORD, '', '', 1_000];
    assert.deepEqual(idsOf([create, create]), [made('id-1'), made('id-2')]);
  });

  it('is forgotten after a thousand others, so that little is held', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, index): Call => [{ ...RECORD, kubernetes: `${index}` }, '10', '1', 1_001]);
    const last = (count: number) => idsOf([FIRST, ...others(count), [RECORD, '11', '1', 1_002]]).at(-1);
    assert.deepEqual([last(999), last(1_000)], [retried('id-1001', 'id-1'), made('id-1002')]);
  });

  it('is nothing that is read from files', () => {
    const recordIds = eachAnew(() => 'id');
    const ids = ['10', '11'].map((resourceVersion) => recordIds(RECORD, { resourceVersion, generation: '1' }, 0));
    assert.deepEqual(ids, [made('id'), made('id')]);
  });
});

describe('a resize that is refused again, of a pod that had been written a moment before', () => {
  const podOf = (resourceVersion: string, cpu: string) => ({
    metadata: { name: 'web', namespace: 'team-blue', uid: 'u-1', resourceVersion, generation: 1 },
    spec: { containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu } } }] },
  });

  it('is recorded as a retry, and its client is told the id that the API server has kept', () => {
    let timeMs = 0;
    const context = {
      ...contextOf(),
      now: () => new Date((timeMs += 1)),
      recordIds: createRetries((made) => `id-${made}`),
    };
    const answers = ['10', '11'].map((version) =>
      post(resizeReview(podOf(version, '100m'), podOf(version, '5G')), 'mutate', context),
    );
    assert.deepEqual(
      answers.map(({ record, response }) => [
        record?.id,
        record?.retryOf,
        response.allowed,
        response.status?.message.split('\n').at(-1),
        response.auditAnnotations?.['record'],
      ]),
      [
        ['id-1', null, false, 'podrail recorded this as id-1', 'id-1'],
        ['id-2', 'id-1', false, 'podrail recorded this as id-1', 'id-1'],
      ],
    );
  });
});
