// Pods of the namespace `default`, as requests to the API server.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask, PATCH } from './api-client.ts';
import type { Person } from './people.ts';

/** The path of all pods, of one, or of its subresource. */
export function podsPath(name?: string, subresource?: string): string {
  return ['/api/v1/namespaces/default/pods', name, subresource].filter((part) => part !== undefined).join('/');
}

/** A pod with this spec; `metadata` is added to its name. */
export function podOf(name: string, spec: object, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', ...metadata }, spec };
}

/** Asks for a pod. */
export function createPod(person: Person, name: string, spec: object, metadata: object = {}): Promise<Answer> {
  return ask(person, 'POST', podsPath(), podOf(name, spec, metadata));
}

/** Asks for a resize: a strategic merge patch of the spec, or, when it is a list, a JSON patch of the pod. */
export function resizePod(person: Person, name: string, patch: object): Promise<Answer> {
  return patchPod(person, podsPath(name, 'resize'), patch);
}

/** The same by any path of a pod. */
export async function patchPod(person: Person, path: string, patch: object): Promise<Answer> {
  await untilCached(person, path.split('/').slice(0, PARTS).join('/'));
  return Array.isArray(patch)
    ? ask(person, 'PATCH', path, patch, PATCH.json)
    : ask(person, 'PATCH', path, { spec: patch }, PATCH.strategic);
}

// Of a pod's path, from the empty text before its first slash to its name.
const PARTS = '/api/v1/namespaces/default/pods/name'.split('/').length;

/**
 * Waits until the API server's cache holds the pod as it is stored. A moment after a write it holds an older one, asks the webhooks about
 * that first, and may ask them again.
 */
export async function untilCached(person: Person, path: string): Promise<void> {
  const deadline = performance.now() + CACHED_WITHIN_MS;
  const versionOf = ({ body }: Answer): unknown => (body['metadata'] as Metadata | undefined)?.resourceVersion;
  const isCached = async (): Promise<boolean> => {
    const cached = await ask(person, 'GET', `${path}?resourceVersion=0`);
    const stored = await ask(person, 'GET', path);
    if (stored.code !== 200) throw new Error(`${path}: ${JSON.stringify(stored.body)}`);
    return cached.code === 200 && versionOf(cached) === versionOf(stored);
  };
  while (!(await isCached())) {
    if (performance.now() > deadline) throw new Error(`${path} is not in the cache within ${CACHED_WITHIN_MS} ms`);
    await sleep(10);
  }
}

const CACHED_WITHIN_MS = 60_000;

interface Metadata {
  readonly resourceVersion?: string;
}
