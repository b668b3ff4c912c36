// podrail.yaml → Config, or every mistake in it with its place. Flags override the file, the file overrides the defaults.
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { BaselineMode } from './guardrails/baseline.ts';
import { besideText, documentsOf, type SourceDocument } from './guardrails/documents.ts';
import { type GuardrailRule, readRules } from './guardrails/read-rules.ts';
import { mistakeAt, toMistakes } from './guardrails/issues.ts';
import { atOnce } from './guardrails/steps.ts';
import { inOrder, type Mistake } from './guardrails/mistake.ts';
import { type Address, parseAddress } from './http/address.ts';
import type { HttpLimits } from './http/limits.ts';
import { isMap } from './model/json-fields.ts';
import { type KubernetesVersion, NEWEST_MINOR, parseKubernetesVersion } from './model/kubernetes-version.ts';

/** What `serve` is told. Paths are as given on the command line, or resolved against the folder of podrail.yaml. */
export interface Config {
  readonly listen: Address;
  readonly adminListen: Address;
  /** A folder with `tls.crt` and `tls.key`; undefined for a certificate that podrail makes itself. */
  readonly tlsDir: string | undefined;
  /** Where the CA of that certificate is written; undefined for a new folder in the system's temporary one. */
  readonly caOut: string | undefined;
  readonly baselineMode: BaselineMode;
  /** Rules set by the operator, each in place of the baseline's own. */
  readonly baselineRules: readonly GuardrailRule[];
  /** Rules of the baseline that the operator has turned off. */
  readonly baselineOff: ReadonlySet<string>;
  readonly guardrails: readonly string[];
  readonly cluster: readonly string[];
  readonly kubernetesVersion: KubernetesVersion;
  readonly onFault: 'deny' | 'allow';
  /** The namespace podrail runs in, which it never judges; empty outside a cluster. */
  readonly namespace: string;
  readonly auditLevel: 'denied' | 'all';
  readonly auditFile: string | undefined;
  readonly auditMaxBytes: number;
  readonly auditMaxFiles: number;
  readonly limits: Partial<HttpLimits>;
}

/** What one source sets: the file, or the flags. */
export type Settings = Partial<Config>;

export const DEFAULTS: Config = {
  listen: { host: undefined, port: 8443 },
  adminListen: { host: undefined, port: 8080 },
  tlsDir: undefined,
  caOut: undefined,
  baselineMode: 'enforce',
  baselineRules: [],
  baselineOff: new Set(),
  guardrails: [],
  cluster: [],
  kubernetesVersion: { minor: NEWEST_MINOR },
  onFault: 'deny',
  namespace: '',
  auditLevel: 'denied',
  auditFile: undefined,
  auditMaxBytes: 100 * 1024 * 1024,
  auditMaxFiles: 5,
  limits: {},
};

function parsed<Value>(parse: (text: string) => Value | undefined, problem: string) {
  return z.union([z.string(), z.number()], { error: problem }).transform((written, context) => {
    const value = parse(String(written));
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });
}

const address = parsed(parseAddress, 'must be HOST:PORT or :PORT, such as 127.0.0.1:8443');
// YAML reads 1.40 without quotes as the number 1.4, which is another version.
const version = z.string({ error: 'must be in quotes, such as "1.35"' }).transform((written, context) => {
  const value = parseKubernetesVersion(written);
  if (value === undefined) context.addIssue({ code: 'custom', message: 'must be a version from "1.33" on' });
  return value ?? z.NEVER;
});
const path = z.string().min(1, 'must be a path');
const whole = (least: number) => z.int({ error: 'must be a whole number' }).min(least, `must be at least ${least}`);
const milliseconds = whole(1).max(3_600_000, 'must be at most 3600000, which is an hour');

// The API server keeps an idle connection for 90 s: a server that closes it sooner makes calls fail.
const keepAlive = whole(90_001);

