// What the oracle answers, as oracle/*.go writes it.

export interface QuantityAnswer {
  /** Why the text is no quantity; then there is nothing else. */
  readonly problem?: string;
  readonly text?: string;
  /** The text after a pod with it was stored. */
  readonly inPod?: string;
  readonly format?: string;
  /** The exact value. */
  readonly nanos?: string;
  /** What Kubernetes counts, overflows included. */
  readonly value?: string;
  readonly milliValue?: string;
}

/** One of the causes with which the API server refuses a pod. */
export interface FieldError {
  readonly type: string;
  readonly field: string;
  readonly message: string;
}

/** Exact amounts in nanos, by resource. */
export type Nanos = Readonly<Record<string, string>>;

export interface PodAnswer {
  /** Why the pod could not be read; then there is nothing else. */
  readonly decode?: string;
  readonly errors?: readonly FieldError[];
  /** Why there can be no such stored pod; then there is nothing else. */
  readonly unstorable?: readonly FieldError[];
  /** The stored pod as a webhook is sent it. */
  readonly stored?: object;
  readonly requests?: Nanos;
  readonly limits?: Nanos;
  readonly qos?: string;
  /** Resources of which the scheduler and the kubelet count another amount than the sum is; none says which in older answers. */
  readonly uncounted?: { readonly requests: readonly string[]; readonly limits: readonly string[] };
  /** Beside a status; older answers to a resize have none. */
  readonly held?: Nanos;
  /** Whether a resize raises the pod's generation; absent where it does not. */
  readonly changed?: boolean;
}

/** Where podrail and Kubernetes answer differently. */
export interface Difference {
  /** Differences of one kind are counted together. */
  readonly kind: string;
  /** Both answers. */
  readonly detail: string;
}

/** What comparing one answer gave. */
export interface Outcome {
  readonly differences: readonly Difference[];
  /** Names of what is different on purpose. */
  readonly exceptions: readonly string[];
}

export const SAME: Outcome = { differences: [], exceptions: [] };

/** Both. */
export function both(first: Outcome, second: Outcome): Outcome {
  if (first === SAME) return second;
  if (second === SAME) return first;
  return {
    differences: [...first.differences, ...second.differences],
    exceptions: [...first.exceptions, ...second.exceptions],
  };
}

/** The two said differently. */
export function differs(kind: string, ours: unknown, theirs: unknown): Outcome {
  const detail = `podrail: ${JSON.stringify(ours)}  Kubernetes: ${JSON.stringify(theirs)}`;
  return { differences: [{ kind, detail }], exceptions: [] };
}
