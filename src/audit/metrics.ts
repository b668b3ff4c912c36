// Counters for Prometheus, fed by the audit records: what was decided, what was found, what failed, what was lost.
import { Counter, type Registry } from 'prom-client';
import type { AuditRecord, AuditSink } from '../admission/record.ts';
import type { CountDropped } from './quiet-log.ts';

export interface AuditMetrics {
  readonly sink: AuditSink;
  readonly countDropped: CountDropped;
}

const OPERATIONS: readonly AuditRecord['operation'][] = ['create', 'resize', 'update'];
const DECISIONS: readonly AuditRecord['decision'][] = ['allow', 'deny', 'warn', 'fix'];

/**
 * Registers the counters. Labels hold ids of rules, names of guardrails and exceptions, and words of ours only, so that no tenant can
 * make series: namespaces, pods and users are in the log. A dry run is told apart by a label where decisions are
 * counted, and its findings are not counted: nobody was refused anything.
 */
export function createAuditMetrics(registry: Registry, sinks: readonly string[]): AuditMetrics {
  const registers = [registry];
  const decisions = new Counter({
    name: 'podrail_decisions_total',
    help: 'Admission requests that have an audit record; with audit.level "all" every one has.',
    labelNames: ['operation', 'decision', 'dry_run'],
    registers,
  });
  const findings = new Counter({
    name: 'podrail_findings_total',
    help: 'Findings of rules, without those of dry runs.',
    labelNames: ['rule', 'guardrail', 'mode', 'operation'],
    registers,
  });
  const excepted = new Counter({
    name: 'podrail_excepted_total',
    help: 'What exceptions kept from being findings, without dry runs.',
    labelNames: ['rule', 'guardrail', 'exception'],
    registers,
  });
  const faults = new Counter({
    name: 'podrail_faults_total',
    help: 'Rules that could not be asked; rule "none" is an object that could not be read.',
    labelNames: ['rule'],
    registers,
  });
  const dropped = new Counter({
    name: 'podrail_audit_dropped_total',
    help: 'Audit records that a sink did not keep.',
    labelNames: ['sink'],
    registers,
  });

  // A series that begins at 0 shows its first increase; what is not known beforehand begins at 1.
  for (const sink of sinks) dropped.inc({ sink }, 0);
  for (const operation of OPERATIONS) {
    for (const decision of DECISIONS) {
      for (const dry_run of ['false', 'true']) decisions.inc({ operation, decision, dry_run }, 0);
    }
  }

  const write = (record: AuditRecord): void => {
    const { operation, decision, dryRun, retryOf } = record;
    // Counted already.
    if (retryOf !== null) return;
    decisions.inc({ operation, decision, dry_run: String(dryRun) });
    for (const { rule } of record.faults) faults.inc({ rule: rule ?? 'none' });
    if (dryRun) return;
    for (const { rule, guardrail, mode } of record.findings) findings.inc({ rule, guardrail, mode, operation });
    for (const { rule, guardrail, exception } of record.excepted) excepted.inc({ rule, guardrail, exception });
  };
  return {
    sink: { write, close: () => Promise.resolve() },
    countDropped: (sink, records) => dropped.inc({ sink }, records),
  };
}
