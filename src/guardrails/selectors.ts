// Whom a guardrail concerns: names and globs, label selectors, requesters.
import { z } from 'zod';
import { createGlobs } from '../model/glob.ts';
import { type LabelSelector, matchesLabels } from '../model/label-selector.ts';
import type { Facts, Requester } from '../rules/facts.ts';
import { toServiceAccount } from '../rules/requesters.ts';
import { labelSelectorSetting } from '../rules/settings.ts';

const names = z.array(z.string().min(1)).optional();

/** Names and globs (`team-*`), a label selector of the namespace or the pod, annotations that the pod has, requesters. */
export const selectorSchema = z.strictObject({
  namespaces: names,
  namespaceSelector: labelSelectorSetting.optional(),
  podSelector: labelSelectorSetting.optional(),
  annotations: names,
  users: names,
  groups: names,
  serviceAccounts: names,
});

export type SelectorSettings = z.infer<typeof selectorSchema>;

/** Whether a selector picks a request; `unknown` when it asks for the labels of a namespace that nobody knows. */
export type Match = 'yes' | 'no' | 'unknown';

type Test = (facts: Facts) => Match;

/** A test per setting that is there; a request must pass them all. Without settings everything is picked. */
export function createMatcher(settings: SelectorSettings): Test {
  const tests = testsOf(settings);
  return (facts) => {
    let result: Match = 'yes';
    for (const test of tests) {
      const match = test(facts);
      if (match === 'no') return 'no';
      if (match === 'unknown') result = 'unknown';
    }
    return result;
  };
}

/** An exclusion picks a request when any of its settings does; without settings nothing is excluded. */
export function createExclusion(settings: SelectorSettings): Test {
  const tests = testsOf(settings);
  return (facts) => {
    let result: Match = 'no';
    for (const test of tests) {
      const match = test(facts);
      if (match === 'yes') return 'yes';
      if (match === 'unknown') result = 'unknown';
    }
    return result;
  };
}

function testsOf(settings: SelectorSettings): readonly Test[] {
  const tests: Test[] = [];
  const { namespaces, namespaceSelector, podSelector, annotations, users, groups, serviceAccounts } = settings;
  if (namespaces) tests.push(byName(namespaces, (facts) => [facts.namespace.name]));
  if (namespaceSelector) tests.push((facts) => byNamespaceLabels(namespaceSelector, facts));
  if (podSelector) tests.push((facts) => toMatch(matchesLabels(podSelector, facts.pod.labels)));
  if (annotations) tests.push(byName(annotations, (facts) => Object.keys(facts.pod.annotations)));
  if (users) tests.push(byName(users, (facts) => [facts.requester.name]));
  if (groups) tests.push(byName(groups, (facts) => facts.requester.groups));
  if (serviceAccounts) tests.push(byName(serviceAccounts, (facts) => serviceAccountsOf(facts.requester)));
  return tests;
}

function byName(globs: readonly string[], namesOf: (facts: Facts) => readonly string[]): Test {
  const { matches } = createGlobs(globs);
  return (facts) => toMatch(namesOf(facts).some(matches));
}

function byNamespaceLabels(selector: LabelSelector, facts: Facts): Match {
  const { labels } = facts.namespace;
  return labels === undefined ? 'unknown' : toMatch(matchesLabels(selector, labels));
}

function toMatch(isMatch: boolean): Match {
  return isMatch ? 'yes' : 'no';
}

function serviceAccountsOf(requester: Requester): readonly string[] {
  const name = toServiceAccount(requester.name);
  return name === undefined ? [] : [name];
}
