// Rule fixtures: one YAML file is the facts of one request, and what the rule must find in them.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ClusterView } from '../../src/admission/cluster-view.ts';
import { gatherFacts } from '../../src/admission/gather-facts.ts';
import type { AdmissionRequest } from '../../src/admission/request.ts';
import { createClusterView } from '../../src/cluster/cluster-objects.ts';
import { parseKubernetesVersion } from '../../src/model/kubernetes-version.ts';
import { readPod } from '../../src/model/read-pod.ts';
import type { Facts } from '../../src/rules/facts.ts';

type Json = Record<string, unknown>;
const object = z.record(z.string(), z.unknown());

const finding = z.strictObject({
  path: z.string(),
  message: z.string(),
  actual: z.string().optional(),
  bound: z.string().optional(),
  advice: z.literal(true).optional(),
  cause: z.enum(['NodeCapacity', 'UnsupportedPlatform']).optional(),
  conclusive: z.literal(true).optional(),
  ours: z.literal(true).optional(),
});

const schema = z
  .strictObject({
    version: z.string().default('1.35'),
    now: z.iso.datetime().default('2026-11-30T09:00:00Z'),
    scope: z.enum(['create', 'resize', 'update']),
    /** create: the pod that is sent; otherwise the stored one. */
    pod: object,
    /** What `kubectl patch --subresource resize` would send below `spec`. */
    resize: object.optional(),
    /** The whole new pod, instead of `resize`. */
    object: object.optional(),
    nodes: z.array(object).default([]),
    pods: z.array(object).default([]),
    namespaces: z.array(object).default([]),
    autoscalers: z.array(object).default([]),
    requester: z
      .strictObject({ name: z.string(), groups: z.array(z.string()).default([]) })
      .default({ name: 'dev-lee', groups: ['team-blue-devs'] }),
    settings: object.default({}),
    findings: z.array(finding).default([]),
    patch: z.array(object).optional(),
    /** What is still found after the fix; nothing unless it is said. */
    left: z.array(finding).default([]),
  })
  .refine(
    ({ scope, resize, object: whole }) => (scope === 'create') === (resize === undefined && whole === undefined),
    {
      error: 'a create has only `pod`; a resize or an update also has `resize` or `object`',
    },
  );

export type Fixture = z.infer<typeof schema>;

/** Reads one fixture; throws with the place of the mistake when it is none. */
export function readFixture(yaml: string): Fixture {
  return schema.parse(parse(yaml));
}

export interface FixtureFile {
  /** `passes-…`, `finds-…` or `fixes-…`, without the extension. */
  readonly name: string;
  readonly fixture: Fixture;
}

/** The fixtures of one rule, by file name. */
export function fixturesOf(rule: string): readonly FixtureFile[] {
  const folder = join(import.meta.dirname, rule);
  return readdirSync(folder)
    .sort()
    .map((file) => ({ name: basename(file, '.yaml'), fixture: readFixture(readFileSync(join(folder, file), 'utf8')) }));
}

/** The pod as a person would send it: `object`, or the stored pod with the resize merged in. */
export function sentPod(fixture: Fixture): Json {
  if (fixture.object !== undefined) return fixture.object;
  return fixture.resize === undefined ? fixture.pod : (merge(fixture.pod, { spec: fixture.resize }) as Json);
}

/** The facts that a rule would be asked about. `sent` stands for the pod that is sent, for instance after a fix. */
export function factsOf(fixture: Fixture, sent: Json = sentPod(fixture)): Facts {
  const version = parseKubernetesVersion(fixture.version);
  if (version === undefined) throw new Error(`version ${fixture.version} is not a Kubernetes version`);
  const pod = readPod(sent);
  const request: AdmissionRequest = {
    uid: '00000000-0000-4000-8000-000000000000',
    scope: fixture.scope,
    namespace: pod.namespace,
    dryRun: false,
    requester: fixture.requester,
    object: pod,
    oldObject: fixture.scope === 'create' ? undefined : readPod(fixture.pod),
  };
  return gatherFacts(request, clusterOf(fixture), version, new Date(fixture.now));
}

function clusterOf({ nodes, namespaces, pods, autoscalers }: Fixture): ClusterView {
  return createClusterView([...nodes, ...namespaces, ...pods, ...autoscalers]);
}

// As a strategic merge patch: objects deep, containers by name, null removes, other lists are replaced.
function merge(into: unknown, patch: unknown, key = ''): unknown {
  if (Array.isArray(patch)) return isContainerList(key) ? mergeByName(into, patch) : patch;
  if (!isObject(patch)) return patch;
  const merged: Json = isObject(into) ? { ...into } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = merge(merged[name], value, name);
  }
  return merged;
}

function mergeByName(into: unknown, patch: readonly unknown[]): unknown[] {
  const merged: unknown[] = Array.isArray(into) ? into.slice() : [];
  for (const item of patch) {
    const at = merged.findIndex((one) => isObject(one) && isObject(item) && one['name'] === item['name']);
    if (at === -1) merged.push(item);
    else merged[at] = merge(merged[at], item);
  }
  return merged;
}

function isContainerList(key: string): boolean {
  return key === 'containers' || key === 'initContainers';
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
