// AdmissionReview → AdmissionRequest: the pods in it, read.
import { InvalidObject } from '../model/invalid-object.ts';
import type { Pod } from '../model/pod.ts';
import { readPod } from '../model/read-pod.ts';
import type { Requester, Scope } from '../rules/facts.ts';
import type { Envelope } from './envelope.ts';

/** The endpoint that was called: `/mutate` or `/validate`. */
export type Phase = 'mutate' | 'validate';

export interface AdmissionRequest {
  readonly uid: string;
  readonly scope: Scope;
  readonly namespace: string;
  readonly dryRun: boolean;
  readonly requester: Requester;
  /** As sent: in the mutating phase of a resize it may hold edits that the API server will drop. */
  readonly object: Pod;
  /** The stored pod; undefined on create. */
  readonly oldObject: Pod | undefined;
}

/** Reads the pods of a request in `scope`; throws InvalidObject with the field that is not what it should be. */
export function readAdmissionRequest(envelope: Envelope, scope: Scope): AdmissionRequest {
  const { uid, namespace, dryRun, requester } = envelope;
  const object = readPodAt('object', envelope.object);
  const oldObject = scope === 'create' ? undefined : readPodAt('oldObject', envelope.oldObject);
  return { uid, scope, namespace, dryRun, requester, object, oldObject };
}

function readPodAt(place: 'object' | 'oldObject', json: unknown): Pod {
  if (json === undefined) throw new InvalidObject(place, 'must be a Pod; it is not there');
  try {
    return readPod(json);
  } catch (error) {
    if (!(error instanceof InvalidObject) || (place === 'object' && error.path !== '')) throw error;
    throw new InvalidObject(error.path === '' ? place : `${place}.${error.path}`, error.problem);
  }
}
