// The envelope of an AdmissionReview: whose request it is and what for, before anyone looks at the pod in it.
import { isMap, type JsonObject } from '../model/json-fields.ts';
import type { Requester, Scope } from '../rules/facts.ts';
import { InvalidReview } from './invalid-review.ts';

export interface Envelope {
  readonly uid: string;
  /** `pods`, or `pods.v2` for what is no core/v1 resource. */
  readonly resource: string;
  readonly subResource: string;
  readonly operation: string;
  readonly name: string;
  readonly namespace: string;
  readonly dryRun: boolean;
  readonly requester: Requester;
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly stored: StoredVersion;
}

/** Which version of the stored pod the API server asks about; of a new pod both are empty. */
export interface StoredVersion {
  /** Another with every write. */
  readonly resourceVersion: string;
  /** Another with every write that changes the spec. */
  readonly generation: string;
}

/** Reads the envelope; throws InvalidReview when the value is no v1 AdmissionReview with a request. */
export function readEnvelope(review: unknown): Envelope {
  if (!isMap(review) || review['kind'] !== 'AdmissionReview') throw new InvalidReview('the body is no AdmissionReview');
  if (review['apiVersion'] !== 'admission.k8s.io/v1') {
    throw new InvalidReview(`the AdmissionReview must be admission.k8s.io/v1; it is ${shown(review['apiVersion'])}`);
  }
  const request = review['request'];
  if (!isMap(request)) throw new InvalidReview('the AdmissionReview has no request');
  const resource = mapOf(request, 'resource');
  const user = mapOf(request, 'userInfo');
  const groups = user['groups'] ?? [];
  if (!Array.isArray(groups)) throw new InvalidReview('request.userInfo.groups must be a list');
  return {
    uid: requiredText(request, 'uid'),
    resource: resourceName(resource),
    subResource: textOf(request, 'subResource'),
    operation: requiredText(request, 'operation'),
    name: textOf(request, 'name'),
    namespace: textOf(request, 'namespace'),
    dryRun: flagOf(request, 'dryRun'),
    requester: { name: textOf(user, 'username'), groups: groups.map(String) },
    object: request['object'] ?? undefined,
    oldObject: request['oldObject'] ?? undefined,
    stored: storedVersionOf(request['oldObject']),
  };
}

/** What podrail judges: creating a pod, resizing one, and the update that should have been a resize. */
export function scopeOf({
  resource,
  operation,
  subResource,
}: Pick<Envelope, 'resource' | 'operation' | 'subResource'>): Scope | undefined {
  if (resource !== 'pods') return undefined;
  if (operation === 'CREATE') return subResource === '' ? 'create' : undefined;
  if (operation !== 'UPDATE') return undefined;
  if (subResource === 'resize') return 'resize';
  return subResource === '' ? 'update' : undefined;
}

/** Where podrail has no say, beside its own namespace; manifests/base/webhooks.yaml names the same. */
export const EXEMPT_NAMESPACES: ReadonlySet<string> = new Set(['kube-system', 'kube-node-lease']);

/**
 * Whether podrail has no say: the namespaces a cluster needs to come up, its own (or it could not be replaced), and what
 * kubelets do, such as making mirror pods. A tenant can set none of these; a mirror annotation alone exempts nothing.
 */
export function isExempt(envelope: Pick<Envelope, 'namespace' | 'requester'>, ownNamespace: string): boolean {
  const { namespace, requester } = envelope;
  // Outside a cluster podrail has no namespace, and a request without one is no reason to look away.
  const isOwn = namespace !== '' && namespace === ownNamespace;
  return isOwn || EXEMPT_NAMESPACES.has(namespace) || requester.groups.includes('system:nodes');
}

function resourceName(resource: JsonObject): string {
  const name = textOf(resource, 'resource');
  if (name === '') throw new InvalidReview('request.resource.resource must be set');
  const isCore = textOf(resource, 'group') === '' && textOf(resource, 'version') === 'v1';
  return isCore ? name : `${name}.${textOf(resource, 'version')}.${textOf(resource, 'group')}`;
}

// Whoever reads the pod says what is wrong with it.
function storedVersionOf(oldObject: unknown): StoredVersion {
  const metadata = isMap(oldObject) && isMap(oldObject['metadata']) ? oldObject['metadata'] : {};
  return { resourceVersion: versionText(metadata['resourceVersion']), generation: versionText(metadata['generation']) };
}

function versionText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

function requiredText(map: JsonObject, key: string): string {
  const text = textOf(map, key);
  if (text === '') throw new InvalidReview(`request.${key} must be set`);
  return text;
}

function textOf(map: JsonObject, key: string): string {
  const value = map[key] ?? '';
  if (typeof value !== 'string') throw new InvalidReview(`request: ${key} must be a string; it is ${shown(value)}`);
  return value;
}

function flagOf(map: JsonObject, key: string): boolean {
  const value = map[key] ?? false;
  if (typeof value !== 'boolean') throw new InvalidReview(`request: ${key} must be a boolean; it is ${shown(value)}`);
  return value;
}

function mapOf(map: JsonObject, key: string): JsonObject {
  const value = map[key] ?? {};
  if (!isMap(value)) throw new InvalidReview(`request.${key} must be a map; it is ${shown(value)}`);
  return value;
}

function shown(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value).slice(0, 60);
}