const fileSchema = z.strictObject({
  listen: address.optional(),
  adminListen: address.optional(),
  tls: z.strictObject({ dir: path.optional(), caOut: path.optional() }).default({}),
  baseline: z
    .strictObject({
      // YAML as Kubernetes reads it takes `off` without quotes for false.
      mode: z
        .preprocess((mode) => (mode === false ? 'off' : mode), z.enum(['enforce', 'warn', 'audit', 'off']))
        .optional(),
      rules: z.record(z.string(), z.unknown()).optional(),
    })
    .default({}),
  guardrails: z.array(path).optional(),
  cluster: z.array(path).optional(),
  kubernetesVersion: version.optional(),
  onFault: z.enum(['deny', 'allow']).optional(),
  namespace: z.string().optional(),
  audit: z
    .strictObject({
      level: z.enum(['denied', 'all']).optional(),
      file: path.optional(),
      maxBytes: whole(1024).optional(),
      maxFiles: whole(2).optional(),
    })
    .default({}),
  limits: z
    .strictObject({
      maxBodyBytes: whole(1).optional(),
      maxHeldBytes: whole(1).optional(),
      maxHeaderBytes: whole(1).optional(),
      maxHeaders: whole(1).optional(),
      maxConnections: whole(1).optional(),
      headersTimeoutMs: milliseconds.optional(),
      requestTimeoutMs: milliseconds.optional(),
      keepAliveTimeoutMs: keepAlive.optional(),
    })
    .default({}),
  drain: z.strictObject({ delayMs: whole(0).optional(), timeoutMs: milliseconds.optional() }).default({}),
});

/** Reads a podrail.yaml; with a mistake in it there are no settings. */
export function readConfig(
  text: string,
  file: string,
): { readonly settings: Settings; readonly mistakes: readonly Mistake[] } {
  const { documents, mistakes: inText } = atOnce(documentsOf(text, file, true));
  const [document, second] = documents;
  if (document === undefined) return { settings: {}, mistakes: inText };
  const { settings, mistakes: inValues } = second === undefined ? readSettings(document) : tooMany(second);
  const mistakes = inOrder(besideText(inText, inValues));
  return { settings: mistakes.length === 0 ? settings : {}, mistakes };
}

function tooMany(second: SourceDocument): ReturnType<typeof readConfig> {
  return { settings: {}, mistakes: [mistakeAt(second, [], 'must not be here: the settings are one document')] };
}

function readSettings(document: SourceDocument): ReturnType<typeof readConfig> {
  if (!isMap(document.value)) {
    return {
      settings: {},
      mistakes: [mistakeAt(document, [], 'must be a map of settings, such as { onFault: deny }')],
    };
  }
  const mistakes: Mistake[] = [];
  const result = fileSchema.safeParse(document.value);
  if (!result.success) mistakes.push(...toMistakes(result.error, fileSchema, document));
  const { baseline } = document.value;
  const written = isMap(baseline) ? baseline['rules'] : undefined;
  const baselineRules = readRules(written, 'enforce', document, ['baseline', 'rules'], mistakes);
  if (!result.success || mistakes.length > 0) return { settings: {}, mistakes };
  const settings = { ...toSettings(result.data, dirname(document.file)), baselineRules, baselineOff: offIn(written) };
  return { settings, mistakes };
}

function toSettings(read: z.output<typeof fileSchema>, folder: string): Settings {
  const { tls, audit, drain, baseline } = read;
  const within = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  return present({
    listen: read.listen,
    adminListen: read.adminListen,
    tlsDir: within(tls.dir),
    caOut: within(tls.caOut),
    baselineMode: baseline.mode,
    guardrails: read.guardrails?.map((path) => resolve(folder, path)),
    cluster: read.cluster?.map((path) => resolve(folder, path)),
    kubernetesVersion: read.kubernetesVersion,
    onFault: read.onFault,
    namespace: read.namespace,
    auditLevel: audit.level,
    auditFile: within(audit.file),
    auditMaxBytes: audit.maxBytes,
    auditMaxFiles: audit.maxFiles,
    limits: present({ ...read.limits, drainDelayMs: drain.delayMs, drainTimeoutMs: drain.timeoutMs }),
  });
}

// A setting that is not there must not hide a default.
function present<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function offIn(rules: unknown): ReadonlySet<string> {
  const entries = isMap(rules) ? Object.entries(rules) : [];
  return new Set(
    entries
      .filter(([, settings]) => isMap(settings) && (settings['mode'] === 'off' || settings['mode'] === false))
      .map(([id]) => id),
  );
}
