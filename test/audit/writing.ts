// What the tests of src/audit share: records, a process log and a counter that remember, a target as a literal, files.
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AuditRecord } from '../../src/admission/record.ts';
import type { LineTarget } from '../../src/audit/line-target.ts';
import type { ProcessLog } from '../../src/admission/process-log.ts';
import type { CountDropped } from '../../src/audit/quiet-log.ts';

export const RECORD: AuditRecord = {
  schema: 'podrail.dev/audit/v1',
  id: '01KB9KF1G0ZS3TF4T1Y2W9XQ8M',
  time: '2026-11-30T09:00:00.000Z',
  uid: 'b2f3a1c4-5d6e-4f70-8a91-b2c3d4e5f607',
  retryOf: null,
  decision: 'deny',
  mode: 'enforce',
  operation: 'resize',
  dryRun: false,
  user: { name: 'dev-lee', groups: ['team-blue-devs'], serviceAccount: null },
  pod: {
    namespace: 'team-blue',
    name: 'web-1',
    uid: 'c0ffee00-1111-4222-8333-444455556666',
    owner: { kind: 'ReplicaSet', name: 'web' },
    node: 'n1',
  },
  changes: [
    {
      container: 'app',
      kind: 'main',
      path: 'spec.containers[0].resources.requests[cpu]',
      from: '100m',
      to: '200Mi',
    },
  ],
  findings: [
    {
      rule: 'quantity-plausible',
      guardrail: 'baseline',
      mode: 'enforce',
      path: 'spec.containers[0].resources.requests[cpu]',
      actual: '200Mi',
      bound: '1024',
      message: 'container "app" must request at most 1024 cpu; 200Mi is 209715200 cpu, did you mean 200m?',
    },
  ],
  excepted: [],
  faults: [],
  patch: [],
  unlisted: { findings: 0, changes: 0 },
  kubernetes: '1.35',
  durationMs: 0.41,
};

export interface Told {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** A process log that keeps what it is told. */
export function createMemoryLog(): ProcessLog & { readonly told: Told[] } {
  const told: Told[] = [];
  return {
    told,
    info: (fields, message) => void told.push({ level: 'info', fields, message }),
    warn: (fields, message) => void told.push({ level: 'warn', fields, message }),
    error: (fields, message) => void told.push({ level: 'error', fields, message }),
  };
}

/** The messages without their numbers and times. */
export function messagesOf(told: readonly Told[]): readonly string[] {
  return told.map(({ level, message }) => `${level}: ${message}`);
}

export function createDropCount(): { readonly countDropped: CountDropped; readonly dropped: Record<string, number> } {
  const dropped: Record<string, number> = {};
  return {
    dropped,
    countDropped: (sink, records) => {
      dropped[sink] = (dropped[sink] ?? 0) + records;
    },
  };
}

/** A target that keeps its lines in memory. */
export function createMemoryTarget(): LineTarget & { readonly text: () => string } {
  let text = '';
  return {
    text: () => text,
    append: (lines) => {
      text += lines.toString();
      return Promise.resolve(lines.length);
    },
    close: () => Promise.resolve(),
  };
}

/** An empty folder that is gone when the test is over. */
export function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'podrail-audit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** All files of a folder by name. */
export function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** A promise that resolves once `holds` gives true; it looks again every few milliseconds, for at most 20 s. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited too long until ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

/** Runs `work` as a user who owns `folder` and may do nothing that its permissions do not say; root may do anything. */
export async function withoutPrivilege(folder: string, work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) {
    await work();
    return;
  }
  const nobody = 65_534;
  chownSync(folder, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
