// The audit record, version 1: who asked for what, what was decided and why; and the port of those who keep it.
import type { Mode } from '../guardrails/mode.ts';
import type { PatchOperation } from '../model/json-patch.ts';
import type { Scope } from '../rules/facts.ts';
import type { StoredVersion } from './envelope.ts';
import type { Phase } from './request.ts';
import type { Verdict } from './verdict.ts';

export type Decision = 'allow' | 'deny' | 'warn' | 'fix';

export interface AuditRecord {
  readonly schema: 'podrail.dev/audit/v1';
  /** A ULID; it also stands in the denial message and in the audit annotations. */
  readonly id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string;
  /** The uid of the AdmissionReview. */
  readonly uid: string;
  /** The id of the record of the API server's first question, where this is its retry of one request; null where it is the first. */
  readonly retryOf: string | null;
  readonly decision: Decision;
  readonly mode: Mode;
  readonly operation: Scope;
  readonly dryRun: boolean;
  readonly user: { readonly name: string; readonly groups: readonly string[]; readonly serviceAccount: string | null };
  readonly pod: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string | null;
    readonly owner: { readonly kind: string; readonly name: string } | null;
    readonly node: string | null;
  };
  readonly changes: readonly {
    readonly container: string | null;
    readonly kind: 'main' | 'sidecar' | 'init' | 'pod';
    readonly path: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
  readonly findings: readonly {
    readonly rule: string;
    readonly guardrail: string;
    readonly mode: Mode;
    readonly path: string;
    readonly actual: string | null;
    readonly bound: string | null;
    readonly message: string;
  }[];
  /** What an exception kept from being a finding: without it the rule would have had its say. */
  readonly excepted: readonly {
    readonly exception: string;
    /** The exception's own reason. */
    readonly reason: string;
    readonly rule: string;
    readonly guardrail: string;
    readonly path: string;
    readonly actual: string | null;
    readonly bound: string | null;
    readonly message: string;
  }[];
  /** Rules that could not be asked; `error` is the message only, the stack is in the process log. */
  readonly faults: readonly { readonly rule: string | null; readonly error: string }[];
  readonly patch: readonly PatchOperation[];
  /** How many more findings and changes there were than are listed; only an absurd request has more. */
  readonly unlisted: { readonly findings: number; readonly changes: number };
  readonly kubernetes: string;
  /** Milliseconds spent deciding. */
  readonly durationMs: number;
}

/** What a record says of a request, however often the API server asks about it. */
export type RecordContent = Omit<AuditRecord, 'schema' | 'time' | 'uid' | 'durationMs' | keyof RecordId>;

export type RecordId = Pick<AuditRecord, 'id' | 'retryOf'>;

/** How the API server asked. */
export interface Question {
  readonly phase: Phase;
  readonly stored: StoredVersion;
  /** When it was decided, in milliseconds since 1970. */
  readonly timeMs: number;
}

/** Gives the id of the record of a decision. */
export type RecordIds = (content: RecordContent, question: Question) => RecordId;

/** Keeps records: a log, a file, metrics. `write` never throws, never waits, and never changes a reply. */
export interface AuditSink {
  readonly write: (record: AuditRecord) => void;
  /** Writes out what is queued; resolves when it is on its way to the disk or lost and counted. */
  readonly close: () => Promise<void>;
}

/** Which requests are worth a record: those refused, warned about, repaired, audited or let through by an exception; or every one. */
export type AuditLevel = 'denied' | 'all';

export function isRecorded(verdict: Verdict, level: AuditLevel): boolean {
  if (level === 'all' || !verdict.allowed || verdict.faults.length > 0) return true;
  if (verdict.warnings.length > 0 || verdict.audited.length > 0) return true;
  return verdict.fixed.length > 0 || verdict.excepted.length > 0;
}
