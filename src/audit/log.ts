// The audit log: every record as one line of JSON, written once and handed to every place that keeps lines.
import { pino } from 'pino';
import type { AuditRecord, AuditSink } from '../admission/record.ts';
import type { LineWriter } from './line-writer.ts';

const SCHEMA: AuditRecord['schema'] = 'podrail.dev/audit/v1';

/**
 * The sink that makes lines: standard output and the audit file get the same bytes.
 * The line is the record, field by field, with nothing of a logger's own (level, pid, hostname, msg) in it.
 */
export function createAuditLog(writers: readonly LineWriter[]): AuditSink {
  const write = (line: string): void => {
    for (const writer of writers) writer.write(line);
  };
  const logger = pino(
    {
      base: null,
      timestamp: false,
      // pino begins each line with its level; the schema stands there instead, and so is not written a second time
      formatters: { level: () => ({ schema: SCHEMA }) },
      serializers: { schema: () => undefined },
    },
    { write },
  );
  return {
    write: (record) => logger.info(record),
    close: async () => {
      await Promise.all(writers.map((writer) => writer.close()));
    },
  };
}
