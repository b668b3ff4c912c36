// Ids of audit records: ULIDs, which sort by time and, within this process, by the order in which they were made.
import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Gives the next id for a record made at `timeMs`, milliseconds since 1970. Never throws for a time a clock shows. */
export type RecordIds = (timeMs: number) => string;

/** Makes a source of ids. A clock that steps back does not make an id that sorts before an earlier one. */
export function createRecordIds(): RecordIds {
  const nextId = monotonicFactory(createRandom());
  // ulid takes whole milliseconds only, and reads 0 as "now"
  return (timeMs) => nextId(Math.max(1, Math.trunc(timeMs)));
}

// ulid asks for 16 random numbers an id, and by itself asks the system for each: 60 µs an id where a pool takes 1 µs.
function createRandom(): () => number {
  const pool = new Uint8Array(1024);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used] ?? 0;
    used += 1;
    return byte / 256;
  };
}
