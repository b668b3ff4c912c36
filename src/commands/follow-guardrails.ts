// The guardrails in force: those of files, and what the files become while podrail serves.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { ProcessLog } from '../admission/process-log.ts';
import { followFolders } from '../follow-folder.ts';
import type { Policy } from '../guardrails/policy.ts';
import { atOnce, type Steps } from '../guardrails/steps.ts';
import { readGuardrailTexts } from './decision-files.ts';
import { UsageError } from './usage-error.ts';

export interface GuardrailOptions {
  readonly paths: readonly string[];
  /** Reads them all, step by step. Throws UsageError with every mistake in them. */
  readonly read: () => Steps<Policy>;
  readonly log: ProcessLog;
  /** Called with each new policy, after the first. */
  readonly onChange: (policy: Policy) => void;
  /** Called after each reading, the first included. */
  readonly onRead: (isGood: boolean) => void;
  readonly pollMs?: number;
}

export interface FollowedGuardrails {
  readonly first: Policy;
  readonly close: () => void;
}

const STILL_MS = 50;

/**
 * Reads the guardrails and follows their files and folders. Throws UsageError when there is a mistake to begin with. Later files
 * with a mistake are logged, once, with the place of each, and all guardrails stay as they were.
 */
export function followGuardrails({ paths, read, log, onChange, onRead, pollMs }: GuardrailOptions): FollowedGuardrails {
  let seen = textsOf(paths);
  const first = atOnce(read());
  onRead(true);

  let isClosed = false;
  const check = async (): Promise<void> => {
    const texts = await readStill(
      () => textsOf(paths),
      () => sleep(STILL_MS, undefined, { ref: false }),
    );
    if (isClosed || texts === seen) return;
    if (texts === undefined) {
      log.warn(
        { guardrails: paths },
        'the guardrails keep changing; the last good ones stay in use until they are still',
      );
      return;
    }
    seen = texts;
    try {
      const policy = await inTurns(read());
      if (isClosed) return;
      onChange(policy);
      onRead(true);
      log.info({ guardrails: paths, count: policy.guardrails.length }, 'the guardrails were read again');
    } catch (error) {
      onRead(false);
      const mistakes = error instanceof UsageError ? error.lines : [String(error)];
      log.error({ mistakes }, 'the guardrails have mistakes; the last good ones stay in use');
    }
  };
  if (paths.length === 0) return { first, close: () => undefined };
  const { close } = followFolders({
    folders: [...new Set(paths.map(folderOf))],
    check,
    onUnwatched: (folder, error) =>
      log.warn({ err: error, folder }, 'a folder cannot be watched; it is read at intervals'),
    pollMs,
  });
  return {
    first,
    close() {
      isClosed = true;
      close();
    },
  };
}

const MOST_WAITS = 100;

/**
 * What is read, once it is the same before and after a wait: somebody may be in the middle of writing, and half a file may be one
 * without a mistake. undefined where it was another each time.
 */
export async function readStill(read: () => string, wait: () => Promise<void>): Promise<string | undefined> {
  let texts = read();
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    await wait();
    const later = read();
    if (later === texts) return texts;
    texts = later;
  }
  return undefined;
}

const MOST_MS_AT_ONCE = 10;

// Requests that have come are answered between two steps, if these have taken long enough.
async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (let since = performance.now(); ; ) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < MOST_MS_AT_ONCE) continue;
    await setImmediate();
    since = performance.now();
  }
}

/** Everything that is in the files, or why it cannot be read: what has not changed is not read again. */
function textsOf(paths: readonly string[]): string {
  return JSON.stringify(readGuardrailTexts(paths));
}

function folderOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path);
}
