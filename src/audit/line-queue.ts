// A bounded queue of lines: what does not fit is dropped, and a line in the queue says how much was, and since when.
import type { AuditRecord } from '../admission/record.ts';

/** Lines that go out together. */
export interface Chunk {
  readonly text: string;
  readonly bytes: number;
  /** Lines in it that are records; a marker is none. */
  readonly records: number;
}

/** Records that were dropped one after the other. */
export interface Hole {
  readonly records: number;
  /** RFC 3339. */
  readonly since: string;
}

export interface LineQueue {
  /** Whether the line is kept. Once one was not, none is until `endHole` gave that hole. */
  readonly add: (line: string) => boolean;
  readonly hole: () => Hole | undefined;
  /** When half of the queue is free: gives the hole that ends, and queues the line that marks it. */
  readonly endHole: () => Hole | undefined;
  /** Takes the oldest lines; they still count as waiting until they are released. */
  readonly take: () => Chunk | undefined;
  readonly release: (chunk: Chunk) => void;
  /** Records in the queue, without those taken. */
  readonly records: () => number;
}

const CHUNK_BYTES = 64 * 1024;

/** Makes a queue that holds at most `maxBytes`, and now and then one marker of some hundred bytes more. */
export function createLineQueue(maxBytes: number): LineQueue {
  const chunks: Chunk[] = [];
  let waiting = 0;
  let hole: Hole | undefined;

  const push = (line: string, bytes: number, records: number): void => {
    waiting += bytes;
    const last = chunks.at(-1);
    if (last === undefined || last.bytes + bytes > CHUNK_BYTES) chunks.push({ text: line, bytes, records });
    else
      chunks[chunks.length - 1] = {
        text: last.text + line,
        bytes: last.bytes + bytes,
        records: last.records + records,
      };
  };

  return {
    add: (line) => {
      const bytes = Buffer.byteLength(line);
      const fits = hole === undefined && waiting + bytes <= maxBytes;
      if (fits) push(line, bytes, 1);
      else hole = { records: (hole?.records ?? 0) + 1, since: hole?.since ?? new Date().toISOString() };
      return fits;
    },
    hole: () => hole,
    // Not as soon as one line fits: one long hole is easier to read than a thousand short ones.
    endHole: () => {
      const ended = hole;
      if (ended === undefined || waiting > maxBytes / 2) return undefined;
      hole = undefined;
      const marker = toMarker(ended);
      push(marker, Buffer.byteLength(marker), 0);
      return ended;
    },
    take: () => chunks.shift(),
    release: ({ bytes }) => {
      waiting -= bytes;
    },
    records: () => chunks.reduce((sum, chunk) => sum + chunk.records, 0),
  };
}

/** The line that stands where records are missing. */
function toMarker({ records, since }: Hole): string {
  const schema: AuditRecord['schema'] = 'podrail.dev/audit/v1';
  return `${JSON.stringify({ schema, time: new Date().toISOString(), dropped: records, since })}\n`;
}
