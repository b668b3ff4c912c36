// A resize must leave the pod in the QoS class that it has.
//
// Looks at: status.qosClass of the stored pod (computed where it is not set), cpu and memory of the resized one
// Allowed:  the same class; a value of 0 counts as not set
import { computeQos, type QosClass, storedQos } from '../model/qos.ts';
import { subjectOf } from './message.ts';
import { defineRule, type Finding, NO_FINDINGS } from './rule.ts';
import { noSettings } from './settings.ts';

/** Follows ValidatePodResize: GetPodQOS of the stored pod against ComputePodQOS of the resized one. */
export const resizeKeepsQos = defineRule({
  id: 'resize-keeps-qos',
  summary: 'A resize must keep the QoS class of the pod.',
  scopes: ['resize'],
  core: () => true,
  settings: noSettings,
  check({ before, pod, version }): readonly Finding[] {
    if (before === undefined) return NO_FINDINGS;
    const stored = storedQos(before, version);
    const resized = computeQos(pod, version);
    if (stored === resized) return NO_FINDINGS;
    const message = `${subjectOf(pod, undefined)} must stay ${stored}; it would become ${resized}: ${adviceFor(stored, resized)}`;
    return [{ path: 'spec', message, actual: resized, bound: stored }];
  },
});

function adviceFor(stored: string, resized: QosClass): string {
  if (stored === 'BestEffort') return 'recreate it to give it requests or limits';
  if (stored === 'Guaranteed') return 'change each request and its limit together';
  return resized === 'Guaranteed' ? 'keep a request below its limit' : 'keep a request or limit above 0';
}
