// One record to several sinks: one that fails hurts neither the others nor the reply.
import type { AuditSink } from '../admission/record.ts';
import type { CountDropped } from './quiet-log.ts';
import type { ProcessLog } from '../admission/process-log.ts';

export interface FanOutOptions {
  readonly log: ProcessLog;
  readonly countDropped: CountDropped;
}

/** A sink that hands each record to all of `sinks`, which are named as in metrics and in the process log. */
export function createFanOut(sinks: Readonly<Record<string, AuditSink>>, options: FanOutOptions): AuditSink {
  const { log, countDropped } = options;
  const named = Object.entries(sinks);
  return {
    write: (record) => {
      for (const [name, sink] of named) {
        try {
          sink.write(record);
        } catch (error) {
          countDropped(name, 1);
          log.error({ sink: name, record: record.id, err: error }, `audit ${name} did not take a record`);
        }
      }
    },
    close: async () => {
      const outcomes = await Promise.allSettled(named.map(async ([, sink]) => sink.close()));
      outcomes.forEach((outcome, index) => {
        const name = named[index]?.[0];
        if (outcome.status === 'rejected') {
          log.error({ sink: name, err: outcome.reason as unknown }, `audit ${name} could not be closed`);
        }
      });
    },
  };
}
