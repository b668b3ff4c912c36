// Tells of changes in folders, as soon as the file system does, and at intervals where it tells of none.
//
// Folders and not files: Kubernetes replaces a link in a mounted folder, and never writes to a file.
import { type FSWatcher, watch } from 'node:fs';

export interface FolderOptions {
  readonly folders: readonly string[];
  /** Looks what has changed, if anything has. One ends before the next begins; it must not throw. */
  readonly check: () => Promise<void> | void;
  /** Called once for a folder of which the file system tells nothing. */
  readonly onUnwatched: (folder: string, error: unknown) => void;
  /** How often a check is made in any case. Default 10 s. */
  readonly pollMs?: number | undefined;
}

const POLL_MS = 10_000;
// One replacement is several events; they are answered by one check.
const SETTLE_MS = 50;

/** Follows until it is closed; it keeps no process alive. */
export function followFolders({ folders, check, onUnwatched, pollMs = POLL_MS }: FolderOptions): {
  readonly close: () => void;
} {
  let checks = Promise.resolve();
  const checkNext = (): void => {
    checks = checks.then(check);
  };
  let settling: NodeJS.Timeout | undefined;
  const onEvent = (): void => {
    settling ??= setTimeout(() => {
      settling = undefined;
      checkNext();
    }, SETTLE_MS).unref();
  };
  const watchers = folders.map((folder) => watchFolder(folder, onEvent, (error) => onUnwatched(folder, error)));
  const poll = setInterval(checkNext, pollMs).unref();
  return {
    close() {
      for (const watcher of watchers) watcher?.close();
      clearInterval(poll);
      clearTimeout(settling);
    },
  };
}

function watchFolder(
  folder: string,
  onEvent: () => void,
  onUnwatched: (error: unknown) => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    watcher.on('error', (error) => {
      watcher.close();
      onUnwatched(error);
    });
    return watcher;
  } catch (error) {
    onUnwatched(error);
    return undefined;
  }
}
