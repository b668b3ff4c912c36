// Pods of the namespace `default`, as requests to the API server.
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
export function patchPod(person: Person, path: string, patch: object): Promise<Answer> {
  return Array.isArray(patch)
    ? ask(person, 'PATCH', path, patch, PATCH.json)
    : ask(person, 'PATCH', path, { spec: patch }, PATCH.strategic);
}
