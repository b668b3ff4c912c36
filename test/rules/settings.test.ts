// The pieces that settings are made of: what an operator may write, and what is a mistake.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { durationText, timeText } from '../../src/rules/message.ts';
import { durationSetting, resourceSetting } from '../../src/rules/settings.ts';

describe('a duration', () => {
  for (const [written, seconds] of [
    ['90s', 90],
    ['10m', 600],
    ['1h30m', 5_400],
    ['2h', 7_200],
    ['1h0m5s', 3_605],
    ['90m', 5_400],
  ] as const) {
    it(`may be written ${written}`, () => assert.equal(durationSetting.parse(written), seconds * 1000));
  }

  for (const written of ['', '0s', '10', 10, '10 m', '5m1h', '1h1h', '-10m', '1.5h', '10min', '1d', '9999999s', 'm']) {
    it(`is not ${JSON.stringify(written)}`, () => {
      assert.deepEqual(
        durationSetting.safeParse(written).error?.issues.map(({ message }) => message),
        ['must be a duration such as 90s, 10m or 1h30m'],
      );
    });
  }

  it('is read back from how it is said', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_600_000_000 }), (seconds) => {
        assert.equal(durationSetting.parse(durationText(seconds * 1000)), seconds * 1000);
      }),
    );
  });

  it('is said in whole seconds, and never as less than none', () => {
    assert.deepEqual([-5_000, 0, 999, 1_999, 3_600_000].map(durationText), ['0s', '0s', '0s', '1s', '1h']);
  });
});

describe('a time', () => {
  it('is said as the API server writes it', () => {
    const times = ['2026-11-30T09:00:00.000Z', '2026-11-30T09:00:00.250Z', '2026-11-30T10:00:00+01:00'];
    assert.deepEqual(
      times.map((time) => timeText(new Date(time))),
      ['2026-11-30T09:00:00Z', '2026-11-30T09:00:00.250Z', '2026-11-30T09:00:00Z'],
    );
  });
});

describe('a resource', () => {
  it('is one that Kubernetes knows, or has a domain', () => {
    const names = ['cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'nvidia.com/gpu'];
    assert.deepEqual(
      names.map((name) => resourceSetting.parse(name)),
      names,
    );
    for (const name of ['memroy', 'CPU', '', 'gpu']) assert.equal(resourceSetting.safeParse(name).success, false, name);
  });
});
