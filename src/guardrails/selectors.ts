// Whom a guardrail concerns: names and globs, label selectors, requesters.
import { z } from 'zod';
import { createGlobs } from '../model/glob.ts';
import { createLabelMatcher, type LabelSelector } from '../model/label-selector.ts';
import type { Facts } from '../rules/facts.ts';
import { toUserGlob } from '../rules/requesters.ts';
import { labelSelectorSetting } from '../rules/label-selector-setting.ts';
import { LONGEST_GLOB, MOST_ITEMS } from '../rules/settings.ts';

// More than any name there is; without a bound the API server cannot tell what comparing them costs.
const LONGEST_NAME = 1_024;

const text = z.string().min(1, 'must not be empty').max(LONGEST_NAME, `must have at most ${LONGEST_NAME} characters`);
const namespace = z
  .string()
  .regex(/^[a-z0-9*-]+$/, 'must be a namespace or a glob, in lower case letters, digits, "-" and "*"')
  .max(LONGEST_GLOB, `must have at most ${LONGEST_GLOB} characters`);
const serviceAccount = z.string().regex(/[/*]/, 'must be namespace/name, such as kube-system/vpa-updater');
const list = (item: z.ZodType<string, string>) => z.array(item).max(MOST_ITEMS).optional();

/** Names and globs (`team-*`), a label selector of the namespace or the pod, annotations that the pod has, requesters. */
export const selectorSchema = z.strictObject({
  namespaces: list(namespace).describe('Namespaces, by name or glob (team-*).'),
  namespaceSelector: labelSelectorSetting.optional().describe('Namespaces, by label.'),
  podSelector: labelSelectorSetting.optional().describe('Pods, by label.'),
  annotations: list(text).describe('Names of annotations, any of which the pod has.'),
  users: list(text).describe('Users who ask, as the API server authenticates them.'),
  groups: list(text).describe('Groups of who asks, any of which is enough.'),
  serviceAccounts: list(serviceAccount).describe('Service accounts that ask, as namespace/name.'),
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

/** Whether a selector may pick what this user does in this namespace: for the names alone, which are the same again and again. */
export type MayConcern = (namespace: string, user: string) => boolean;

export function createNameFilter({ namespaces = [], users = [], serviceAccounts = [] }: SelectorSettings): MayConcern {
  const [inNamespaces, isUser, isAccount] = [namespaces, users, serviceAccounts.map(toUserGlob)].map((globs) =>
    globs.length === 0 ? () => true : createGlobs(globs).matches,
  ) as [IsMatch, IsMatch, IsMatch];
  return (namespace, user) => inNamespaces(namespace) && isUser(user) && isAccount(user);
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
  // Asked of every guardrail for every request, so nothing is allocated in them.
  const byName = (globs: readonly string[] | undefined, isAny: (facts: Facts, matches: IsMatch) => boolean): void => {
    // An empty list says as little as one that is left out.
    if (globs === undefined || globs.length === 0) return;
    const { matches } = createGlobs(globs);
    tests.push((facts) => toMatch(isAny(facts, matches)));
  };
  byName(namespaces, (facts, matches) => matches(facts.namespace.name));
  if (namespaceSelector) tests.push(byNamespaceLabels(namespaceSelector));
  if (podSelector) {
    const hasLabels = createLabelMatcher(podSelector);
    tests.push((facts) => toMatch(hasLabels(facts.pod.labels)));
  }
  byName(annotations, (facts, matches) => Object.keys(facts.pod.annotations).some(matches));
  byName(users, (facts, matches) => matches(facts.requester.name));
  byName(groups, (facts, matches) => facts.requester.groups.some(matches));
  byName(serviceAccounts?.map(toUserGlob), (facts, matches) => matches(facts.requester.name));
  return tests;
}

type IsMatch = (name: string) => boolean;

function byNamespaceLabels(selector: LabelSelector): Test {
  const hasLabels = createLabelMatcher(selector);
  return ({ namespace: { labels } }) => (labels === undefined ? 'unknown' : toMatch(hasLabels(labels)));
}

function toMatch(isMatch: boolean): Match {
  return isMatch ? 'yes' : 'no';
}
