// The whole audit: a line on standard output and, where one is named, in a file; and the counters.
import type { Writable } from 'node:stream';
import type { Registry } from 'prom-client';
import type { AuditSink } from '../admission/record.ts';
import { createFanOut } from './fan-out.ts';
import { type AuditFileOptions, openAuditFile } from './file.ts';
import { createLineWriter } from './line-writer.ts';
import { createAuditLog } from './log.ts';
import { createAuditMetrics } from './metrics.ts';
import { createOutput } from './output.ts';
import { toQuietLog } from './quiet-log.ts';
import type { ProcessLog } from '../admission/process-log.ts';

export interface AuditOptions {
  /** Standard output. */
  readonly output: Writable & { readonly fd?: number };
  readonly file?: Omit<AuditFileOptions, 'log'>;
  readonly registry: Registry;
  readonly log: ProcessLog;
}

export interface Audit extends AuditSink {
  /** Opens the audit file again; for SIGHUP. Never rejects. */
  readonly reopen: () => Promise<void>;
}

/** Opens every sink. Throws AuditFileError where the file cannot be used. */
export async function openAudit({ output, file, registry, ...options }: AuditOptions): Promise<Audit> {
  const log = toQuietLog(options.log);
  const auditFile = file && (await openAuditFile({ ...file, log }));
  const { sink: metrics, countDropped } = createAuditMetrics(registry, auditFile ? ['log', 'file'] : ['log']);
  const writers = [createLineWriter({ sink: 'log', target: createOutput(output), log, countDropped })];
  if (auditFile) writers.push(createLineWriter({ sink: 'file', target: auditFile, log, countDropped }));
  const sinks = createFanOut({ log: createAuditLog(writers), metrics }, { log, countDropped });
  return { ...sinks, reopen: async () => auditFile?.reopen() };
}
