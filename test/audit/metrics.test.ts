import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Registry } from 'prom-client';
import type { AuditRecord } from '../../src/admission/record.ts';
import { createAuditMetrics } from '../../src/audit/metrics.ts';
import { RECORD } from './writing.ts';

const FINDING = RECORD.findings[0]!;

describe('the audit metrics', () => {
  test('count a record, each of its findings and each of its faults', async () => {
    const counted = await countsAfter([
      {
        ...RECORD,
        findings: [FINDING, FINDING, { ...FINDING, rule: 'resize-keeps-qos', guardrail: 'tenants', mode: 'warn' }],
        faults: [
          { rule: 'resize-fits-now', error: 'boom' },
          { rule: null, error: 'unreadable' },
        ],
      },
    ]);
    assert.deepEqual(counted, [
      'podrail_decisions_total{operation="resize",decision="deny",dry_run="false"} 1',
      'podrail_faults_total{rule="none"} 1',
      'podrail_faults_total{rule="resize-fits-now"} 1',
      'podrail_findings_total{rule="quantity-plausible",guardrail="baseline",mode="enforce",operation="resize"} 2',
      'podrail_findings_total{rule="resize-keeps-qos",guardrail="tenants",mode="warn",operation="resize"} 1',
    ]);
  });

  test('tell a dry run apart, and do not count its findings', async () => {
    assert.deepEqual(await countsAfter([{ ...RECORD, dryRun: true }, RECORD, RECORD]), [
      'podrail_decisions_total{operation="resize",decision="deny",dry_run="false"} 2',
      'podrail_decisions_total{operation="resize",decision="deny",dry_run="true"} 1',
      'podrail_findings_total{rule="quantity-plausible",guardrail="baseline",mode="enforce",operation="resize"} 2',
    ]);
  });

  test('do not count a retry of the API server again', async () => {
    const retry = { ...RECORD, id: '01KB9KF1G0ZS3TF4T1Y2W9XQ8N', retryOf: RECORD.id };
    assert.deepEqual(await countsAfter([RECORD, retry]), await countsAfter([RECORD]));
  });

  test('make no series of what a tenant can name', async () => {
    const records = Array.from({ length: 100 }, (_, number) => ({
      ...RECORD,
      uid: `uid-${number}`,
      user: { name: `user-${number}`, groups: [`group-${number}`], serviceAccount: null },
      pod: { ...RECORD.pod, namespace: `namespace-${number}`, name: `pod-${number}`, node: `node-${number}` },
      findings: [{ ...FINDING, path: `path-${number}`, actual: `${number}`, message: `message ${number}` }],
    }));
    assert.deepEqual(await countsAfter(records), [
      'podrail_decisions_total{operation="resize",decision="deny",dry_run="false"} 100',
      'podrail_findings_total{rule="quantity-plausible",guardrail="baseline",mode="enforce",operation="resize"} 100',
    ]);
  });

  test('begin every decision and every sink at zero', async () => {
    const registry = new Registry();
    createAuditMetrics(registry, ['log', 'file']);
    const lines = await seriesOf(registry);
    assert.ok(lines.every((line) => line.endsWith(' 0')));
    assert.equal(lines.filter((line) => line.startsWith('podrail_decisions_total')).length, 3 * 4 * 2);
    assert.deepEqual(
      lines.filter((line) => line.startsWith('podrail_audit')),
      ['podrail_audit_dropped_total{sink="file"} 0', 'podrail_audit_dropped_total{sink="log"} 0'],
    );
  });

  test('count dropped records for each sink', async () => {
    const registry = new Registry();
    const { countDropped } = createAuditMetrics(registry, ['log', 'file']);
    countDropped('file', 3);
    countDropped('file', 4);
    assert.deepEqual(
      (await seriesOf(registry)).filter((line) => line.startsWith('podrail_audit')),
      ['podrail_audit_dropped_total{sink="file"} 7', 'podrail_audit_dropped_total{sink="log"} 0'],
    );
  });
});

async function countsAfter(records: readonly AuditRecord[]): Promise<readonly string[]> {
  const registry = new Registry();
  const { sink } = createAuditMetrics(registry, []);
  for (const record of records) sink.write(record);
  await sink.close();
  return (await seriesOf(registry)).filter((line) => !line.endsWith(' 0'));
}

async function seriesOf(registry: Registry): Promise<readonly string[]> {
  const text = await registry.metrics();
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .sort();
}
