// Selectors that are well formed and can pick nobody: a guardrail that would be there and never hold. They are read as they are
// written, so that a mistake in one of them hides nothing in the others.
import { createGlobs, fitsEvery } from '../model/glob.ts';
import { isMap } from '../model/json-fields.ts';

export interface Useless {
  readonly path: readonly string[];
  readonly message: string;
}

const LISTS = ['namespaces', 'annotations', 'users', 'groups', 'serviceAccounts'] as const;
const SELECTORS = ['namespaceSelector', 'podSelector'] as const;

/** Namespaces that podrail leaves alone, whatever a guardrail says. */
const EXEMPT: readonly string[] = ['kube-system', 'kube-node-lease'];

const LEAVES_OUT = 'leaves out everyone that the guardrail is for';

/** Why a guardrail with these selectors would never hold; nothing where it may. */
export function selectsNobody(match: unknown, exclude: unknown): readonly Useless[] {
  return [...excludedWholly(match, exclude), ...exempt(match), ...nobodyIsBoth(match)];
}

// The same list in both, stars alone, and the empty label selector, which picks everything.
function excludedWholly(match: unknown, exclude: unknown): readonly Useless[] {
  const byList = LISTS.filter((list) => {
    const written = listIn(exclude, list);
    if (list !== 'annotations' && list !== 'serviceAccounts' && written.some(fitsEvery)) return true;
    const excluded = new Set(written);
    const matched = listIn(match, list);
    return matched.length > 0 && matched.every((glob) => excluded.has(glob));
  });
  const bySelector = SELECTORS.filter((selector) => {
    const written = isMap(exclude) ? exclude[selector] : undefined;
    return isMap(written) && isEmptySelector(written);
  });
  return [...byList, ...bySelector].map((setting) => ({
    path: ['exclude', setting],
    message: `spec.exclude.${setting} ${LEAVES_OUT}`,
  }));
}

function exempt(match: unknown): readonly Useless[] {
  const namespaces = listIn(match, 'namespaces');
  if (namespaces.length === 0 || !namespaces.every((glob) => EXEMPT.includes(String(glob)))) return [];
  const message = `spec.match.namespaces picks nothing: podrail judges no pod in ${EXEMPT.join(' or ')}`;
  return [{ path: ['match', 'namespaces'], message }];
}

const ACCOUNT = 'system:serviceaccount:';

/** Of a match all must hold, and no person is a service account as well. */
export function nobodyIsBoth(match: unknown): readonly Useless[] {
  const users = listIn(match, 'users');
  const isPerson = (user: unknown): boolean =>
    typeof user === 'string' && !user.includes('*') && !user.startsWith(ACCOUNT);
  if (users.length === 0 || listIn(match, 'serviceAccounts').length === 0 || !users.every(isPerson)) return [];
  const message = 'spec.match.users picks nobody who is in spec.match.serviceAccounts too; put one of them elsewhere';
  return [{ path: ['match', 'users'], message }];
}

/** The same where only comparing globs or whole selectors can tell, which a CRD does not do: so it is told and let be. */
export function mayLeaveOutAll(match: unknown, exclude: unknown): readonly Useless[] {
  const byList = LISTS.filter((list) => {
    // A glob that picks the text of another picks all that the other does.
    const { matches } = createGlobs(listIn(exclude, list).filter((glob) => typeof glob === 'string'));
    const matched = listIn(match, list);
    return matched.length > 0 && matched.every((glob) => typeof glob === 'string' && matches(glob));
  });
  const bySelector = SELECTORS.filter((selector) => {
    if (!isMap(match) || !isMap(exclude) || !isMap(match[selector])) return false;
    return JSON.stringify(match[selector]) === JSON.stringify(exclude[selector]);
  });
  return [...byList, ...bySelector].map((setting) => ({
    path: ['exclude', setting],
    message: `spec.exclude.${setting} ${LEAVES_OUT}, so it does nothing`,
  }));
}

function listIn(selector: unknown, name: string): readonly unknown[] {
  const list = isMap(selector) ? selector[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** An empty list, and a label selector without labels and requirements: they say as little as if they were left out. */
export function isEmptySelector(written: unknown): boolean {
  const parts = isMap(written) ? Object.values(written) : [written];
  return parts.every((part) => sizeOf(part) === 0);
}

function sizeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return isMap(value) ? Object.keys(value).length : undefined;
}
