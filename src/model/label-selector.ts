// A label selector, in the form that Kubernetes gives it (metav1.LabelSelector).

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** At least one for In and NotIn, none for the others. */
  readonly values?: readonly string[] | undefined;
}

/** All of it must match; an empty selector matches everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?: readonly LabelRequirement[] | undefined;
}

type Labels = Readonly<Record<string, string>>;

/** Whether labels have all that the selector asks for. As in Kubernetes, NotIn also matches where the label is absent. */
export function matchesLabels(selector: LabelSelector, labels: Labels): boolean {
  return createLabelMatcher(selector)(labels);
}

/** The same for a selector that is prepared once, to be asked often. */
export function createLabelMatcher({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): (labels: Labels) => boolean {
  const wanted = Object.entries(matchLabels);
  return (labels) => {
    for (const [key, value] of wanted) if (!Object.hasOwn(labels, key) || labels[key] !== value) return false;
    for (const requirement of matchExpressions) if (!matchesRequirement(requirement, labels)) return false;
    return true;
  };
}

function matchesRequirement({ key, operator, values = [] }: LabelRequirement, labels: Labels): boolean {
  // `labels.constructor` is there in any object.
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}
