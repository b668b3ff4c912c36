// The schema of audit lines, version 1, written a second time: what the code makes and what the page says must fit it.
import { z } from 'zod';

const mode = z.enum(['enforce', 'fix', 'warn', 'audit', 'off']);
const name = z.string().min(1);
const time = z.iso.datetime({ precision: 3 });
const schema = z.literal('podrail.dev/audit/v1');

export const recordSchema = z.strictObject({
  schema,
  id: z.ulid(),
  time,
  uid: z.string(),
  retryOf: z.ulid().nullable(),
  decision: z.enum(['allow', 'deny', 'warn', 'fix']),
  mode,
  operation: z.enum(['create', 'resize', 'update']),
  dryRun: z.boolean(),
  user: z.strictObject({ name: z.string(), groups: z.array(z.string()), serviceAccount: name.nullable() }),
  pod: z.strictObject({
    namespace: z.string(),
    name: z.string(),
    uid: name.nullable(),
    owner: z.strictObject({ kind: name, name }).nullable(),
    node: name.nullable(),
  }),
  changes: z.array(
    z.strictObject({
      container: name.nullable(),
      kind: z.enum(['main', 'sidecar', 'init', 'pod']),
      path: name,
      from: name.nullable(),
      to: name.nullable(),
    }),
  ),
  findings: z.array(
    z.strictObject({
      rule: name,
      guardrail: name,
      mode,
      path: z.string(),
      actual: z.string().nullable(),
      bound: z.string().nullable(),
      message: name,
    }),
  ),
  excepted: z.array(
    z.strictObject({
      exception: name,
      reason: name,
      rule: name,
      guardrail: name,
      path: z.string(),
      actual: z.string().nullable(),
      bound: z.string().nullable(),
      message: name,
    }),
  ),
  faults: z.array(z.strictObject({ rule: name.nullable(), error: z.string() })),
  patch: z.array(
    z.strictObject({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: z.unknown().optional() }),
  ),
  unlisted: z.strictObject({ findings: z.int().min(0), changes: z.int().min(0) }),
  kubernetes: z.string().regex(/^1\.\d+$/),
  durationMs: z.number().nonnegative(),
});

/** The line that stands where records are missing. */
export const markerSchema = z.strictObject({ schema, time, dropped: z.int().positive(), since: time });
