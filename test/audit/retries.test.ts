// What tells the API server's retry of a request from a client who asks again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordContent, RecordId } from '../../src/admission/record.ts';
import type { Phase } from '../../src/admission/request.ts';
import { createRetries, eachAnew } from '../../src/audit/retries.ts';
import { contextOf, post, resizeReview } from '../admission/reviewing.ts';
import { RECORD } from './writing.ts';

const BOB = { ...RECORD, user: { ...RECORD.user, name: 'dev-bob' } };
const WARNED = { ...RECORD, decision: 'warn' } as const;
const [FINDING] = RECORD.findings;
const saying = (message: string) => ({ ...RECORD, findings: RECORD.findings.map((found) => ({ ...found, message })) });
const excepting = (message: string) => ({
  ...RECORD,
  excepted: FINDING === undefined ? [] : [{ ...FINDING, exception: 'night', reason: 'batch', message }],
});

type Call = readonly [content: RecordContent, version: string, generation: string, timeMs: number, phase?: Phase];

/** What each call is given, with ids by number. */
function idsOf(calls: readonly Call[]): readonly RecordId[] {
  let count = 0;
  const recordIds = createRetries(() => `id-${(count += 1)}`);
  return calls.map(([content, resourceVersion, generation, timeMs, phase = 'mutate']) =>
    recordIds(content, { phase, stored: { resourceVersion, generation }, timeMs }),
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
    ['is not what is decided otherwise', [WARNED, '11', '1', 1_005], made('id-2')],
    ['is not what is asked in the other phase', [RECORD, '11', '1', 1_005, 'validate'], made('id-2')],
  ];
  for (const [name, call, given] of SECOND) {
    it(name, () => {
      assert.deepEqual(idsOf([FIRST, call]), [made('id-1'), given]);
    });
  }

  for (const [name, one, other] of [
    ['finds', saying('that was 59s ago'), saying('that was 1m0s ago')],
    ['is kept from finding', excepting('that was 59s ago'), excepting('that was 1m0s ago')],
  ] as const) {
    it(`may word what it ${name} in another way, as how long ago something was`, () => {
      const calls: readonly Call[] = [
        [one, '10', '1', 1_000],
        [other, '11', '1', 1_005],
      ];
      assert.deepEqual(idsOf(calls), [made('id-1'), retried('id-2', 'id-1')]);
    });
  }

  it('may be of a pod whose generation nobody has told', () => {
    const calls: readonly Call[] = [
      [RECORD, '10', '', 1_000],
      [RECORD, '11', '', 1_005],
    ];
    assert.deepEqual(idsOf(calls), [made('id-1'), retried('id-2', 'id-1')]);
  });

  it('comes once where the request is refused: whoever asks on, with a write in between, is counted again', () => {
    const calls = ['10', '11', '12', '13', '14'].map(
      (version): Call => [RECORD, version, '1', 1_000 + Number(version)],
    );
    assert.deepEqual(idsOf(calls), [
      made('id-1'),
      retried('id-2', 'id-1'),
      made('id-3'),
      retried('id-4', 'id-3'),
      made('id-5'),
    ]);
  });

  it('may come several times where the request is allowed and cannot be stored, within a second of the first', () => {
    const calls: readonly Call[] = [
      [WARNED, '10', '1', 1_000],
      [WARNED, '11', '1', 1_500],
      [WARNED, '12', '1', 1_999],
      [WARNED, '13', '1', 2_000],
      [WARNED, '14', '1', 2_999],
    ];
    assert.deepEqual(idsOf(calls), [
      made('id-1'),
      retried('id-2', 'id-1'),
      retried('id-3', 'id-1'),
      made('id-4'),
      retried('id-5', 'id-4'),
    ]);
  });

  it('may be refused though the first was allowed, and allowed though the first was refused: each counts', () => {
    for (const [one, other] of [
      [WARNED, RECORD],
      [RECORD, WARNED],
    ] as const) {
      const calls: readonly Call[] = [
        [one, '10', '1', 1_000],
        [other, '11', '1', 1_005],
      ];
      assert.deepEqual(idsOf(calls), [made('id-1'), made('id-2')]);
    }
  });

  it('asks both phases again, where all requests are recorded', () => {
    const phases: readonly Phase[] = ['mutate', 'validate'];
    const calls = ['10', '11'].flatMap((version) =>
      phases.map((phase): Call => [{ ...RECORD, decision: 'allow' }, version, '1', 1_000 + Number(version), phase]),
    );
    assert.deepEqual(idsOf(calls), [made('id-1'), made('id-2'), retried('id-3', 'id-1'), retried('id-4', 'id-2')]);
  });

  it('is of what was asked last, where a client has asked twice', () => {
    const calls: readonly Call[] = [FIRST, FIRST, [RECORD, '11', '1', 1_005]];
    assert.deepEqual(idsOf(calls), [made('id-1'), made('id-2'), retried('id-3', 'id-2')]);
  });

  for (const content of [RECORD, WARNED]) {
    it(`is not the next request of a client, where the one before was retried: ${content.decision}`, () => {
      const calls: readonly Call[] = ['10', '11', '11'].map((version) => [content, version, '1', 1_000]);
      assert.deepEqual(idsOf(calls), [made('id-1'), retried('id-2', 'id-1'), made('id-3')]);
    });
  }

  it('is never one of a request that creates a pod, of which no version is stored', () => {
    const create: Call = [RECORD, '', '', 1_000];
    assert.deepEqual(idsOf([create, create]), [made('id-1'), made('id-2')]);
  });

  it('is never one of a dry run, which stores nothing', () => {
    const calls = ['10', '11'].map((version): Call => [{ ...RECORD, dryRun: true }, version, '1', 1_000]);
    assert.deepEqual(idsOf(calls), [made('id-1'), made('id-2')]);
  });

  it('is forgotten after a thousand others, so that little is held', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, index): Call => [{ ...RECORD, kubernetes: `${index}` }, '10', '1', 1_001]);
    const last = (count: number) => idsOf([FIRST, ...others(count), [RECORD, '11', '1', 1_002]]).at(-1);
    assert.deepEqual([last(999), last(1_000)], [retried('id-1001', 'id-1'), made('id-1002')]);
  });

  it('is nothing that is read from files', () => {
    const recordIds = eachAnew(() => 'id');
    const ids = ['10', '11'].map((resourceVersion) =>
      recordIds(RECORD, { phase: 'mutate', stored: { resourceVersion, generation: '1' }, timeMs: 0 }),
    );
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
