// Wires what `serve` runs on: policy and cluster, certificate, audit, the two servers; and ends them in order.
import { Registry } from 'prom-client';
import { openAudit } from '../audit/audit.ts';
import { AuditFileError } from '../audit/file-open.ts';
import type { Config } from '../config.ts';
import type { Address } from '../http/address.ts';
import { createAdminServer } from '../http/admin.ts';
import { createSparseWrite } from '../http/log.ts';
import type { ProcessLog } from '../admission/process-log.ts';
import { createHttpMetrics } from '../http/metrics.ts';
import type { Answer } from '../http/reviews.ts';
import { createReviewServer } from '../http/server.ts';
import { type Certificate, type DatedPair, makeCertificate, openCertificate } from './certificate.ts';
import { createDecision, type Decision } from './followed-decision.ts';
import { listen } from './listen.ts';
import { createProcessLog } from './process-log.ts';
import { followSignals } from './signals.ts';
import { UsageError } from './usage-error.ts';

/** What is known once both servers listen. */
export interface Started {
  readonly listen: Address;
  readonly adminListen: Address;
  readonly caFile: string | undefined;
  readonly log: ProcessLog;
}

interface Serving extends Started {
  readonly reopenAudit: () => Promise<void>;
  /** Drains and closes everything. */
  readonly close: () => Promise<void>;
}

/**
 * Serves until a signal ends it, when nothing is in flight any more and every record is written. Throws UsageError for
 * what is wrong before it listens, with everything closed again.
 */
export async function runServer(config: Config, announce: (started: Started) => void): Promise<void> {
  const serving = await start(config);
  const { log } = serving;
  // What nobody expected concerns one request at most; the others are still served.
  process.on('uncaughtException', (error) =>
    log.error({ err: error }, 'something unexpected happened; podrail serves on'),
  );
  await new Promise<void>((resolve, reject) => {
    followSignals({
      end(signal) {
        log.info({ signal }, 'draining');
        serving.close().then(resolve, reject);
      },
      reopen: () => void serving.reopenAudit(),
    });
    announce(serving);
  });
  log.info({}, 'ended');
}

async function start(config: Config): Promise<Serving> {
  const log = createProcessLog();
  const registry = new Registry();
  const metrics = createHttpMetrics(registry);
  const { decide, unfollow } = createDecision(config, registry, log);
  const certificate = await closingOnError(unfollow, () => toCertificate(config, log));
  const closeFiles = async (): Promise<void> => {
    unfollow();
    await certificate.close();
  };
  const audit = await closingOnError(closeFiles, () =>
    openAudit({ output: process.stdout, ...auditFile(config), registry, log }),
  );
  const answer = createAnswer(decide, audit.write, log);
  const server = createReviewServer({ answer, pair: certificate.pair, metrics, log, limits: config.limits });
  const admin = createAdminServer({ registry, whyNotReady: server.whyNotReady, log });
  const close = async (): Promise<void> => {
    await server.stop();
    await closeFiles();
    await audit.close();
    await admin.stop();
  };
  metrics.certificateEnds(certificate.pair.notAfter);
  certificate.follow((pair: DatedPair) => {
    server.reload(pair);
    metrics.certificateEnds(pair.notAfter);
  });
  return closingOnError(close, async () => {
    const adminListen = await listen(admin.start, config.adminListen, '--admin-listen');
    const reviews = await listen(server.start, config.listen, '--listen');
    return { listen: reviews, adminListen, caFile: certificate.caFile, log, reopenAudit: audit.reopen, close };
  });
}

// The one place where a decision meets the world: its record is kept, its faults are logged, its body goes back.
function createAnswer(decide: Decision, keep: Awaited<ReturnType<typeof openAudit>>['write'], log: ProcessLog): Answer {
  const logFault = createSparseWrite((fields, message) => log.error(fields, message));
  return (text, phase) => {
    const { body, record, faults } = decide(text, phase);
    for (const { error, rule, guardrail } of faults) {
      logFault({ err: error, rule, guardrail, record: record?.id }, 'podrail could not check a request');
    }
    if (record !== undefined) keep(record);
    return body;
  };
}

function toCertificate({ tlsDir, caOut, listen }: Config, log: ProcessLog): Promise<Certificate> {
  if (tlsDir !== undefined) return openCertificate(tlsDir, log);
  return makeCertificate(caOut, listen.host === undefined ? [] : [listen.host]);
}

function auditFile({ auditFile: path, auditMaxBytes: maxBytes, auditMaxFiles: maxFiles }: Config) {
  return path === undefined ? {} : { file: { path, maxBytes, maxFiles } };
}

async function closingOnError<Result>(close: () => Promise<void> | void, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error instanceof AuditFileError ? new UsageError(`podrail: ${error.message}`) : error;
  }
}
