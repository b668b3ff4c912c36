// Who sends a request: whom a setting means, and how they are named.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Requester } from '../../src/rules/facts.ts';
import {
  isAmong,
  requestersSetting,
  requestersText,
  requesterText,
  toServiceAccount,
} from '../../src/rules/requesters.ts';

const UPDATER: Requester = { name: 'system:serviceaccount:kube-system:vpa-updater', groups: ['system:authenticated'] };
const LEE: Requester = { name: 'dev-lee@example.com', groups: ['team-blue-devs', 'system:authenticated'] };

describe('a list of requesters', () => {
  const cases: readonly (readonly [setting: object, updater: boolean, lee: boolean])[] = [
    [{ users: ['dev-lee@example.com'] }, false, true],
    [{ users: ['system:serviceaccount:kube-system:*'] }, true, false],
    [{ groups: ['team-*-devs'] }, false, true],
    [{ groups: ['team-red-devs'] }, false, false],
    [{ groups: ['system:authenticated'] }, true, true],
    [{ serviceAccounts: ['kube-system/vpa-*'] }, true, false],
    [{ serviceAccounts: ['*'] }, true, false],
    [{ serviceAccounts: ['default/vpa-updater'] }, false, false],
    [{ users: ['nobody'], groups: ['team-blue-devs'], serviceAccounts: ['kube-system/vpa-updater'] }, true, true],
  ];
  for (const [setting, updater, lee] of cases) {
    it(`of ${JSON.stringify(setting)} has whoever is any of them`, () => {
      const requesters = requestersSetting.parse(setting);
      assert.deepEqual([isAmong(requesters, UPDATER), isAmong(requesters, LEE)], [updater, lee]);
    });
  }

  it('must name somebody', () => {
    for (const setting of [{}, { users: [] }, { users: [], groups: [] }]) {
      assert.deepEqual(
        requestersSetting.safeParse(setting).error?.issues.map(({ message }) => message),
        ['must name users, groups or serviceAccounts'],
      );
    }
  });

  it('is told by kind, and no longer than asked', () => {
    const requesters = requestersSetting.parse({ users: ['ann'], groups: ['sre', 'ops'], serviceAccounts: ['a/b'] });
    assert.deepEqual(
      [4, 3, 1].map((most) => requestersText(requesters, most)),
      [
        'user "ann", group "sre", group "ops" or service account "a/b"',
        'user "ann", group "sre", group "ops" or 1 other',
        'user "ann" or 3 others',
      ],
    );
  });
});

describe('a service account', () => {
  it('is told from the name of its user', () => {
    assert.equal(toServiceAccount(UPDATER.name), 'kube-system/vpa-updater');
    assert.equal(toServiceAccount(LEE.name), undefined);
    assert.deepEqual([UPDATER, LEE].map(requesterText), [
      'service account "kube-system/vpa-updater"',
      'user "dev-lee@example.com"',
    ]);
  });
});
