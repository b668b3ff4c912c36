// What podrail answers to the reviews that API servers of the oldest and the newest minor have sent.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { CAPTURED } from './captured.ts';
import { contextOf, post } from './reviewing.ts';

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels: { 'kubernetes.io/os': 'linux' } },
  status: { allocatable: { cpu: '2', memory: '3840Mi', pods: '110' } },
};

/** Nothing set is allowed without a word. */
interface Answer {
  readonly denial?: readonly string[];
  readonly warnings?: readonly string[];
  readonly patch?: readonly object[];
}

const entries = (path: string): object => ({
  op: 'add',
  path: `${path}/resizePolicy`,
  value: ['cpu', 'memory'].map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' })),
});
const SLIP: Answer = {
  denial: [
    '[quantity-plausible] container "test-container" must request at most 1024 cpu; 100Mi is 104857600 cpu, did you mean 100m?',
    '[quantity-plausible] container "test-container" must limit cpu to at most 1024; 200Mi is 209715200 cpu, did you mean 200m?',
  ],
};

const ANSWERS: Readonly<Record<string, Answer>> = {
  'create.mutate': { patch: [entries('/spec/containers/0')] },
  'create.validate': {},
  'create-sidecar.mutate': { patch: [entries('/spec/containers/0'), entries('/spec/initContainers/0')] },
  'create-sidecar.validate': {
    warnings: [
      '[sidecar-has-startup-probe] sidecar "cloudsql-proxy" must set startupProbe; it has port 3306, and container "wordpress" starts without waiting for it',
    ],
  },
  'resize.mutate': {},
  'resize.validate': {},
  'resize-dry-run.mutate': {},
  'resize-dry-run.validate': {},
  'resize-sidecar.mutate': {},
  'resize-sidecar.validate': {},
  'resize-200Mi.mutate': SLIP,
  'resize-200Mi.validate': SLIP,
  'update.mutate': {
    denial: [
      '[resize-by-subresource] pod "test-pod" must be resized through pods/resize, not by a plain update; use kubectl patch --subresource resize',
    ],
  },
};

describe('a review that an API server has sent', () => {
  for (const { id, minor, phase, text } of CAPTURED) {
    const answer = ANSWERS[id.slice(minor.length + 1)];
    it(`(${id}) is ${answer?.denial === undefined ? 'allowed' : 'refused'}`, () => {
      const { response, patch, record } = post(
        text,
        phase,
        contextOf({ version: minor, cluster: createClusterView([NODE]), auditLevel: 'all' }),
      );
      const { uid, dryRun } = (JSON.parse(text) as Sent).request;
      assert.deepEqual(
        {
          denial: response.status?.message.split('\n').slice(0, -1),
          warnings: response.warnings,
          patch,
          uids: [response.uid, record?.uid],
          dryRun: record?.dryRun,
          user: record?.user,
        },
        {
          denial: answer?.denial,
          warnings: answer?.warnings,
          patch: answer?.patch,
          uids: [uid, uid],
          dryRun,
          user: { name: 'dev-lee', groups: ['team-blue-devs', 'system:authenticated'], serviceAccount: null },
        },
      );
    });
  }
});

interface Sent {
  readonly request: { readonly uid: string; readonly dryRun: boolean };
}
