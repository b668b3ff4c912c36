// Retries of the API server. It asks first about the copy of a pod that it holds. Where the pod has been written a moment ago that is an
// older one; when it is refused, or cannot be stored, the API server reads the pod again and asks again (GuaranteedUpdate of
// k8s.io/apiserver/pkg/storage/etcd3/store.go). That is one request of one client, and nothing in the second question says so.
import { hash } from 'node:crypto';
import type { Question, RecordContent, RecordIds } from '../admission/record.ts';

// A retry follows at once. The longer the wait, the likelier it is that a client has asked a second time.
const RETRY_WITHIN_MS = 1_000;
// More than come within that time, and still little to hold.
const MOST = 1_000;

interface First {
  readonly id: string;
  readonly timeMs: number;
  /** Of which the API server asked last. */
  readonly resourceVersion: string;
}

/**
 * Gives each record a new id, and says what it seems to be a retry of: a record that says the same, of less than a second ago, and of
 * another version of a pod whose spec is the same. Whoever asks again about one version, or has changed the spec since, is no retry.
 */
export function createRetries(newRecordId: (timeMs: number) => string): RecordIds {
  // First what was not asked about for the longest time.
  const asked = new Map<string, First>();
  return (content, question) => {
    const { stored, timeMs } = question;
    const id = newRecordId(timeMs);
    // A new pod has no other version, and a dry run is asked about once (k8s.io/apiserver/pkg/registry/generic/registry/dryrun.go).
    if (stored.resourceVersion === '' || content.dryRun) return { id, retryOf: null };
    const key = keyOf(content, question);
    const first = firstOf(asked.get(key), question);
    asked.delete(key);
    // A second refusal, of what is stored, is the last; what is allowed and cannot be stored is asked about as often as it takes.
    if (first && content.decision === 'deny') return { id, retryOf: first.id };
    asked.set(key, { ...(first ?? { id, timeMs }), resourceVersion: stored.resourceVersion });
    const [oldest] = asked.keys();
    if (asked.size > MOST && oldest !== undefined) asked.delete(oldest);
    return { id, retryOf: first?.id ?? null };
  };
}

// A clock that steps back says nothing of what came first.
function firstOf(before: First | undefined, { stored, timeMs }: Question): First | undefined {
  if (before === undefined || before.resourceVersion === stored.resourceVersion) return undefined;
  const sinceMs = timeMs - before.timeMs;
  return sinceMs >= 0 && sinceMs < RETRY_WITHIN_MS ? before : undefined;
}

// Without the messages, which may say how long ago something was.
function keyOf({ findings, excepted, ...rest }: RecordContent, { phase, stored }: Question): string {
  const found = findings.map(({ message: _message, ...finding }) => finding);
  const kept = excepted.map(({ message: _message, ...finding }) => finding);
  return hash('sha256', JSON.stringify([phase, stored.generation, rest, found, kept]), 'base64');
}

/** Gives every record a new id: what is read from files is no retry of anything. */
export function eachAnew(newRecordId: (timeMs: number) => string): RecordIds {
  return (_content, { timeMs }) => ({ id: newRecordId(timeMs), retryOf: null });
}
