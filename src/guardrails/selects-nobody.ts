// Selectors that are well formed and can pick nobody: a guardrail that would be there and never hold.
import type { SelectorSettings } from './selectors.ts';

export interface Useless {
  readonly path: readonly string[];
  readonly message: string;
}

const LISTS = ['namespaces', 'annotations', 'users', 'groups', 'serviceAccounts'] as const;
const SELECTORS = ['namespaceSelector', 'podSelector'] as const;

/** Namespaces that podrail leaves alone, whatever a guardrail says. */
const EXEMPT: readonly string[] = ['kube-system', 'kube-node-lease'];

/** Why a guardrail with these selectors would never hold; nothing where it may. */
export function selectsNobody(match: SelectorSettings, exclude: SelectorSettings): readonly Useless[] {
  return [...excludedWholly(match, exclude), ...exempt(match)];
}

// The same list in both, `*`, and the empty label selector, which picks everything.
function excludedWholly(match: SelectorSettings, exclude: SelectorSettings): readonly Useless[] {
  const byList = LISTS.filter((list) => {
    const excluded = new Set(exclude[list]);
    if (excluded.has('*') && list !== 'annotations' && list !== 'serviceAccounts') return true;
    const matched = match[list] ?? [];
    return matched.length > 0 && matched.every((glob) => excluded.has(glob));
  });
  const bySelector = SELECTORS.filter((selector) => {
    const { matchLabels, matchExpressions = [] } = exclude[selector] ?? { matchExpressions: [undefined] };
    return matchExpressions.length === 0 && Object.keys(matchLabels ?? {}).length === 0;
  });
  return [...byList, ...bySelector].map((setting) => ({
    path: ['exclude', setting],
    message: `spec.exclude.${setting} leaves out everyone that the guardrail is for`,
  }));
}

function exempt({ namespaces = [] }: SelectorSettings): readonly Useless[] {
  if (namespaces.length === 0 || !namespaces.every((glob) => EXEMPT.includes(glob))) return [];
  const message = `spec.match.namespaces picks nothing: podrail judges no pod in ${EXEMPT.join(' or ')}`;
  return [{ path: ['match', 'namespaces'], message }];
}
