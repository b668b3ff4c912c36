// Retries of the API server. It asks first about the copy of a pod that it holds. Where the pod has been written a moment ago that is an
// older one; when it is refused, or cannot be stored, the API server reads the pod again and asks again (GuaranteedUpdate of
// k8s.io/apiserver/pkg/storage/etcd3/store.go). That is one request of one client, and nothing in the second question says so.
import { hash } from 'node:crypto';
import type { RecordIds } from '../admission/record.ts';

// A retry follows at once. The longer the wait, the likelier it is that a client has asked a second time.
const RETRY_WITHIN_MS = 1_000;
// More than come within that time, and still little to hold.
const MOST = 1_000;

interface Asked {
  readonly firstId: string;
  readonly resourceVersion: string;
  readonly timeMs: number;
}

/**
 * Gives each record a new id, and says what it seems to be a retry of: a record that says the same, of less than a second ago, and of
 * another version of a pod whose spec is the same. Whoever asks again about one version, or has changed the spec since, is no retry.
 */
export function createRetries(newRecordId: (timeMs: number) => string): RecordIds {
  // The oldest first.
  const last = new Map<string, Asked>();
  return (content, { resourceVersion, generation }, timeMs) => {
    const id = newRecordId(timeMs);
    const key = hash('sha256', JSON.stringify([generation, content]), 'base64');
    const before = last.get(key);
    const isRetry =
      before !== undefined && before.resourceVersion !== resourceVersion && isSoon(timeMs - before.timeMs);
    const firstId = isRetry ? before.firstId : id;
    last.delete(key);
    last.set(key, { firstId, resourceVersion, timeMs });
    const [oldest] = last.keys();
    if (last.size > MOST && oldest !== undefined) last.delete(oldest);
    return { id, retryOf: isRetry ? firstId : null };
  };
}

// A clock that steps back says nothing of what came first.
function isSoon(ms: number): boolean {
  return ms >= 0 && ms < RETRY_WITHIN_MS;
}

/** Gives every record a new id: what is read from files is no retry of anything. */
export function eachAnew(newRecordId: (timeMs: number) => string): RecordIds {
  return (_content, _stored, timeMs) => ({ id: newRecordId(timeMs), retryOf: null });
}
