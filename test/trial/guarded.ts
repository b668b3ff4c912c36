// A setting to try resizes in: one guardrail beside the baseline, one node with room.
import assert from 'node:assert/strict';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { createBaseline } from '../../src/guardrails/baseline.ts';
import { createPolicy } from '../../src/guardrails/policy.ts';
import { readGuardrails } from '../../src/guardrails/read-guardrails.ts';
import { contextOf } from '../admission/reviewing.ts';

/** With a guardrail of these rules, as they stand in its file. */
export const settingOf = (rules: object) => {
  const document = {
    apiVersion: 'podrail.dev/v1alpha1',
    kind: 'Guardrail',
    metadata: { name: 'own' },
    spec: { rules },
  };
  const { guardrails, mistakes } = readGuardrails(JSON.stringify(document), 'own.yaml');
  assert.deepEqual(mistakes, []);
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1' },
    status: { allocatable: { cpu: '16', memory: '32Gi' } },
  };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };
  const policy = createPolicy([...guardrails, createBaseline('enforce')]);
  const context = { ...contextOf({ version: '1.37' }), policy, cluster: createClusterView([node, namespace]) };
  return { context, requester: { name: 'dev-lee', groups: [] } };
};
